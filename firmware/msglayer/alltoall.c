// SPDX-License-Identifier: Apache-2.0
// All-to-all by messages, each straight from the sender's block to the receiver's.
#include "firmware/msglayer/collectives.h"
#include "firmware/msglayer/state.h"

static void mark_sent(void* sent) {
  *(uint32_t*)sent = 1;
  bglml_instance->exchange.sent += 1;
}

static void mark_received(void* received) {
  *(uint32_t*)received = 1;
  bglml_instance->exchange.received += 1;
}

static bglml_pass_place_t arrival(uint32_t source, uint32_t tag, uint32_t length,
                                  const bglml_rendezvous_offer_t* offer) {
  bglml_exchange_t* exchange = &bglml_instance->exchange;
  (void)tag, (void)offer;
  if (length != exchange->bytes) {
    bglml_fatal("all-to-all block of %u bytes from rank %u where %u are expected", length, source, exchange->bytes);
  }
  bglml_exchange_peer_t* peer = &exchange->peers[source];
  return (bglml_pass_place_t){&peer->receive, exchange->receive + (size_t)source * length, mark_received,
                              &peer->received};
}

static void post(const uint8_t* send, uint32_t rank) {
  bglml_exchange_t* exchange = &bglml_instance->exchange;
  bglml_exchange_peer_t* peer = &exchange->peers[rank];
  bglml_pass(&peer->send, rank, 0, send + (size_t)rank * exchange->bytes, exchange->bytes,
             exchange->bytes > BGLML_PASS_EAGER_MAX, mark_sent, &peer->sent);
}

static void at_once(const uint8_t* send) {
  const uint32_t size = bglml_size(), self = bglml_rank();
  for (uint32_t step = 1; step < size; ++step) post(send, (self + step) % size);
  const volatile bglml_exchange_t* exchange = &bglml_instance->exchange;
  while (exchange->sent != size - 1 || exchange->received != size - 1) bglml_advance();
}

/// In a step all ranks exchange in pairs where their number is a power of two, and otherwise send to one rank and
/// receive from another.
static void in_pairs(const uint8_t* send) {
  const uint32_t size = bglml_size(), self = bglml_rank();
  const bool even = (size & (size - 1)) == 0;
  bglml_exchange_peer_t* peers = bglml_instance->exchange.peers;
  for (uint32_t step = 1; step < size; ++step) {
    const uint32_t to = even ? self ^ step : (self + step) % size;
    const uint32_t from = even ? to : (self + size - step) % size;
    post(send, to);
    bglml_wait(&peers[to].sent);
    bglml_wait(&peers[from].received);
  }
}

void bglml_alltoall(const void* send, void* receive, uint32_t bytes, bglml_alltoall_t how, void* workspace) {
  bglml_require("bglml_alltoall() called");
  bglml_state_t* state = bglml_instance;
  const uint32_t size = bglml_size();
  if ((uint64_t)bytes * size > UINT32_MAX) {
    bglml_fatal("all-to-all of %u blocks of %u bytes; at most 4 GB can be exchanged", size, bytes);
  }
  if (bytes == 0) return;
  const size_t own = (size_t)bglml_rank() * bytes;
  memcpy((uint8_t*)receive + own, (const uint8_t*)send + own, bytes);
  if (size == 1) return;
  if (how == BGLML_ALLTOALL_RANDOM || how == BGLML_ALLTOALL_SCHEDULED) {
    bglml_packet_exchange(&state->packet_exchange, send, receive, bytes, how == BGLML_ALLTOALL_SCHEDULED, workspace);
    return;
  }
  if (how != BGLML_ALLTOALL_AT_ONCE && how != BGLML_ALLTOALL_PAIRS) {
    bglml_fatal("all-to-all of kind %d; there are kinds 0..%d", how, BGLML_ALLTOALL_SCHEDULED);
  }
  bglml_exchange_t* exchange = &state->exchange;
  *exchange = (bglml_exchange_t){.receive = receive, .bytes = bytes, .peers = workspace};
  for (uint32_t rank = 0; rank < size; ++rank) exchange->peers[rank].sent = exchange->peers[rank].received = 0;
  state->passing.arrival = arrival;
  bglml_barrier();
  if (how == BGLML_ALLTOALL_AT_ONCE) {
    at_once(send);
  } else {
    in_pairs(send);
  }
  state->passing.arrival = NULL;
}

size_t bglml_workspace(void) {
  return bglml_size() * sizeof(bglml_exchange_peer_t);
}
