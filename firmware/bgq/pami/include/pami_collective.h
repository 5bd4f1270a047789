/* SPDX-License-Identifier: Apache-2.0 */
/* Part of <pami.h>: geometries, and collective operations of their members. */
#ifndef __pami_collective_h__
#define __pami_collective_h__

#include <pami_p2p.h>

typedef enum {
  PAMI_XFER_BROADCAST = 0,
  PAMI_XFER_ALLREDUCE,
  PAMI_XFER_REDUCE,
  PAMI_XFER_ALLGATHER,
  PAMI_XFER_ALLGATHERV,
  PAMI_XFER_ALLGATHERV_INT,
  PAMI_XFER_SCATTER,
  PAMI_XFER_SCATTERV,
  PAMI_XFER_SCATTERV_INT,
  PAMI_XFER_GATHER,
  PAMI_XFER_GATHERV,
  PAMI_XFER_GATHERV_INT,
  PAMI_XFER_BARRIER,
  PAMI_XFER_ALLTOALL,
  PAMI_XFER_ALLTOALLV,
  PAMI_XFER_ALLTOALLV_INT,
  PAMI_XFER_SCAN,
  PAMI_XFER_REDUCE_SCATTER,
  PAMI_XFER_AMBROADCAST,
  PAMI_XFER_AMSCATTER,
  PAMI_XFER_AMGATHER,
  PAMI_XFER_AMREDUCE,
  PAMI_XFER_COUNT,
  PAMI_XFER_TYPE_EXT = 1000
} pami_xfer_type_t;

/* What algorithms can do ------------------------------------------------------------------------------------------- */

/* Why an operation cannot be performed by an algorithm; 0: it can. */
typedef union metadata_result_t {
  unsigned bitmask;
  struct {
    unsigned unspecified : 1;
    unsigned range : 1; /* too few bytes or too many */
    unsigned align_send_buffer : 1;
    unsigned align_recv_buffer : 1;
    unsigned datatype_op : 1;
    unsigned contiguous_send : 1;
    unsigned contiguous_recv : 1;
    unsigned continuous_send : 1;
    unsigned continuous_recv : 1;
    unsigned nonlocal : 1; /* members must combine their answers */
  } check;
} metadata_result_t;

typedef struct pami_xfer_t* xfer_p;

typedef metadata_result_t (*pami_metadata_function)(struct pami_xfer_t* in);

typedef struct {
  char* name;
  unsigned version;
  pami_metadata_function check_fn; /* NULL: the fields below tell all */
  size_t range_lo;                 /* bytes */
  size_t range_hi;
  unsigned send_min_align; /* bytes */
  unsigned recv_min_align;
  union {
    unsigned bitmask_correct;
    struct {
      unsigned checkrequired : 1; /* check_fn is to be asked before each operation */
      unsigned nonlocal : 1;
      unsigned rangeminmax : 1;  /* range_lo and range_hi count */
      unsigned sendminalign : 1; /* send_min_align counts */
      unsigned recvminalign : 1;
      unsigned alldtop : 1;      /* all types and operations */
      unsigned contigsflags : 1; /* data to be sent must be contiguous */
      unsigned contigrflags : 1;
      unsigned continsflags : 1; /* pieces for the members must follow each other */
      unsigned continrflags : 1;
      unsigned blocking : 1;
      unsigned inplace : 1;      /* both buffers may be the same */
      unsigned asyncflowctl : 1; /* needs a barrier now and then */
      unsigned oneatatime : 1;
      unsigned global_order : 4;
    } values;
  } check_correct;
  union {
    unsigned bitmask_perf;
    struct {
      unsigned hw_accel : 1; /* units of the network combine or copy */
    } values;
  } check_perf;
  size_t range_lo_perf; /* bytes between which the algorithm is a good one */
  size_t range_hi_perf;
  unsigned min_align_perf;
} pami_metadata_t;

/* Geometries ------------------------------------------------------------------------------------------------------- */

typedef struct {
  pami_task_t lo;
  pami_task_t hi; /* the last one */
} pami_geometry_range_t;

/* Creates a geometry; fn is called at `context` when all members have. All members of the parent call, those outside
 * with `geometry` NULL; without a parent the members alone. `id` is greater than 0 and no other geometry's of a member.
 * All contexts that make geometries have to be advanced meanwhile: else those with higher ids have no class route.
 * All give the same list, which names each member once, and the same attributes: members that disagree wait for ever.
 * Lists and ranges must stay as long as the geometry does. context_offset: the contexts that take part, or
 * PAMI_ALL_CONTEXTS, then without a parent. */
pami_result_t PAMI_Geometry_create_taskrange(pami_client_t client, size_t context_offset,
                                             pami_configuration_t configuration[], size_t num_configs,
                                             pami_geometry_t* geometry, pami_geometry_t parent, unsigned id,
                                             pami_geometry_range_t* task_slices, size_t slice_count,
                                             pami_context_t context, pami_event_function fn, void* cookie);
