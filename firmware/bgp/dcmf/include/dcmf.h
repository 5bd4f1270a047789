/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DCMF 0.3.0, the message layer of Blue Gene/P: messages between the processes of a job, puts into and gets from their
 * memory, and control of the layer itself.
 *
 * Names, signatures, numbers and the order of fields are those of the published interface (include/dcmf.h of IBM's
 * DCMF, as jedbrown/pami keeps it in sys/reference). Meanings are stated here where a program has to rely on them; what
 * each call costs is in firmware/bgp/dcmf/README.md.
 *
 * In general: a call starts an operation and returns. Callbacks are called by DCMF_Messager_advance() alone, never by
 * the call that starts the operation. A callback without a function is not called, and an operation that owes no
 * callback never touches its request after the call has returned. Callbacks may start operations of any kind; they may
 * not advance, and with interrupts or several threads they may not enter the critical section, which is held. Ranks out
 * of range and sizes beyond a limit give DCMF_INVAL.
 */
#ifndef __dcmf_h__
#define __dcmf_h__

#include <dcmf_impl.h>
#include <stddef.h>
#include <stdint.h>

#define DCMF_VERSION_RELEASE 0
#define DCMF_VERSION_MAJOR 3
#define DCMF_VERSION_MINOR 0

#ifdef __cplusplus
extern "C" {
#endif

/* Types ------------------------------------------------------------------------------------------------------------ */

/* Order among the operations of one process to another.
 * MATCH: receive callbacks are called in the order of the sends; data may complete in another order.
 * RELAXED: no order; here receive callbacks still are in order, data may take any route.
 * SEQUENTIAL: data also completes in order.
 * Puts complete at the target in the order in which they were started, whatever is asked for. */
typedef enum {
  DCMF_MATCH_CONSISTENCY,
  DCMF_RELAXED_CONSISTENCY,
  DCMF_SEQUENTIAL_CONSISTENCY,
  DCMF_WEAK_CONSISTENCY /* deprecated; as RELAXED */
} DCMF_Consistency;

typedef enum {
  DCMF_DEVICE_GI = 1,
  DCMF_DEVICE_TREE = 2,
  DCMF_DEVICE_TORUS = 4,
  DCMF_DEVICE_DMA = 8,
  DCMF_DEVICE_IPC = 16
} DCMF_Device;

typedef enum {
  DCMF_SUCCESS = 0,
  DCMF_NERROR = -1,
  DCMF_ERROR = 1,
  DCMF_INVAL,  /* a bad argument */
  DCMF_UNIMPL, /* not offered */
  DCMF_EAGAIN, /* not now */
  DCMF_SHUTDOWN,
  DCMF_CHECK_ERRNO,
  DCMF_OTHER
} DCMF_Result;

typedef struct DCMF_Error_t {
  DCMF_Result result;
} DCMF_Error_t;

typedef enum {
  DCMF_UNDEFINED_OP = 0,
  DCMF_NOOP,
  DCMF_MAX,
  DCMF_MIN,
  DCMF_SUM,
  DCMF_PROD,
  DCMF_LAND,
  DCMF_LOR,
  DCMF_LXOR,
  DCMF_BAND,
  DCMF_BOR,
  DCMF_BXOR,
  DCMF_MAXLOC,
  DCMF_MINLOC,
  DCMF_USERDEFINED_OP,
  DCMF_OP_COUNT
} DCMF_Op;

typedef enum {
  DCMF_UNDEFINED_DT = 0,
  DCMF_SIGNED_CHAR,
  DCMF_UNSIGNED_CHAR,
  DCMF_SIGNED_SHORT,
  DCMF_UNSIGNED_SHORT,
  DCMF_SIGNED_INT,
  DCMF_UNSIGNED_INT,
  DCMF_SIGNED_LONG_LONG,
  DCMF_UNSIGNED_LONG_LONG,
  DCMF_FLOAT,
  DCMF_DOUBLE,
  DCMF_LONG_DOUBLE,
  DCMF_LOGICAL, /* a 32-bit integer, true unless 0 */
  DCMF_SINGLE_COMPLEX,
  DCMF_DOUBLE_COMPLEX,
  /* For MAXLOC and MINLOC: a value, then its place. */
  DCMF_LOC_2INT,
  DCMF_LOC_SHORT_INT,
  DCMF_LOC_FLOAT_INT,
  DCMF_LOC_DOUBLE_INT,
  DCMF_LOC_2FLOAT,
  DCMF_LOC_2DOUBLE,
  DCMF_USERDEFINED_DT,
  DCMF_DT_COUNT
} DCMF_Dt;

typedef enum {
  DCMF_DEFAULT_NETWORK = 0,
  DCMF_TORUS_NETWORK,
  DCMF_SOCKET_NETWORK, /* not on this machine */
  DCMF_SHMEM_NETWORK,
  DCMF_NETWORK_COUNT
} DCMF_Network;
/* What 0.2.0 called it. */
#define DCMF_DefaultNetwork DCMF_DEFAULT_NETWORK

#define DCMF_MAX_DIMS 4

/* A place in a network. */
typedef struct DCMF_NetworkCoord_t {
  DCMF_Network network;
  __extension__ union {
    struct {
      size_t x;
      size_t y;
      size_t z;
      size_t t; /* process of the node */
    } torus;
    struct {
      size_t coords[DCMF_MAX_DIMS]; /* the same four */
    } n_torus;
    struct {
      int recv_fd;
      int send_fd;
    } socket;
    struct {
      size_t rank;
      size_t peer; /* process of the node */
    } shmem;
  };
} DCMF_NetworkCoord_t;

/* Called when an operation is complete. */
typedef void (*DCMF_Callback)(void* clientdata, DCMF_Error_t* error);

typedef struct DCMF_Callback_t {
  DCMF_Callback function; /* NULL: none */
  void* clientdata;
} DCMF_Callback_t;

#define DCMF_HARDWARE_MAX_PROCESSOR_NAME 128
#define DCMF_HARDWARE_NUM_DIMS 4

/* What the process runs on. lrank and lsize count the ranks of the job; prank and psize are the places of the
 * partition, prank = ((t * zSize + z) * ySize + y) * xSize + x. Arrays are in the order t, z, y, x. */
typedef struct {
  uint32_t lrank;
  uint32_t lsize;
  uint32_t prank;
  uint32_t psize;

  __extension__ union {
    uint32_t Size[DCMF_HARDWARE_NUM_DIMS];
    __extension__ struct {
      uint32_t tSize;
      uint32_t zSize;
      uint32_t ySize;
      uint32_t xSize;
    };
  };

  __extension__ union {
    uint32_t Coord[DCMF_HARDWARE_NUM_DIMS];
    __extension__ struct {
      uint32_t tCoord;
      uint32_t zCoord;
      uint32_t yCoord;
      uint32_t xCoord;
    };
  };

  /* 1: the dimension is a ring, 0: a line. */
  __extension__ union {
    uint32_t Torus[DCMF_HARDWARE_NUM_DIMS];
    __extension__ struct {
      uint32_t tTorus;
      uint32_t zTorus;
      uint32_t yTorus;
      uint32_t xTorus;
    };
  };

  uint32_t rankInPset;
  uint32_t sizeOfPset;
  uint32_t idOfPset;

  uint32_t clockMHz;
  uint32_t memSize; /* of the node, in MB of 2^20 bytes */
  char name[DCMF_HARDWARE_MAX_PROCESSOR_NAME];
} DCMF_Hardware_t;

/* Opaque objects. A registration must stay where it is until the layer is finalised. */
typedef DCQuad DCMF_Protocol_t[DCMF_PROTOCOL_NQUADS];
typedef DCQuad DCMF_Request_t[DCMF_REQUEST_NQUADS];
typedef DCQuad DCMF_Error_request_t[DCMF_ERROR_NQUADS];
typedef DCQuad DCMF_Control_t[DCMF_CONTROL_NQUADS];
typedef DCQuad DCMF_Memregion_t[DCMF_MEMREGION_NQUADS];

/* The layer -------------------------------------------------------------------------------------------------------- */

/* Initialising returns 1 the first time and 0 after that. The layer ends when it has been finalised as often as
 * initialised, since MPI and another library may both use it; this call returns 1, others 0. All processes of the job
 * initialise, and register their protocols in the same order. Not thread safe. */
unsigned DCMF_Messager_initialize();
unsigned DCMF_Messager_finalize();

/* The critical section of the process: one recursive lock; `x` is ignored. While the flag is 0, as it is below
 * DCMF_THREAD_MULTIPLE, there is nothing to lock. cycle lets another thread have it if it is held once. */
extern int32_t DCMF_CriticalSection_flag;
void DCMF_CriticalSection_enter_func(uint32_t x);
void DCMF_CriticalSection_exit_func(uint32_t x);
void DCMF_CriticalSection_cycle_func(uint32_t x);

#define DCMF_CriticalSection_enter(x)                                  \
  __extension__({                                                      \
    if (DCMF_CriticalSection_flag) DCMF_CriticalSection_enter_func(x); \
  })
#define DCMF_CriticalSection_exit(x)                                  \
  __extension__({                                                     \
    if (DCMF_CriticalSection_flag) DCMF_CriticalSection_exit_func(x); \
  })
#define DCMF_CriticalSection_cycle(x)                                  \
  __extension__({                                                      \
    if (DCMF_CriticalSection_flag) DCMF_CriticalSection_cycle_func(x); \
  })

/* Channels: there is one, number 0. */
#define DCMF_CHANNEL_ALL ((unsigned)-1)
#define DCMF_PROTOCOL_HAS_NO_CHANNELS ((unsigned)-2)
#define DCMF_PROTOCOL_NULL NULL
DCMF_Result DCMF_Channel_info(DCMF_Protocol_t* p, unsigned* base, unsigned* count, unsigned* current);
DCMF_Result DCMF_Channel_acquire(unsigned channel);
DCMF_Result DCMF_Channel_release();
DCMF_Result DCMF_Channel_handoff(unsigned channel, DCMF_Callback_t cb);
unsigned DCMF_Channel_current();
#define DCMF_MESSAGER_USE_CHANNEL
int DCMF_Messager_use_channel(unsigned channel);

typedef struct {
  unsigned channel;
} DCMF_Messager_advance_options;

/* Makes progress: receives, completes, starts what had to wait. Returns how many events it handled. */
unsigned DCMF_Messager_advance();
unsigned DCMF_Messager_advance_expert(DCMF_Messager_advance_options opt);

size_t DCMF_Messager_rank();
size_t DCMF_Messager_size();

DCMF_Result DCMF_Hardware(DCMF_Hardware_t* hw);

/* DCMF_INVAL: no such place, rank or network. DCMF_ERROR: a place at which there is no rank. */
DCMF_Result DCMF_Messager_network2rank(const DCMF_NetworkCoord_t* address, size_t* rank, DCMF_Network* network);
DCMF_Result DCMF_Messager_rank2network(size_t rank, DCMF_Network network, DCMF_NetworkCoord_t* address);

typedef enum {
  DCMF_THREAD_SINGLE = 0,
  DCMF_THREAD_FUNNELED = 1,
  DCMF_THREAD_SERIALIZED = 2,
  DCMF_THREAD_MULTIPLE = 3
} DCMF_Thread;

typedef enum { DCMF_INTERRUPTS_OFF = 0, DCMF_INTERRUPTS_ON = 1 } DCMF_Interrupts;

typedef struct {
  DCMF_Thread thread_level;
  DCMF_Interrupts interrupts;
} DCMF_Configure_t;

/* Asks for what *config says, unless it is NULL, and stores what holds in *out, unless that is NULL; both may be the
 * same. Interrupts need DCMF_THREAD_MULTIPLE and a core of the process to take them; without, they stay off. While
 * several have initialised the layer, the level of threads does not fall: who asks for less gets what the others need.
 * Otherwise not inside the critical section. */
DCMF_Result DCMF_Messager_configure(DCMF_Configure_t* config, DCMF_Configure_t* out);

double DCMF_Timer();                /* seconds, since some time in the past */
double DCMF_Tick();                 /* seconds of a tick of the timer */
unsigned long long DCMF_Timebase(); /* cycles of the core */

/* Called for errors that belong to no operation. */
typedef void (*DCMF_GlobalError)(DCMF_Error_t* error, size_t peer);
DCMF_Result DCMF_Error_register(DCMF_Error_request_t* req, DCMF_GlobalError func);

/* Send ------------------------------------------------------------------------------------------------------------- */

/* Receives a message that came in one packet, and every message of zero bytes. msginfo and src are gone when the
 * callback returns. */
typedef void (*DCMF_RecvSendShort)(void* clientdata, const DCQuad* msginfo, unsigned count, size_t peer,
                                   const char* src, size_t bytes);

/* Receives any other message: states in *rcvbuf and *rcvlen where its first bytes shall go, and in *cb_done whom to
 * tell. Bytes beyond *rcvlen are dropped. Returns a request for the reception, which may be used for several messages
 * at a time: the layer keeps nothing in it. NULL drops the message. */
typedef DCMF_Request_t* (*DCMF_RecvSend)(void* clientdata, const DCQuad* msginfo, unsigned count, size_t peer,
                                         size_t sndlen, size_t* rcvlen, char** rcvbuf, DCMF_Callback_t* cb_done);

typedef enum {
  DCMF_DEFAULT_SEND_PROTOCOL, /* eager or rendezvous, by size */
  DCMF_EAGER_SEND_PROTOCOL,   /* data follows the envelope at once */
  DCMF_RZV_SEND_PROTOCOL,     /* the receiver fetches the data */
  DCMF_USER0_SEND_PROTOCOL,   /* as DEFAULT, as the three below */
  DCMF_USER1_SEND_PROTOCOL,
  DCMF_USER2_SEND_PROTOCOL,
  DCMF_USER3_SEND_PROTOCOL,
  DCMF_SEND_PROTOCOL_COUNT
} DCMF_Send_Protocol;

typedef struct {
  DCMF_Send_Protocol protocol;
  DCMF_Network network;
  DCMF_RecvSendShort cb_recv_short;
  void* cb_recv_short_clientdata;
  DCMF_RecvSend cb_recv;
  void* cb_recv_clientdata;
} DCMF_Send_Configuration_t;

DCMF_Result DCMF_Send_register(DCMF_Protocol_t* registration, DCMF_Send_Configuration_t* configuration);

/* Sends `bytes` from `src` and `count` (0 to 7) quads of msginfo, which are copied by the call. cb_done: `src` may be
 * changed. */
DCMF_Result DCMF_Send(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                      DCMF_Consistency consistency, size_t rank, size_t bytes, char* src, DCQuad* msginfo,
                      unsigned count);

/* Control ---------------------------------------------------------------------------------------------------------- */

typedef void (*DCMF_RecvControl)(void* clientdata, const DCMF_Control_t* info, size_t peer);

typedef enum {
  DCMF_DEFAULT_CONTROL_PROTOCOL,
  DCMF_OVERSEND_CONTROL_PROTOCOL,
  DCMF_USER0_CONTROL_PROTOCOL,
  DCMF_USER1_CONTROL_PROTOCOL,
  DCMF_USER2_CONTROL_PROTOCOL,
  DCMF_USER3_CONTROL_PROTOCOL,
  DCMF_CONTROL_PROTOCOL_COUNT
} DCMF_Control_Protocol;

typedef struct {
  DCMF_Control_Protocol protocol;
  DCMF_Network network;
  DCMF_RecvControl cb_recv;
  void* cb_recv_clientdata;
} DCMF_Control_Configuration_t;

DCMF_Result DCMF_Control_register(DCMF_Protocol_t* registration, DCMF_Control_Configuration_t* configuration);

/* Sends *info. Control messages to one rank arrive in order among themselves, not among other messages. Complete when
 * the call returns: *info may be changed, and nobody need advance. */
DCMF_Result DCMF_Control(DCMF_Protocol_t* registration, DCMF_Consistency consistency, size_t rank,
                         DCMF_Control_t* info);

/* Memory regions --------------------------------------------------------------------------------------------------- */

/* A region of the process's memory, which others may then name in puts and gets: copy it to them. NULL and (size_t)-1
 * stand for all of the memory, so that offsets are addresses. *bytes_out: how many bytes from `base` on it has. */
DCMF_Result DCMF_Memregion_create(DCMF_Memregion_t* memregion, size_t* bytes_out, size_t bytes_in, void* base,
                                  uint64_t options);
DCMF_Result DCMF_Memregion_destroy(DCMF_Memregion_t* memregion);
/* Of regions of other ranks, too. */
DCMF_Result DCMF_Memregion_query(DCMF_Memregion_t* memregion, size_t* bytes, void** base);

/* Put -------------------------------------------------------------------------------------------------------------- */

typedef enum {
  DCMF_DEFAULT_PUT_PROTOCOL,
  DCMF_OVERSEND_PUT_PROTOCOL,
  DCMF_USER0_PUT_PROTOCOL,
  DCMF_USER1_PUT_PROTOCOL,
  DCMF_USER2_PUT_PROTOCOL,
  DCMF_USER3_PUT_PROTOCOL,
  DCMF_PUT_PROTOCOL_COUNT
} DCMF_Put_Protocol;

typedef struct {
  DCMF_Put_Protocol protocol;
  DCMF_Network network;
} DCMF_Put_Configuration_t;

DCMF_Result DCMF_Put_register(DCMF_Protocol_t* registration, DCMF_Put_Configuration_t* configuration);

/* Writes `bytes` of the own region into that of `rank`. cb_done: the source may be changed. cb_ack: the data, and that
 * of all puts to this rank before, are in the target's memory; it is called after cb_done. */
DCMF_Result DCMF_Put(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                     DCMF_Consistency consistency, size_t rank, size_t bytes, DCMF_Memregion_t* src_memregion,
                     DCMF_Memregion_t* dst_memregion, size_t src_offset, size_t dst_offset, DCMF_Callback_t cb_ack);

/* Get -------------------------------------------------------------------------------------------------------------- */

typedef enum {
  DCMF_DEFAULT_GET_PROTOCOL,
  DCMF_OVERSEND_GET_PROTOCOL,
  DCMF_USER0_GET_PROTOCOL,
  DCMF_USER1_GET_PROTOCOL,
  DCMF_USER2_GET_PROTOCOL,
  DCMF_USER3_GET_PROTOCOL,
  DCMF_GET_PROTOCOL_COUNT
} DCMF_Get_Protocol;

typedef struct {
  DCMF_Get_Protocol protocol;
  DCMF_Network network;
} DCMF_Get_Configuration_t;

DCMF_Result DCMF_Get_register(DCMF_Protocol_t* registration, DCMF_Get_Configuration_t* configuration);

/* Reads `bytes` of the region of `rank`, src_memregion, into the own one. cb_done: they are there. */
DCMF_Result DCMF_Get(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                     DCMF_Consistency consistency, size_t rank, size_t bytes, DCMF_Memregion_t* src_memregion,
                     DCMF_Memregion_t* dst_memregion, size_t src_offset, size_t dst_offset);

/* Starts the operation of a request once more, with all its arguments as they were; only when all its callbacks have
 * been called. msginfo is that of the first time, source buffers are read anew. */
DCMF_Result DCMF_Restart(DCMF_Request_t* request);

/* Between them the layer may not be used; what is on its way stays so. */
DCMF_Result DCMF_Messager_suspend();
DCMF_Result DCMF_Messager_resume();

#ifdef __cplusplus
}
#endif

#endif
