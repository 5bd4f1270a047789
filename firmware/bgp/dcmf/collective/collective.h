// SPDX-License-Identifier: Apache-2.0
/// Collective operations in progress. An operation is a function that is called again each time all that it has started
/// is complete; it starts the next step, until it says that it has finished.
#ifndef TOROID_FIRMWARE_DCMF_COLLECTIVE_H
#define TOROID_FIRMWARE_DCMF_COLLECTIVE_H

#include <dcmf_collectives.h>
#include <dcmf_globalcollectives.h>

#include "firmware/bgp/dcmf/collective/exchange.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcmf_collective dcmf_collective_t;

/// What is in a DCMF_Geometry_t.
typedef struct {
  uint32_t id;
  uint32_t count;
  uint32_t self;        ///< place of this process, or `count` if it is none of them
  uint32_t* ranks;      ///< NULL: all of the job, in order
  uint32_t operations;  ///< so far
  uint32_t local;       ///< all are on this node
  uint32_t rectangle;   ///< they fill a rectangle of the torus
  uint8_t least[3];     ///< its first place in x, y, z
  uint8_t extent[3];    ///< and how many there are
  uint32_t global;      ///< all of the job, which starts the operations of all such geometries in one order
  uint32_t wired;       ///< its barrier is that of the global interrupts
  dcmf_collective_t* barrier;
} dcmf_geometry_t;

/// What is in a DCMF_CollectiveRequest_t, and in the DCMF_Request_t of an operation of all processes.
struct dcmf_collective {
  dcmf_request_t request;  ///< whose cb_done is called at the end
  /// Starts the next step. True: that was the last one.
  bool (*step)(dcmf_collective_t* collective);
  dcmf_geometry_t* geometry;
  uint32_t pending;  ///< messages of this step
  uint32_t phase;
  uint32_t operation;  ///< number in the geometry
  uint32_t root;       ///< place in the geometry
  uint32_t bytes;
  uint32_t count;
  uint32_t mask;
  uint8_t dt, op;
  bool running;
  bool entered;          ///< alltoallv: all processes have
  bool by_tree;          ///< over the collective network
  bool is_broadcast;     ///< then: from or to `to`
  uint8_t root_process;  ///< of a broadcast over that network: place of the root on this node
  char* from;            ///< the program's buffers of a reduction
  char* to;
  char* send;
  char* receive;
  char* scratch;  ///< to be given back
  uint32_t scratch_bytes;
  dcmf_collective_t* next;  ///< that waits for the same network
  unsigned *lengths, *places, *receive_lengths, *receive_places;
};

static const uint32_t DCMF_WORLD = 0xFFFFFFFFu;  ///< id of the geometry of all processes
enum { DCMF_STEPS = 12 };                        ///< bits of a key for the step; numbers of operations have the others

static inline dcmf_geometry_t* dcmf_geometry_in(DCMF_Geometry_t* geometry) {
  return (dcmf_geometry_t*)(void*)geometry;
}
static inline uint32_t dcmf_member(const dcmf_geometry_t* geometry, uint32_t place) {
  return geometry->ranks ? geometry->ranks[place] : place;
}
/// The place of a rank, or `count`.
uint32_t dcmf_place_of(const dcmf_geometry_t* geometry, uint32_t rank);
/// The geometry of all processes.
dcmf_geometry_t* dcmf_world(void);

/// Prepares an operation of a geometry (NULL: of all processes) and gives it its number.
dcmf_collective_t* dcmf_collective_prepare(void* memory, DCMF_Callback_t cb_done, dcmf_geometry_t* geometry);
/// Runs it as far as it goes at once. Its callback comes from advance() in any case.
void dcmf_collective_begin(dcmf_collective_t* collective);

/// In a step: messages to and from a place of the geometry; they match if `tag` is the same at both ends.
void dcmf_collective_send(dcmf_collective_t* collective, uint32_t to, uint32_t tag, const void* data, uint32_t bytes);
void dcmf_collective_receive(dcmf_collective_t* collective, uint32_t from, uint32_t tag, void* buffer, uint32_t bytes);
/// Ends the process: a message of the operation came with `bytes` in place of `due`.
void dcmf_refuse_message(const dcmf_collective_t* collective, uint32_t rank, uint32_t bytes, uint32_t due)
    __attribute__((__noreturn__));
