// SPDX-License-Identifier: Apache-2.0
// All-to-all by messages, each directly from the sender's block to the receiver's.
#include "firmware/bgl/msglayer/activity.h"
#include "firmware/bgl/msglayer/collectives.h"
#include "firmware/bgl/msglayer/state.h"

static void mark(void* done) {
  *(uint32_t*)done = 1;
}

static void await(const uint32_t* done, const char* what, uint32_t rank) {
  bglml_say_waiting(what, rank, 0, 0, 0);
  bglml_wait(done);
}

/// The blocks in one rank's buffer, one for each rank: of `counts[r]` bytes at `offsets[r]`; without counts all have
/// `bytes` bytes and are contiguous.
typedef struct {
  const uint8_t* buffer;
  const uint32_t* counts;
  const uint32_t* offsets;
  uint32_t bytes;
} blocks_t;

static uint32_t block_bytes(const blocks_t* blocks, uint32_t rank) {
  return blocks->counts != NULL ? blocks->counts[rank] : blocks->bytes;
}

static size_t block_offset(const blocks_t* blocks, uint32_t rank) {
  return blocks->counts != NULL ? blocks->offsets[rank] : (size_t)rank * blocks->bytes;
}

/// The blocks to be received in the exchange in progress.
static blocks_t expected(void) {
  const bglml_exchange_t* exchange = &bglml_instance->exchange;
  return (blocks_t){exchange->receive, exchange->counts, exchange->offsets, exchange->bytes};
}

static bglml_pass_place_t arrival(uint32_t source, uint32_t tag, uint32_t length,
                                  const bglml_rendezvous_offer_t* offer) {
  bglml_exchange_t* exchange = &bglml_instance->exchange;
  const blocks_t blocks = expected();
  (void)tag, (void)offer;
  if (length != block_bytes(&blocks, source)) {
    bglml_fatal("all-to-all block of %u bytes from rank %u where %u are expected", length, source,
                block_bytes(&blocks, source));
  }
  bglml_exchange_peer_t* peer = &exchange->peers[source];
  return (bglml_pass_place_t){&peer->receive, exchange->receive + block_offset(&blocks, source), mark, &peer->received};
}

static void post(const blocks_t* send, uint32_t rank) {
  bglml_exchange_peer_t* peer = &bglml_instance->exchange.peers[rank];
  const uint32_t bytes = block_bytes(send, rank);
  bglml_pass(&peer->send, rank, 0, send->buffer + block_offset(send, rank), bytes, bytes > BGLML_PASS_EAGER_MAX, mark,
             &peer->sent);
}

/// No message is sent for empty blocks.
static void at_once(const blocks_t* send) {
  const uint32_t size = bglml_size(), self = bglml_rank();
  const blocks_t receive = expected();
  bglml_exchange_peer_t* peers = bglml_instance->exchange.peers;
  for (uint32_t step = 1; step < size; ++step) {
    const uint32_t rank = self + step < size ? self + step : self + step - size;
    peers[rank].sent = block_bytes(send, rank) == 0;
    if (!peers[rank].sent) post(send, rank);
  }
  for (uint32_t rank = 0; rank < size; ++rank) {
    if (rank == self) continue;
    if (block_bytes(&receive, rank) != 0) await(&peers[rank].received, "an all-to-all, for rank %u's block", rank);
    await(&peers[rank].sent, "an all-to-all, sending to rank %u", rank);
  }
}

/// In each step all ranks exchange in pairs if their number is a power of two; otherwise each sends to one rank and
/// receives from another.
static void in_pairs(const blocks_t* send) {
  const uint32_t size = bglml_size(), self = bglml_rank();
  const bool even = (size & (size - 1)) == 0;
  bglml_exchange_peer_t* peers = bglml_instance->exchange.peers;
  for (uint32_t step = 1; step < size; ++step) {
    const uint32_t to = even ? self ^ step : (self + step) % size;
    const uint32_t from = even ? to : (self + size - step) % size;
    post(send, to);
    await(&peers[to].sent, "an all-to-all in pairs, sending to rank %u", to);
    await(&peers[from].received, "an all-to-all in pairs, for rank %u's block", from);
  }
}

/// Exchanges the blocks with all other ranks.
static void by_messages(bglml_pass_kind_t kind, const blocks_t* send, const bglml_exchange_t* exchange) {
  bglml_state_t* state = bglml_instance;
  state->exchange = *exchange;
  for (uint32_t rank = 0; rank < bglml_size(); ++rank) exchange->peers[rank].sent = exchange->peers[rank].received = 0;
  bglml_pass_begin(kind, BGLML_NO_RANK, send->bytes, arrival);
  bglml_barrier();
  if (kind == BGLML_PASS_ALLTOALL_PAIRS) {
    in_pairs(send);
  } else {
    at_once(send);
  }
  bglml_say_done();
  state->passing.arrival = NULL;
}

void bglml_alltoall(const void* send, void* receive, uint32_t bytes, bglml_alltoall_t how, void* workspace) {
  bglml_require_outside("bglml_alltoall() called");
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
  const blocks_t blocks = {.buffer = send, .bytes = bytes};
  by_messages(how == BGLML_ALLTOALL_PAIRS ? BGLML_PASS_ALLTOALL_PAIRS : BGLML_PASS_ALLTOALL_AT_ONCE, &blocks,
              &(bglml_exchange_t){.receive = receive, .bytes = bytes, .peers = workspace});
}

void bglml_alltoallv(const void* send, const uint32_t* send_counts, const uint32_t* send_offsets, void* receive,
                     const uint32_t* receive_counts, const uint32_t* receive_offsets, void* workspace) {
  bglml_require_outside("bglml_alltoallv() called");
  const uint32_t self = bglml_rank();
  if (send_counts[self] != receive_counts[self]) {
    bglml_fatal("bglml_alltoallv() with %u bytes to the own rank and %u from it", send_counts[self],
                receive_counts[self]);
  }
  if (send_counts[self] != 0) {
    memcpy((uint8_t*)receive + receive_offsets[self], (const uint8_t*)send + send_offsets[self], send_counts[self]);
  }
  if (bglml_size() == 1) return;
  const blocks_t blocks = {.buffer = send, .counts = send_counts, .offsets = send_offsets};
  by_messages(BGLML_PASS_ALLTOALLV, &blocks,
              &(bglml_exchange_t){
                  .receive = receive, .counts = receive_counts, .offsets = receive_offsets, .peers = workspace});
}

size_t bglml_workspace(void) {
  return bglml_size() * sizeof(bglml_exchange_peer_t);
}
