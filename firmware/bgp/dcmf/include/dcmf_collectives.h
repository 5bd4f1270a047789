/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DCMF's collective operations of the processes of a geometry, which is a list of ranks. Names and arguments are those
 * that public programs use (MPICH's device dcmfd, GASNet's conduit, jeffhammond/a1) and of the twin interface CCMI in
 * jedbrown/pami; the published sources lack this file.
 *
 * A collective call returns DCMF_SUCCESS, and its callback says that the process's part is done. `root` is a rank of
 * the job, not a place in the geometry. The processes of a geometry start its operations in the same order.
 */
#ifndef __dcmf_collectives_h__
#define __dcmf_collectives_h__

#include <dcmf.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef DCQuad DCMF_CollectiveProtocol_t[32 * 2];
typedef DCQuad DCMF_CollectiveRequest_t[32 * 8 * 4];
typedef DCQuad DCMF_Geometry_t[32];

/* Before any registration of this file. */
int DCMF_Collective_initialize();

/* Finds the geometry of an id that a message names. Asked while the layer advances. */
typedef DCMF_Geometry_t* (*DCMF_mapIdToGeometry)(int comm);

/* Barrier. The numbers count protocols that programs keep lists of: for all of a geometry, and for one node. */
typedef enum {
  DCMF_GI_BARRIER_PROTOCOL, /* only of all processes of the job */
  DCMF_TORUS_RECTANGLE_BARRIER_PROTOCOL,
  DCMF_TORUS_RECTANGLELOCKBOX_BARRIER_PROTOCOL_SINGLETH,
  DCMF_TORUS_BINOMIAL_BARRIER_PROTOCOL,
  DCMF_NUM_BARRIER_PROTOCOLS,
  DCMF_LOCKBOX_BARRIER_PROTOCOL = DCMF_NUM_BARRIER_PROTOCOLS, /* only of processes of one node */
  DCMF_IPC_BARRIER_PROTOCOL,
  DCMF_NUM_ALL_BARRIER_PROTOCOLS,
  DCMF_NUM_LOCAL_BARRIER_PROTOCOLS = DCMF_NUM_ALL_BARRIER_PROTOCOLS - DCMF_NUM_BARRIER_PROTOCOLS
} DCMF_Barrier_Protocol;

typedef struct {
  DCMF_Barrier_Protocol protocol;
  DCMF_mapIdToGeometry cb_geometry;
} DCMF_Barrier_Configuration_t;

int DCMF_Barrier_register(DCMF_CollectiveProtocol_t* registration, DCMF_Barrier_Configuration_t* configuration);

/* A geometry of `count` ranks, known to all of them by `id`. Its barrier is the first of `protocols` that suits it, or
 * a binomial one. `request` is for the barrier and stays in use until DCMF_Geometry_free(). globalcontext: all ranks of
 * the job, in an operation's order that the whole job shares. The list of ranks is copied. */
int DCMF_Geometry_initialize(DCMF_Geometry_t* geometry, unsigned id, unsigned* ranks, unsigned count,
                             DCMF_CollectiveProtocol_t** protocols, unsigned nprotocols,
                             DCMF_CollectiveProtocol_t** localprotocols, unsigned nlocalprotocols,
                             DCMF_CollectiveRequest_t* request, unsigned numcolors, unsigned globalcontext);
/* 1 if the protocol can serve the geometry, else 0. */
int DCMF_Geometry_analyze(DCMF_Geometry_t* geometry, DCMF_CollectiveProtocol_t* protocol);
int DCMF_Geometry_free(DCMF_Geometry_t* geometry);

int DCMF_Barrier(DCMF_Geometry_t* geometry, DCMF_Callback_t cb_done, DCMF_Consistency consistency);

/* Broadcast */
typedef enum {
  DCMF_TREE_BROADCAST_PROTOCOL,
  DCMF_TREE_DPUT_BROADCAST_PROTOCOL,
  DCMF_TORUS_RECTANGLE_BROADCAST_PROTOCOL,
  DCMF_TORUS_RECTANGLE_BROADCAST_PROTOCOL_SINGLETH,
  DCMF_TORUS_RECTANGLE_BROADCAST_PROTOCOL_DPUT_SINGLETH,
  DCMF_TORUS_BINOMIAL_BROADCAST_PROTOCOL,
  DCMF_TORUS_BINOMIAL_BROADCAST_PROTOCOL_SINGLETH,
  DCMF_NUM_BROADCAST_PROTOCOLS
} DCMF_Broadcast_Protocol;

typedef struct {
  DCMF_Broadcast_Protocol protocol;
} DCMF_Broadcast_Configuration_t;

int DCMF_Broadcast_register(DCMF_CollectiveProtocol_t* registration, DCMF_Broadcast_Configuration_t* configuration);
int DCMF_Broadcast(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* request, DCMF_Callback_t cb_done,
                   DCMF_Consistency consistency, DCMF_Geometry_t* geometry, unsigned root, char* src, unsigned bytes);

/* Asynchronous broadcast: data may arrive before the receiver has called. */
typedef enum {
  DCMF_TORUS_ASYNCBROADCAST_RECTANGLE_PROTOCOL,
  DCMF_TORUS_ASYNCBROADCAST_BINOMIAL_PROTOCOL,
  DCMF_NUM_ASYNCBROADCAST_PROTOCOLS
} DCMF_AsyncBroadcast_Protocol;

