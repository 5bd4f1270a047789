/* SPDX-License-Identifier: Apache-2.0 */
/* Part of <pami.h>: results, handles, callbacks, attributes, and hints. */
#ifndef __pami_base_h__
#define __pami_base_h__

#include <stdint.h>
#include <stdlib.h>
#include <sys/uio.h>

/* Results ---------------------------------------------------------------------------------------------------------- */

typedef enum {
  PAMI_SUCCESS = 0,
  PAMI_NERROR = -1,
  PAMI_ERROR = 1,
  PAMI_INVAL,       /* a bad argument */
  PAMI_UNIMPL,      /* not offered */
  PAMI_EAGAIN,      /* not now; of an advance: nothing has happened */
  PAMI_ENOMEM,      /* no memory, or no more of the device's resources */
  PAMI_SHUTDOWN,    /* the task has ended */
  PAMI_CHECK_ERRNO, /* errno tells more */
  PAMI_OTHER,
  PAMI_RESULT_EXT = 1000 /* from here on: results of extensions */
} pami_result_t;

/* Handles ---------------------------------------------------------------------------------------------------------- */

typedef void* pami_client_t;      /* a library or program that communicates, and what it owns of the device */
typedef void* pami_context_t;     /* a share of the client's resources that one thread at a time drives */
typedef void* pami_type_t;        /* where the bytes of a message lie in memory */
typedef uint32_t pami_task_t;     /* a process of the job, by its rank */
typedef uint32_t pami_endpoint_t; /* a context of a task */
typedef void* pami_geometry_t;    /* tasks or endpoints that perform collective operations together */
typedef size_t pami_algorithm_t;  /* a way to perform one of these */

/* What a handle without an object is. */
extern pami_client_t PAMI_CLIENT_NULL;
extern pami_type_t PAMI_TYPE_NULL;
extern pami_context_t PAMI_CONTEXT_NULL;
extern pami_geometry_t PAMI_GEOMETRY_NULL;
extern pami_algorithm_t PAMI_ALGORITHM_NULL;
extern pami_endpoint_t PAMI_ENDPOINT_NULL;
extern size_t PAMI_ALL_CONTEXTS; /* as a context's offset: all contexts of each task */

/* Callbacks -------------------------------------------------------------------------------------------------------- */

/* Tells of the end of an operation, or of a part of it. `result` is PAMI_SUCCESS unless the operation failed. */
typedef void (*pami_event_function)(pami_context_t context, void* cookie, pami_result_t result);

/* Produces or consumes data of a typed transfer, `bytes` at a time, instead of copying: combines, for example. */
typedef void (*pami_data_function)(void* target, void* source, size_t bytes, void* cookie);

/* Work for a context. It is called in each advance until it returns something else than PAMI_EAGAIN. */
typedef pami_result_t (*pami_work_function)(pami_context_t context, void* cookie);

/* Room for work that is queued at a context; the caller's, until the work function has returned its result. */
typedef uintptr_t pami_work_t[PAMI_WORK_SIZE_STATIC / sizeof(uintptr_t)];

/* Attributes ------------------------------------------------------------------------------------------------------- */

typedef char* pami_user_key_t;
typedef char* pami_user_value_t;

typedef struct {
  pami_user_key_t key;
  pami_user_value_t value;
} pami_user_config_t;

/* All are queried; PAMI_GEOMETRY_OPTIMIZE alone may be updated. Values are of the member of pami_attribute_value_t that
 * is named here, intval unless another is. */
