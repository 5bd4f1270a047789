// SPDX-License-Identifier: Apache-2.0
// Broadcast: which way it goes, the binomial tree, and the step to a node's other process.
#include "firmware/msglayer/collectives.h"
#include "firmware/msglayer/state.h"

static void count(void* counter) {
  *(uint32_t*)counter += 1;
}

static bglml_pass_place_t arrival(uint32_t source, uint32_t tag, uint32_t length) {
  bglml_binomial_t* binomial = &bglml_instance->binomial;
  (void)tag;
  if (length != binomial->bytes || binomial->received != 0) {
    bglml_fatal("broadcast of %u bytes by rank %u, where one of %u is expected", length, source, binomial->bytes);
  }
  return (bglml_pass_place_t){&binomial->receive, binomial->buffer, count, &binomial->received};
}

static void prepare(void* buffer, uint32_t bytes) {
  bglml_binomial_t* binomial = &bglml_instance->binomial;
  binomial->buffer = buffer;
  binomial->bytes = bytes;
  binomial->received = binomial->sent = 0;
  bglml_instance->passing.arrival = arrival;
}

static void await_message(void) {
  bglml_wait(&bglml_instance->binomial.received);
}

static void send_to(uint32_t number, uint32_t rank) {
  bglml_binomial_t* binomial = &bglml_instance->binomial;
  bglml_pass(&binomial->sends[number], rank, 0, binomial->buffer, binomial->bytes, count, &binomial->sent);
}

static void finish(uint32_t sends) {
  const volatile uint32_t* sent = &bglml_instance->binomial.sent;
  while (*sent < sends) bglml_advance();
  bglml_instance->passing.arrival = NULL;
}

/// Ranks count from the root. A rank hears from the one without its lowest bit, and tells those with one lower bit
/// more; the one with most ranks behind it first.
static void broadcast_binomial(void* buffer, uint32_t bytes, uint32_t root) {
  const uint32_t size = bglml_size();
  const uint32_t self = (bglml_rank() + size - root) % size;
  prepare(buffer, bytes);
  bglml_barrier();
  uint32_t bit = 1, sends = 0;
  while (bit < size && (self & bit) == 0) bit <<= 1;
  if (self != 0) await_message();
  while ((bit >>= 1) != 0) {
    if (self + bit < size) send_to(sends++, (self + bit + root) % size);
  }
  finish(sends);
}

/// The rank of the node's other process.
static uint32_t other_rank(void) {
  bglml_coordinates_t other = bglml_instance->mapping.self;
  other.t = 1 - other.t;
  return bglml_rank_at(other);
}

/// Along lines among the processes that have the root's number on their nodes; in virtual node mode from each of them
/// to the other process of its node.
static void broadcast_deposit(void* buffer, uint32_t bytes, uint32_t root) {
  bglml_state_t* state = bglml_instance;
  const bglml_coordinates_t from = bglml_coordinates(root);
  bglml_deposit_prepare(&state->deposit, buffer, bytes, from);
  prepare(buffer, bytes);
  bglml_barrier();
  if (from.t == state->mapping.self.t) {
    bglml_deposit_run(&state->deposit);
    if (state->virtual_node) send_to(0, other_rank());
    finish(state->virtual_node);
  } else {
    await_message();
    finish(0);
  }
}

void bglml_broadcast(void* buffer, uint32_t bytes, uint32_t root, bglml_broadcast_t how) {
  const uint32_t size = bglml_size();
  if (root >= size) bglml_fatal("broadcast from rank %u; the job has ranks 0..%u", root, size - 1);
  if (bytes > BGLML_EAGER_MAX) bglml_fatal("broadcast of %u bytes; at most %u can be sent", bytes, BGLML_EAGER_MAX);
  if (size == 1 || bytes == 0) return;
  const bglml_coordinates_t shape = bglml_shape();
  const bool everywhere = size == (uint32_t)shape.x * shape.y * shape.z * shape.t;
  if (how == BGLML_BROADCAST_DEPOSIT && everywhere) {
    broadcast_deposit(buffer, bytes, root);
  } else {
    broadcast_binomial(buffer, bytes, root);
  }
}

void bglml_collectives_init(void) {
  bglml_passing_init(&bglml_instance->passing);
  bglml_deposit_init(&bglml_instance->deposit);
}