typedef void* (*DCMF_RecvAsyncBroadcast)(unsigned root, unsigned comm, const unsigned sndlen, unsigned* rcvlen,
                                         char** rcvbuf, DCMF_Callback_t* const cb_info);

/* isBuffered: data that arrives early is kept until the receiver calls. Otherwise cb_recv states where it shall go, and
 * the receiver does not call. */
typedef struct {
  DCMF_AsyncBroadcast_Protocol protocol;
  DCMF_RecvAsyncBroadcast cb_recv;
  DCMF_mapIdToGeometry cb_geometry;
  unsigned isBuffered;
} DCMF_AsyncBroadcast_Configuration_t;

int DCMF_AsyncBroadcast_register(DCMF_CollectiveProtocol_t* registration,
                                 DCMF_AsyncBroadcast_Configuration_t* configuration);
int DCMF_AsyncBroadcast(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* request,
                        DCMF_Callback_t cb_done, DCMF_Consistency consistency, DCMF_Geometry_t* geometry, unsigned root,
                        char* src, unsigned bytes);

/* Allreduce */
typedef enum {
  DCMF_TREE_ALLREDUCE_PROTOCOL,
  DCMF_TREE_PIPELINED_ALLREDUCE_PROTOCOL,
  DCMF_TREE_DPUT_PIPELINED_ALLREDUCE_PROTOCOL,
  DCMF_TORUS_BINOMIAL_ALLREDUCE_PROTOCOL,
  DCMF_TORUS_RECTANGLE_ALLREDUCE_PROTOCOL,
  DCMF_TORUS_RECTANGLE_RING_ALLREDUCE_PROTOCOL,
  DCMF_TORUS_SHORT_BINOMIAL_ALLREDUCE_PROTOCOL,
  DCMF_TORUS_ASYNC_BINOMIAL_ALLREDUCE_PROTOCOL,
  DCMF_TORUS_ASYNC_RECTANGLE_ALLREDUCE_PROTOCOL,
  DCMF_TORUS_ASYNC_RECTANGLE_RING_ALLREDUCE_PROTOCOL,
  DCMF_TORUS_ASYNC_SHORT_BINOMIAL_ALLREDUCE_PROTOCOL,
  DCMF_TORUS_ASYNC_SHORT_RECTANGLE_ALLREDUCE_PROTOCOL,
  DCMF_TORUS_RRING_DPUT_ALLREDUCE_PROTOCOL_SINGLETH,
  DCMF_NUM_ALLREDUCE_PROTOCOLS
} DCMF_Allreduce_Protocol;

typedef struct {
  DCMF_Allreduce_Protocol protocol;
  DCMF_mapIdToGeometry cb_geometry;
  unsigned reuse_storage : 1;
} DCMF_Allreduce_Configuration_t;

int DCMF_Allreduce_register(DCMF_CollectiveProtocol_t* registration, DCMF_Allreduce_Configuration_t* configuration);
/* Both buffers may be the same. */
int DCMF_Allreduce(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* request, DCMF_Callback_t cb_done,
                   DCMF_Consistency consistency, DCMF_Geometry_t* geometry, char* sbuffer, char* rbuffer,
                   unsigned count, DCMF_Dt dt, DCMF_Op op);

/* Reduce */
typedef enum {
  DCMF_TREE_REDUCE_PROTOCOL,
  DCMF_TORUS_BINOMIAL_REDUCE_PROTOCOL,
  DCMF_TORUS_RECTANGLE_REDUCE_PROTOCOL,
  DCMF_TORUS_RECTANGLE_RING_REDUCE_PROTOCOL,
  DCMF_NUM_REDUCE_PROTOCOLS
} DCMF_Reduce_Protocol;

typedef struct {
  DCMF_Reduce_Protocol protocol;
  DCMF_mapIdToGeometry cb_geometry;
  unsigned reuse_storage : 1;
} DCMF_Reduce_Configuration_t;

int DCMF_Reduce_register(DCMF_CollectiveProtocol_t* registration, DCMF_Reduce_Configuration_t* configuration);
/* The result is in the receive buffer of `root`; the others' is left alone and may be NULL. */
int DCMF_Reduce(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* request, DCMF_Callback_t cb_done,
                DCMF_Consistency consistency, DCMF_Geometry_t* geometry, int root, char* sbuffer, char* rbuffer,
                unsigned count, DCMF_Dt dt, DCMF_Op op);

/* All to all. Lengths and displacements are bytes, an element for each process of the geometry. The counters, arrays of
 * the same size, are scratch memory. */
typedef enum { DCMF_TORUS_ALLTOALLV_PROTOCOL, DCMF_NUM_ALLTOALLV_PROTOCOLS } DCMF_Alltoallv_Protocol;

typedef struct {
  DCMF_Alltoallv_Protocol protocol;
} DCMF_Alltoallv_Configuration_t;

int DCMF_Alltoallv_register(DCMF_CollectiveProtocol_t* registration, DCMF_Alltoallv_Configuration_t* configuration);
int DCMF_Alltoallv(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* request, DCMF_Callback_t cb_done,
                   DCMF_Consistency consistency, DCMF_Geometry_t* geometry, char* sndbuf, unsigned* sndlen,
                   unsigned* sdispls, char* rcvbuf, unsigned* rcvlen, unsigned* rdispls, unsigned* sndcounters,
                   unsigned* rcvcounters);

#ifdef __cplusplus
}
#endif

#endif