/// The same: a message came that no operation took.
void dcmf_refuse_left_over(uint32_t rank, dcmf_key_t key, uint32_t bytes) __attribute__((__noreturn__));
/// In a step: one of what it has started is complete.
void dcmf_collective_part_done(dcmf_collective_t* collective);
/// Memory until the end of the operation, once in it.
char* dcmf_collective_scratch(dcmf_collective_t* collective, uint32_t bytes);

/// Bytes of `count` elements, or 0 if the operation is not offered for the type.
uint32_t dcmf_reduction_bytes(DCMF_Dt dt, DCMF_Op op, uint32_t count);
/// to = to op from, element by element.
void dcmf_reduce(void* to, const void* from, uint32_t count, DCMF_Dt dt, DCMF_Op op);

/// The operations.
bool dcmf_step_barrier(dcmf_collective_t* collective);
bool dcmf_step_broadcast(dcmf_collective_t* collective);
bool dcmf_step_reduce(dcmf_collective_t* collective);
bool dcmf_step_allreduce(dcmf_collective_t* collective);
bool dcmf_step_allreduce_ring(dcmf_collective_t* collective);
bool dcmf_step_alltoallv(dcmf_collective_t* collective);

/// The same over networks of their own (networks.h), and whether these serve a geometry, and a reduction of it.
bool dcmf_step_interrupt_barrier(dcmf_collective_t* collective);
bool dcmf_step_tree(dcmf_collective_t* collective);
bool dcmf_step_lines(dcmf_collective_t* collective);
bool dcmf_interrupt_barrier_serves(const dcmf_geometry_t* geometry);
bool dcmf_lines_serve(const dcmf_geometry_t* geometry);
bool dcmf_tree_serves(const dcmf_geometry_t* geometry);
bool dcmf_tree_reduces(const dcmf_geometry_t* geometry, DCMF_Dt dt, DCMF_Op op, uint32_t count);

/// Begins a barrier, by global interrupts or by messages.
void dcmf_begin_barrier(dcmf_collective_t* collective, bool wired);
/// Begins a broadcast from a place of the geometry with this step: that over the tree, along lines or by messages.
void dcmf_begin_broadcast(dcmf_collective_t* collective, bool (*step)(dcmf_collective_t*), uint32_t root, char* buffer,
                          uint32_t bytes);

/// Begins a reduction, to `root` or (root = count) to all.
DCMF_Result dcmf_begin_reduction(dcmf_collective_t* collective, bool by_tree, uint32_t root, char* sbuffer,
                                 char* rbuffer, uint32_t count, DCMF_Dt dt, DCMF_Op op);
/// Begins it with the arguments that it has.
void dcmf_begin_reduction_again(dcmf_collective_t* collective);

/// What a collective registration holds.
typedef struct {
  uint32_t kind;      ///< of the operation
  uint32_t protocol;  ///< the enumerator
  DCMF_mapIdToGeometry find;
  bool receivers_call;  ///< of an asynchronous broadcast
} dcmf_collective_protocol_t;
/// What the registration of an operation of all processes holds.
typedef struct {
  uint32_t networked;  ///< over the global interrupts or the collective network
} dcmf_global_protocol_t;

enum {
  DCMF_KIND_BARRIER,
  DCMF_KIND_BROADCAST,
  DCMF_KIND_ASYNC,
  DCMF_KIND_ALLREDUCE,
  DCMF_KIND_REDUCE,
  DCMF_KIND_ALLTOALLV
};

/// An asynchronous broadcast whose receivers do not call.
int dcmf_async_broadcast_register(DCMF_CollectiveProtocol_t* registration,
                                  const DCMF_AsyncBroadcast_Configuration_t* configuration);
int dcmf_async_broadcast(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* request,
                         DCMF_Callback_t cb_done, DCMF_Geometry_t* geometry, unsigned root, char* src, unsigned bytes);

#ifdef __cplusplus
}
#endif

#endif
