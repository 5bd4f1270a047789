// SPDX-License-Identifier: Apache-2.0
/// The one instance of the message layer that a process has. For the layer's own files only.
#ifndef TOROID_FIRMWARE_MSGLAYER_STATE_H
#define TOROID_FIRMWARE_MSGLAYER_STATE_H

#include <assert.h>
#include <string.h>

#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/broadcast.h"
#include "firmware/bgl/msglayer/connection.h"
#include "firmware/bgl/msglayer/coprocessor.h"
#include "firmware/bgl/msglayer/exchange.h"
#include "firmware/bgl/msglayer/own_ports.h"
#include "firmware/bgl/msglayer/protocol.h"
#include "firmware/bgl/msglayer/relay.h"
#include "firmware/bgl/msglayer/rendezvous_data.h"
#include "firmware/bgl/msglayer/tree_stream.h"
#include "firmware/bgl/msglayer/virtual_fifo.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  BGLML_GROUPS = 2,
  BGLML_PINNED_FIFOS = 3,                           ///< normal injection FIFOs of a group
  BGLML_FIFOS = BGLML_GROUPS * BGLML_PINNED_FIFOS,  ///< queue number of a FIFO: group * BGLML_PINNED_FIFOS + fifo
  BGLML_SELF_QUEUE = BGLML_FIFOS,                   ///< packets to the process's own rank
  BGLML_VIRTUAL_QUEUE,                              ///< packets to the other process of the node
  BGLML_QUEUES,
  BGLML_RECEPTION_FIFOS = 7,      ///< six directions and the high-priority one
  BGLML_BARRIER_ROUNDS_MAX = 24,  ///< as many as a rank has bits
};

/// Packets to be sent through one injection FIFO: control packets first, then lanes in turn.
typedef struct {
  bglml_control_t* control_head;
  bglml_control_t* control_tail;
  bglml_lane_t* head;
  bglml_lane_t* tail;
} bglml_send_queue_t;

typedef struct {
  uint32_t rounds;
  uint32_t count;                              ///< barriers entered so far
  uint32_t arrived[BGLML_BARRIER_ROUNDS_MAX];  ///< messages received, each round
  uint32_t sent[BGLML_BARRIER_ROUNDS_MAX];     ///< set by senddone, each round
  bglml_one_packet_t messages[BGLML_BARRIER_ROUNDS_MAX];
  bglml_port_t port;
} bglml_barrier_t;

/// The barrier over the global interrupts (wired_barrier.c).
typedef struct {
  bool usable;
  bool shared;      ///< two processes of the job on this node
  bool fires;       ///< this process fires for its node
  uint8_t channel;  ///< of the next barrier
} bglml_wired_barrier_t;

enum {
  BGLML_RECEPTIONS = 256,  ///< rendezvous messages that can be received at a time
  BGLML_GENERATION =
      BGLML_RECEPTIONS  ///< added to a slot's id at each use, so that a late packet never matches a later message
};

/// The main core's rendezvous receptions (rendezvous.c).
typedef struct {
  bglml_data_slot_t slots[BGLML_RECEPTIONS];
  bglml_rendezvous_receive_t* receives[BGLML_RECEPTIONS];  ///< the receive in each slot; NULL if the slot is free
  uint32_t free;                                           ///< the first free slot; the others follow by `remaining`
  bglml_rendezvous_receive_t* head;                        ///< accepted while all slots were in use
  bglml_rendezvous_receive_t* tail;
} bglml_receptions_t;

/// The places of the ranks of a job.
typedef struct {
  const uint32_t* table;  ///< one place for each rank, in the kernel's format: x in the lowest byte, then y, z and t
  bglml_coordinates_t shape;
  bglml_coordinates_t self;
  uint8_t torus;  ///< bit d: dimension d is a ring, not a mesh
} bglml_mapping_t;

typedef struct {
  bool initialised;
  bool in_turn;  ///< a callback may be running: no nested iteration
  uint32_t rank;
  uint32_t size;
  uint32_t busy;                   ///< bit q: send queue q is not empty
  uint8_t first_group, end_group;  ///< reception groups that this process drains
  bool virtual_node;               ///< two processes on each node, which share its torus FIFOs equally
  bglml_virtual_fifos_t virtual_fifos;
  bglml_coprocessor_t coprocessor;
  bglml_connection_t* connections;
  bglml_send_queue_t queues[BGLML_QUEUES];
  bglml_mapping_t mapping;
  uint32_t handler_count;
  bglml_binding_t handlers[BGLML_MAX_HANDLERS];
  bglml_barrier_t barrier;
  bglml_wired_barrier_t wired_barrier;
  bglml_tree_t tree;
  bglml_counters_t counters;
  bglml_receptions_t receptions;
  bglml_passing_t passing;
  bglml_deposit_t deposit;
  /// Called once in each iteration that has received anything, before anything is sent, if a protocol has set it:
  /// forwards received data.
  void (*after_receiving)(void);
  bglml_relay_t relay;
  bglml_exchange_t exchange;
  bglml_packet_exchange_t packet_exchange;
  bglml_inflow_t flows[BGLML_GROUPS][BGLML_RECEPTION_FIFOS];
} bglml_state_t;

/// The instance. A process has one; the unit tests run several ranks in one process and set this pointer to each in
/// turn.
extern bglml_state_t* bglml_instance;

/// Bytes transferred between a user's buffer and a FIFO in one pass.
static inline void bglml_count_bytes(bglml_traffic_t* traffic, const void* buffer, uint32_t bytes) {
  if ((uintptr_t)buffer % BGLML_QUAD_BYTES == 0) {
    traffic->direct += bytes;
  } else {
    traffic->realigned += bytes;
  }
}