pami_result_t PAMI_Geometry_create_tasklist(pami_client_t client, size_t context_offset,
                                            pami_configuration_t configuration[], size_t num_configs,
                                            pami_geometry_t* geometry, pami_geometry_t parent, unsigned id,
                                            pami_task_t* tasks, size_t task_count, pami_context_t context,
                                            pami_event_function fn, void* cookie);
/* One call of each task, which may have several endpoints in the list. */
pami_result_t PAMI_Geometry_create_endpointlist(pami_client_t client, pami_configuration_t configuration[],
                                                size_t num_configs, pami_geometry_t* geometry, unsigned id,
                                                pami_endpoint_t* endpoints, size_t endpoint_count,
                                                pami_context_t context, pami_event_function fn, void* cookie);
/* All tasks of the job, with their first contexts; number 0. */
pami_result_t PAMI_Geometry_world(pami_client_t client, pami_geometry_t* world_geometry);

/* lists_lengths[0]: algorithms that always work; [1]: those whose metadata say whether they do. */
pami_result_t PAMI_Geometry_algorithms_num(pami_geometry_t geometry, pami_xfer_type_t coll_type, size_t* lists_lengths);
pami_result_t PAMI_Geometry_algorithms_query(pami_geometry_t geometry, pami_xfer_type_t colltype,
                                             pami_algorithm_t* algs0, pami_metadata_t* mdata0, size_t num0,
                                             pami_algorithm_t* algs1, pami_metadata_t* mdata1, size_t num1);
pami_result_t PAMI_Geometry_destroy(pami_client_t client, pami_geometry_t* geometry, pami_context_t context,
                                    pami_event_function fn, void* cookie);
pami_result_t PAMI_Geometry_query(pami_geometry_t geometry, pami_configuration_t configuration[], size_t num_configs);
/* All members call; what was queried before no longer holds. */
pami_result_t PAMI_Geometry_update(pami_geometry_t geometry, pami_configuration_t configuration[], size_t num_configs,
                                   pami_context_t context, pami_event_function fn, void* cookie);

/* Operations -------------------------------------------------------------------------------------------------------
 *
 * Counts are in elements of their types. Arrays of counts and displacements have an element for each member;
 * displacements are in elements. Forms ending in _int take them as int. */

typedef struct {
  char* sndbuf;
  pami_type_t stype;
  size_t* stypecounts;
  size_t* sdispls;
  char* rcvbuf;
  pami_type_t rtype;
  size_t* rtypecounts;
  size_t* rdispls;
} pami_alltoallv_t;

typedef struct {
  char* sndbuf;
  pami_type_t stype;
  int* stypecounts;
  int* sdispls;
  char* rcvbuf;
  pami_type_t rtype;
  int* rtypecounts;
  int* rdispls;
} pami_alltoallv_int_t;

typedef struct {
  char* sndbuf;
  pami_type_t stype;
  size_t stypecount; /* for each member */
  char* rcvbuf;
  pami_type_t rtype;
  size_t rtypecount; /* from each member */
} pami_alltoall_t;

typedef struct {
  pami_endpoint_t root;
  char* sndbuf;
  pami_type_t stype;
  size_t stypecount;
  char* rcvbuf;
  pami_type_t rtype;
  size_t rtypecount;
  pami_data_function op;
  void* data_cookie;
  int commutative;
} pami_reduce_t;

typedef struct {
  char* sndbuf;
  pami_type_t stype;
  size_t stypecount;
  char* rcvbuf;
  pami_type_t rtype;
  size_t* rcounts;
  pami_data_function op;
  void* data_cookie;
  int commutative;
} pami_reduce_scatter_t;

typedef struct {
  pami_endpoint_t root;
  char* buf;
  pami_type_t type;
  size_t typecount;
} pami_broadcast_t;

typedef struct {
  char* sndbuf;
  pami_type_t stype;
  size_t stypecount;
  char* rcvbuf;
  pami_type_t rtype;
  size_t rtypecount;
} pami_allgather_t;

typedef struct {
  pami_endpoint_t root;
  char* sndbuf;
  pami_type_t stype;
  size_t stypecount;
  char* rcvbuf;
  pami_type_t rtype;
  size_t rtypecount;
} pami_gather_t;

typedef struct {
  pami_endpoint_t root;
  char* sndbuf;
  pami_type_t stype;
  size_t stypecount;
  char* rcvbuf;
  pami_type_t rtype;
  size_t* rtypecounts;
  size_t* rdispls;
} pami_gatherv_t;

typedef struct {
  pami_endpoint_t root;
  char* sndbuf;
  pami_type_t stype;
  int stypecount;
  char* rcvbuf;
  pami_type_t rtype;
  int* rtypecounts;
  int* rdispls;
} pami_gatherv_int_t;

typedef struct {
  char* sndbuf;
  pami_type_t stype;
  size_t stypecount;
  char* rcvbuf;
  pami_type_t rtype;
  size_t* rtypecounts;
  size_t* rdispls;
} pami_allgatherv_t;

typedef struct {
  char* sndbuf;
  pami_type_t stype;
  int stypecount;
  char* rcvbuf;
  pami_type_t rtype;
  int* rtypecounts;
  int* rdispls;
} pami_allgatherv_int_t;

