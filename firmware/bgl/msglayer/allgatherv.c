// SPDX-License-Identifier: Apache-2.0
// Allgatherv around a ring of ranks: a rank forwards each block to the next rank as soon as it has received it, until
// the block reaches the rank before its owner.
#include "firmware/bgl/msglayer/activity.h"
#include "firmware/bgl/msglayer/collectives.h"
#include "firmware/bgl/msglayer/state.h"

static void count_sent(void* unused) {
  (void)unused;
  bglml_instance->exchange.sent += 1;
}

static void pass_on(uint32_t block) {
  bglml_exchange_t* exchange = &bglml_instance->exchange;
  const uint32_t next = (bglml_rank() + 1) % bglml_size();
  if (next == block) {
    exchange->sent += 1;
    return;
  }
  bglml_pass(&exchange->peers[block].send, next, block, exchange->receive + exchange->offsets[block],
             exchange->counts[block], exchange->counts[block] > BGLML_PASS_EAGER_MAX, count_sent, NULL);
}

/// `peer` is the block's in the workspace.
static void received(void* peer) {
  bglml_exchange_t* exchange = &bglml_instance->exchange;
  exchange->received += 1;
  pass_on((uint32_t)((bglml_exchange_peer_t*)peer - exchange->peers));
}

static bglml_pass_place_t arrival(uint32_t source, uint32_t block, uint32_t length,
                                  const bglml_rendezvous_offer_t* offer) {
  bglml_exchange_t* exchange = &bglml_instance->exchange;
  (void)offer;
  if (block >= bglml_size() || length != exchange->counts[block]) {
    bglml_fatal("block %u of an allgatherv from rank %u has %u bytes; all ranks must pass the same counts", block,
                source, length);
  }
  bglml_exchange_peer_t* peer = &exchange->peers[block];
  return (bglml_pass_place_t){&peer->receive, exchange->receive + exchange->offsets[block], received, peer};
}

void bglml_allgatherv(const void* send, void* receive, const uint32_t* counts, const uint32_t* offsets,
                      void* workspace) {
  bglml_require_outside("bglml_allgatherv() called");
  bglml_state_t* state = bglml_instance;
  const uint32_t size = bglml_size(), self = bglml_rank();
  if (counts[self] != 0) memmove((uint8_t*)receive + offsets[self], send, counts[self]);
  if (size == 1) return;
  bglml_exchange_t* exchange = &state->exchange;
  *exchange = (bglml_exchange_t){.receive = receive, .counts = counts, .offsets = offsets, .peers = workspace};
  uint32_t blocks = 0;  // that are not empty
  for (uint32_t rank = 0; rank < size; ++rank) blocks += counts[rank] != 0;
  bglml_pass_begin(BGLML_PASS_ALLGATHERV, BGLML_NO_RANK, 0, arrival);
  bglml_barrier();
  const uint32_t expected = blocks - (counts[self] != 0);
  if (counts[self] != 0) pass_on(self);
  bglml_say_waiting("an allgatherv, for blocks from rank %u", (self + size - 1) % size, 0, 0, 0);
  const volatile bglml_exchange_t* now = exchange;
  while (now->received != expected || now->sent != blocks) bglml_advance();
  bglml_say_done();
  state->passing.arrival = NULL;
}