typedef enum {
  PAMI_CLIENT_CLOCK_MHZ = 100,     /* clock of the cores */
  PAMI_CLIENT_CONST_CONTEXTS,      /* 1: PAMI_CLIENT_NUM_CONTEXTS is the same in all tasks */
  PAMI_CLIENT_HWTHREADS_AVAILABLE, /* hardware threads of the process */
  PAMI_CLIENT_MEMREGION_SIZE,      /* bytes of a pami_memregion_t */
  PAMI_CLIENT_MEM_SIZE,            /* MiB of the node's memory */
  PAMI_CLIENT_NUM_TASKS,
  PAMI_CLIENT_NUM_LOCAL_TASKS, /* tasks of this node */
  PAMI_CLIENT_LOCAL_TASKS,     /* intarray: these */
  PAMI_CLIENT_NUM_CONTEXTS,    /* the most that the client can create */
  PAMI_CLIENT_PROCESSOR_NAME,  /* chararray: tells where in the machine the process is; not to be freed */
  PAMI_CLIENT_TASK_ID,
  PAMI_CLIENT_WTIMEBASE_MHZ, /* clock of PAMI_Wtimebase() */
  PAMI_CLIENT_WTICK,         /* doubleval: seconds that PAMI_Wtime() can tell apart */

  PAMI_CONTEXT_DISPATCH_ID_MAX = 200, /* the greatest number of a dispatch */

  PAMI_DISPATCH_RECV_IMMEDIATE_MAX = 300, /* bytes of data that a dispatch function can be given at once */
  PAMI_DISPATCH_SEND_IMMEDIATE_MAX,       /* bytes of header and data that PAMI_Send_immediate() takes */
  PAMI_DISPATCH_ATOM_SIZE_MAX,            /* bytes of the largest atom that PAMI_Send_typed() takes */

  PAMI_GEOMETRY_OPTIMIZE = 400, /* 1: the geometry has a class route, if one is free, and algorithms for it */

  PAMI_TYPE_DATA_SIZE = 500, /* bytes of data */
  PAMI_TYPE_DATA_EXTENT,     /* bytes from one element to the next */
  PAMI_TYPE_ATOM_SIZE,
  PAMI_ATTRIBUTE_NAME_EXT = 1000 /* from here on: attributes of extensions */
} pami_attribute_name_t;

typedef union {
  size_t intval;
  double doubleval;
  const char* chararray;
  const size_t* intarray;
} pami_attribute_value_t;

typedef struct {
  pami_attribute_name_t name;
  pami_attribute_value_t value;
} pami_configuration_t;

/* Hints ------------------------------------------------------------------------------------------------------------ */

typedef enum { PAMI_HINT_DEFAULT = 0, PAMI_HINT_ENABLE = 1, PAMI_HINT_DISABLE = 2, PAMI_HINT_INVALID = 3 } pami_hint_t;

/* Of a dispatch: they are kept, or PAMI_Dispatch_set() refuses them. The default is that of each field's line. */
typedef struct {
  unsigned multicontext : 2;          /* messages may take any context, so all must be advanced; enable */
  unsigned long_header : 2;           /* headers may be longer than a packet; enable */
  unsigned recv_contiguous : 2;       /* receivers are contiguous and state neither type nor offset; disable */
  unsigned recv_copy : 2;             /* receivers copy and state no data function; disable */
  unsigned recv_immediate : 2;        /* enable: always at once, so all are short; disable: never at once; either */
  unsigned consistency : 2;           /* dispatch functions are called in the order of the sends; disable */
  unsigned buffer_registered : 2;     /* memory regions hold the buffers; disable */
  unsigned remote_async_progress : 2; /* the target receives without an advance of its own; disable */
  unsigned use_rdma : 2;              /* whether data goes by remote gets; either */
  unsigned use_shmem : 2;             /* whether messages within the node go through shared memory; either */
  unsigned queue_immediate : 2;       /* disable: PAMI_Send_immediate() may return PAMI_EAGAIN; enable */
} pami_dispatch_hint_t;

/* Of one operation: they may be left aside. */
typedef struct {
  unsigned reserved0 : 12;
  unsigned buffer_registered : 2;
  unsigned remote_async_progress : 2;
  unsigned use_rdma : 2;
  unsigned use_shmem : 2;
  unsigned reserved1 : 2;
} pami_send_hint_t;

typedef struct {
  unsigned multicontext : 2;
  unsigned reserved0 : 20;
} pami_collective_hint_t;

#endif