typedef struct {
  pami_endpoint_t root;
  char* sndbuf;
  pami_type_t stype;
  size_t stypecount;
  char* rcvbuf;
  pami_type_t rtype;
  size_t rtypecount;
} pami_scatter_t;

typedef struct {
  pami_endpoint_t root;
  char* sndbuf;
  pami_type_t stype;
  size_t* stypecounts;
  size_t* sdispls;
  char* rcvbuf;
  pami_type_t rtype;
  size_t rtypecount;
} pami_scatterv_t;

typedef struct {
  pami_endpoint_t root;
  char* sndbuf;
  pami_type_t stype;
  int* stypecounts;
  int* sdispls;
  char* rcvbuf;
  pami_type_t rtype;
  int rtypecount;
} pami_scatterv_int_t;

typedef struct {
  char* sndbuf;
  pami_type_t stype;
  size_t stypecount;
  char* rcvbuf;
  pami_type_t rtype;
  size_t rtypecount;
  pami_data_function op;
  void* data_cookie;
  int commutative;
} pami_allreduce_t;

typedef struct {
  char* sndbuf;
  pami_type_t stype;
  size_t stypecount;
  char* rcvbuf;
  pami_type_t rtype;
  size_t rtypecount;
  pami_data_function op;
  void* data_cookie;
  int exclusive; /* without the own contribution */
} pami_scan_t;

typedef struct {
} pami_barrier_t;

/* Active messages to or from all members: the others' dispatch functions say where data go or lie. */
typedef struct {
  size_t dispatch;
  void* user_header;
  size_t headerlen;
  void* sndbuf;
  pami_type_t stype;
  size_t stypecount;
} pami_ambroadcast_t;

typedef void (*pami_dispatch_ambroadcast_function)(pami_context_t context, void* cookie, const void* header_addr,
                                                   size_t header_size, const void* pipe_addr, size_t data_size,
                                                   pami_endpoint_t origin, pami_geometry_t geometry, pami_recv_t* recv);

typedef struct {
  size_t dispatch;
  void* headers; /* one for each member */
  size_t headerlen;
  void* sndbuf;
  pami_type_t stype;
  size_t stypecount;
} pami_amscatter_t;

typedef void (*pami_dispatch_amscatter_function)(pami_context_t context, void* cookie, const void* header_addr,
                                                 size_t header_size, const void* pipe_addr, size_t data_size,
                                                 pami_endpoint_t origin, pami_geometry_t geometry, pami_recv_t* recv);

typedef struct {
  size_t dispatch;
  void* headers;
  size_t headerlen;
  void* rcvbuf;
  pami_type_t rtype;
  size_t rtypecount;
} pami_amgather_t;

typedef void (*pami_dispatch_amgather_function)(pami_context_t context, void* cookie, const void* header_addr,
                                                size_t header_size, size_t data_size, pami_endpoint_t origin,
                                                pami_geometry_t geometry, pami_recv_t* send);

typedef struct {
  size_t dispatch;
  void* user_header;
  size_t headerlen;
  void* rcvbuf;
  pami_type_t rtype;
  size_t rtypecount;
  void* data_cookie;
  int commutative;
} pami_amreduce_t;

typedef void (*pami_dispatch_amreduce_function)(pami_context_t context, void* cookie, const void* header_addr,
                                                size_t header_size, size_t data_size, pami_endpoint_t origin,
                                                pami_geometry_t geometry, pami_data_function* op, pami_recv_t* send);

typedef union {
  pami_allreduce_t xfer_allreduce;
  pami_broadcast_t xfer_broadcast;
  pami_reduce_t xfer_reduce;
  pami_allgather_t xfer_allgather;
  pami_allgatherv_t xfer_allgatherv;
  pami_allgatherv_int_t xfer_allgatherv_int;
  pami_scatter_t xfer_scatter;
  pami_scatterv_t xfer_scatterv;
  pami_scatterv_int_t xfer_scatterv_int;
  pami_gather_t xfer_gather;
  pami_gatherv_t xfer_gatherv;
  pami_gatherv_int_t xfer_gatherv_int;
  pami_alltoall_t xfer_alltoall;
  pami_alltoallv_t xfer_alltoallv;
  pami_alltoallv_int_t xfer_alltoallv_int;
  pami_ambroadcast_t xfer_ambroadcast;
  pami_amscatter_t xfer_amscatter;
  pami_amgather_t xfer_amgather;
  pami_amreduce_t xfer_amreduce;
  pami_scan_t xfer_scan;
  pami_barrier_t xfer_barrier;
  pami_reduce_scatter_t xfer_reduce_scatter;
} pami_collective_t;

typedef struct pami_xfer_t {
  pami_event_function cb_done;
  void* cookie;
  pami_algorithm_t algorithm; /* of PAMI_Geometry_algorithms_query() */
  pami_collective_hint_t options;
  pami_collective_t cmd;
} pami_xfer_t;

/* Each member calls, at a context that is in the geometry. */
pami_result_t PAMI_Collective(pami_context_t context, pami_xfer_t* cmd);

#endif
