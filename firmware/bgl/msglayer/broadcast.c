// SPDX-License-Identifier: Apache-2.0
// Broadcast: selection of the algorithm, and the trees of the algorithms by messages.
#include "firmware/bgl/msglayer/activity.h"
#include "firmware/bgl/msglayer/collectives.h"
#include "firmware/bgl/msglayer/state.h"

/// Ranks are counted from the root. A rank receives from the rank without its lowest bit, and sends to those with one
/// additional lower bit, the one with the largest subtree first.
static void broadcast_binomial(void* buffer, uint32_t bytes, uint32_t root) {
  const uint32_t size = bglml_size();
  const uint32_t self = (bglml_rank() + size - root) % size;
  bglml_relay_t* relay = &bglml_instance->relay;
  bglml_relay_prepare(relay, buffer, bytes, 1, self == 0);
  uint32_t bit = 1;
  while (bit < size && (self & bit) == 0) bit <<= 1;
  while ((bit >>= 1) != 0) {
    if (self + bit < size) bglml_relay_edge(relay, (self + bit + root) % size, 0);
  }
  bglml_barrier();
  bglml_relay_run(relay);
}

/// The rank of the node's other process.
static uint32_t other_rank(void) {
  bglml_coordinates_t other = bglml_instance->mapping.self;
  other.t = 1 - other.t;
  return bglml_rank_at(other);
}

static uint32_t neighbour(unsigned direction) {
  const bglml_mapping_t* mapping = &bglml_instance->mapping;
  const bglml_coordinates_t shape = mapping->shape;
  bglml_coordinates_t at = mapping->self;
  uint8_t* const along[] = {&at.x, &at.y, &at.z};
  const uint8_t sizes[] = {shape.x, shape.y, shape.z};
  uint8_t* coordinate = along[direction / 2];
  const uint8_t size = sizes[direction / 2];
  *coordinate = (uint8_t)((*coordinate + (direction % 2 ? size - 1 : 1)) % size);
  return bglml_rank_at(at);
}

/// This node's edges in the trees of the plan: along the lines that begin here and those that pass.
static void plan_edges(bglml_relay_t* relay, const torus_broadcast_plan_t* plan) {
  for (unsigned direction = 0; direction < TORUS_DIRECTIONS; ++direction) {
    const torus_broadcast_line_t line = plan->lines[direction];
    if (line.hops != 0) bglml_relay_edge(relay, neighbour(direction), line.piece);
  }
  for (unsigned piece = 0; piece < plan->pieces; ++piece) {
    const torus_broadcast_way_t way = plan->ways[piece];
    if (way.hops != 0) bglml_relay_edge(relay, neighbour(way.direction), piece);
  }
}

/// Over the links of the plan, among the processes with the root's number on their nodes. In virtual node mode each of
/// them sends the data to the other process of its node.
static void broadcast_neighbours(void* buffer, uint32_t bytes, uint32_t root) {
  bglml_relay_t* relay = &bglml_instance->relay;
  const bglml_mapping_t* mapping = &bglml_instance->mapping;
  const bglml_coordinates_t from = bglml_coordinates(root);
  torus_broadcast_plan_t plan;
  bglml_plan_here(from, &plan);
  const uint32_t pieces = plan.pieces != 0 ? plan.pieces : 1;
  bglml_relay_prepare(relay, buffer, bytes, pieces, root == bglml_rank());
  if (from.t == mapping->self.t) {
    plan_edges(relay, &plan);
    for (uint32_t piece = 0; mapping->shape.t > 1 && piece < pieces; ++piece) {
      bglml_relay_edge(relay, other_rank(), piece);
    }
  }
  bglml_barrier();
  bglml_relay_run(relay);
}

/// Along lines among the processes that have the root's number on their nodes; in virtual node mode from each of them
/// to the other process of its node, when all has come.
static void broadcast_deposit(void* buffer, uint32_t bytes, uint32_t root) {
  bglml_state_t* state = bglml_instance;
  bglml_relay_t* relay = &state->relay;
  const bglml_coordinates_t from = bglml_coordinates(root);
  const bool on_lines = from.t == state->mapping.self.t;
  bglml_deposit_prepare(&state->deposit, buffer, bytes, root);
  if (state->virtual_node) {
    bglml_relay_prepare(relay, buffer, bytes, 1, on_lines);
    if (on_lines) bglml_relay_edge(relay, other_rank(), 0);
  }
  bglml_barrier();
  bglml_say_waiting("a broadcast along lines, for rank %u's packets", root, 0, 0, 0);
  bglml_deposit_run(&state->deposit);
  bglml_say_done();
  if (state->virtual_node) bglml_relay_run(relay);
}

void bglml_broadcast(void* buffer, uint32_t bytes, uint32_t root, bglml_broadcast_t how) {
  static const bglml_pass_kind_t kinds[] = {
      [BGLML_BROADCAST_DEPOSIT] = BGLML_PASS_BROADCAST_DEPOSIT,
      [BGLML_BROADCAST_NEIGHBOURS] = BGLML_PASS_BROADCAST_NEIGHBOURS,
      [BGLML_BROADCAST_BINOMIAL] = BGLML_PASS_BROADCAST_BINOMIAL,
  };
  bglml_require_outside("bglml_broadcast() called");
  const uint32_t size = bglml_size();
  if (root >= size) bglml_fatal("broadcast from rank %u; the job has ranks 0..%u", root, size - 1);
  if (bytes > BGLML_EAGER_MAX) bglml_fatal("broadcast of %u bytes; at most %u can be sent", bytes, BGLML_EAGER_MAX);
  if ((unsigned)how > BGLML_BROADCAST_BINOMIAL) {
    bglml_fatal("broadcast of kind %d; there are kinds 0..%d", how, BGLML_BROADCAST_BINOMIAL);
  }
  if (size == 1 || bytes == 0) return;
  const bglml_coordinates_t shape = bglml_shape();
  bglml_pass_begin(kinds[how], root, bytes, NULL);
  if (size != (uint32_t)shape.x * shape.y * shape.z * shape.t) how = BGLML_BROADCAST_BINOMIAL;
  switch (how) {
    case BGLML_BROADCAST_DEPOSIT:
      broadcast_deposit(buffer, bytes, root);
      break;
    case BGLML_BROADCAST_NEIGHBOURS:
      broadcast_neighbours(buffer, bytes, root);
      break;
    case BGLML_BROADCAST_BINOMIAL:
      broadcast_binomial(buffer, bytes, root);
      break;
  }
}

void bglml_tree_broadcast_by_messages(void* buffer, uint32_t bytes, uint32_t root) {
  if (bglml_size() == 1 || bytes == 0) return;
  bglml_pass_begin(BGLML_PASS_TREE_BROADCAST, root, bytes, NULL);
  broadcast_binomial(buffer, bytes, root);
}

void bglml_collectives_init(void) {
  bglml_passing_init(&bglml_instance->passing);
  bglml_deposit_init(&bglml_instance->deposit);
  bglml_packet_exchange_init(&bglml_instance->packet_exchange);
}