/// Direction of the first hop of a packet on the deterministic route, 0..5 = X+..Z-, and the hint bits of its whole
/// route.
typedef struct {
  uint8_t direction;
  uint8_t hints;
} bglml_route_t;

static inline bglml_coordinates_t bglml_place(const bglml_mapping_t* mapping, uint32_t rank) {
  const uint32_t word = mapping->table[rank];
  const bglml_coordinates_t place = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
  return place;
}

/// Whether any reception FIFO is not empty: compares bytes 0..3 and 3..6 of the status, as two words instead of seven
/// bytes.
static inline bool bglml_anything_received(const bgl_torus_status_t* status) {
  static_assert(BGL_TORUS_STATUS_R0_BYTE == 0 && BGL_TORUS_RECEPTION_FIFOS == 7, "R0..RH are bytes 0..6");
  uint32_t first, last;
  memcpy(&first, status->chunks, sizeof first);
  memcpy(&last, status->chunks + 3, sizeof last);
  return (first | last) != 0;
}

bglml_route_t bglml_route(const bglml_mapping_t* mapping, bglml_coordinates_t to);

/// The kernel's information about a process and its job. It stays valid after the call.
typedef struct {
  uint32_t rank;
  uint32_t ranks;  ///< processes in the job
  bglml_coordinates_t shape;
  uint8_t torus;          ///< bit d: dimension d is a ring
  const uint32_t* table;  ///< one place for each rank: x in the lowest byte, then y, z and t
  uint32_t cores;         ///< number of cores of the process
} bglml_personality_t;

/// Queries the kernel. The unit tests have their own personality.c.
void bglml_personality(bglml_personality_t* personality);

/// Core cycles, modulo 2^32.
uint32_t bglml_cycles(void);

/// The header of a packet of `chunks` chunks.
torus_header_t bglml_make_header(const bglml_connection_t* connection, const bglml_head_t* head, uint32_t chunks);

/// Called in push after its packet: lets the base send the following bytes, `left` bytes from byte `offset` of the view
/// on, as far as they fill packets. `head` is the head of the first of these packets; word 3 grows by
/// BGLML_ONE_PACKET_MAX from packet to packet. The lane must be the message's. Returns the number of bytes sent in this
/// way, which are already counted: push is called again after them.
uint32_t bglml_send_full(bglml_lane_t* lane, const bglml_head_t* head, const bglml_view_t* view, uint32_t offset,
                         uint32_t left, bglml_counted_t kind);

/// Appends a lane to the send queue of its connection's FIFO if it has messages, is not queued yet and does not wait.
void bglml_lane_enqueue(bglml_lane_t* lane);

/// The injection FIFO that packets travelling in `direction` use, and the reception group at the peer's place.
void bglml_pin(bglml_connection_t* connection, unsigned direction, bglml_coordinates_t to);

/// Prepares the data for packets to the peer; once, at the first message to or from it.
void bglml_prepare(bglml_connection_t* connection, uint32_t peer);

/// The connection to a peer, prepared. The rank has been checked.
static inline bglml_connection_t* bglml_connect(uint32_t peer) {
  bglml_connection_t* connection = &bglml_instance->connections[peer];
  if (!connection->prepared) bglml_prepare(connection, peer);
  return connection;
}

/// Requests a confirmation from the peer: returns its number, which must reach the peer's bglml_confirm(). The lane
/// must wait before its next message while connection->unconfirmed.
uint32_t bglml_ask_confirmation(bglml_connection_t* connection);

/// Called before an adaptive packet that must not overtake earlier packets: returns whether a fence had to be sent
/// instead of the packet; then the lane must wait.
bool bglml_fence(bglml_connection_t* connection);

/// Answers the peer, in a handler. Ends the process if an earlier number is missing.
void bglml_confirm(bglml_connection_t* connection, uint32_t source, uint32_t number);

void bglml_confirmation_init(void);
void bglml_rendezvous_start(bglml_receptions_t* receptions);

/// Ends the process if the layer is not initialised or this is the coprocessor: "`what` before bglml_init()".
void bglml_require(const char* what);
/// The same for calls that advance, which are not allowed in a callback.
void bglml_require_outside(const char* what);

/// The same for operations over the tree; a separate function, because the shortest operations are measurably slower
/// with one more call.
static inline void bglml_tree_require(const char* what) {
  const bglml_state_t* state = bglml_instance;
  if (!state->initialised || state->in_turn || bglml_on_coprocessor(&state->coprocessor)) bglml_require_outside(what);
}

static inline void bglml_expect_handler(uint8_t registered, uint8_t expected) {
  if (registered != expected) bglml_fatal("handler %u registered as number %u", expected, registered);
}

/// The number by which packets identify a handler.
static inline uint32_t bglml_binding_number(const bglml_binding_t* binding) {
  return (uint32_t)(binding - bglml_instance->handlers);
}

/// Passes a packet to its handler.
void bglml_dispatch(bglml_packet_t* packet, uint32_t handler);

void bglml_barrier_init(bglml_barrier_t* barrier, uint32_t size);
void bglml_collectives_init(void);

/// `all_take_part`: every process of the job is a rank.
void bglml_wired_barrier_init(bglml_wired_barrier_t* barrier, bool all_take_part);
void bglml_wired_barrier(bglml_wired_barrier_t* barrier);

/// The fields of word 2 of a packet's header (bglml_word2). Word 3 belongs to the protocol.
static inline uint32_t bglml_word2_handler(uint32_t word2) {
  return word2 >> 24;
}
static inline uint32_t bglml_word2_source(uint32_t word2) {
  return word2 & 0xFFFFFFu;
}

#ifdef __cplusplus
}
#endif

#endif
