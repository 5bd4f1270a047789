// SPDX-License-Identifier: Apache-2.0
// Stress in random order: each rank sends messages to random peers (itself among them), with random protocol, size and
// alignment, several at a time, the next one posted from the senddone of the one before. Both ends work the message out
// from (seed, source, peer, number in sequence), so the receiver checks its protocol, its length, each of its bytes,
// its place in the sequence, and that no byte beside it was touched. Prints, on rank 0:
//   stress ranks=32 messages=6400 bytes=3271844 mismatches=0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/msglayer/msglayer.h"
#include "firmware/programs/program.h"

enum { SLOTS = 8, ALIGNMENTS = 16, GUARD = 32, GUARD_BYTE = 0xA5 };

typedef struct {
  bool eager;
  uint32_t length;
  uint32_t send_offset, receive_offset;  // 0..15: alignments of the two buffers
  uint32_t key;
} shape_t;

typedef struct {
  union {
    bglml_message_t base;
    bglml_one_packet_t one_packet;
    bglml_eager_t eager;
  } message;
  uint8_t* area;
} slot_t;

/// What a rank knows of a peer.
typedef struct {
  uint32_t sent, received;  // messages in sequence
  bglml_eager_receive_t receive;
  shape_t incoming;
  uint8_t* area;
} peer_t;

typedef struct {
  uint64_t bytes;
  uint32_t messages, mismatches;
} totals_t;

static uint32_t seed = 1, count = 200, max_size = 4000;
static uint32_t started, finished;  // messages of this rank: posted, sent
static peer_t* peers;
static slot_t slots[SLOTS];
static bglml_port_t one_packet_port, eager_port, end_port, totals_port;
static totals_t mine, all;
static uint32_t ended;     // peers that have sent all they had for this rank
static uint32_t reported;  // ranks whose totals have come to rank 0

static shape_t shape_of(uint32_t source, uint32_t peer, uint32_t number) {
  const uint32_t key = program_hash(program_hash(seed, source), program_hash(peer, number));
  const uint32_t size = program_hash(key, 1);
  shape_t shape = {.key = key, .send_offset = key % ALIGNMENTS, .receive_offset = key / ALIGNMENTS % ALIGNMENTS};
  switch (program_hash(key, 2) % 8) {
    case 0:
      shape.eager = true;
      break;  // empty
    case 1:
      break;
    case 2:
      shape.length = size % (BGLML_ONE_PACKET_MAX + 1);
      break;
    case 3:
      shape.length = size % 33;
      break;
    case 4:
      shape.eager = true, shape.length = size % 33;
      break;
    case 5:
      shape.eager = true, shape.length = size % 1000;
      break;
    case 6:  // aligned at both ends: the path without a copy
      shape.eager = true, shape.length = size % max_size, shape.send_offset = shape.receive_offset = 0;
      break;
    default:
      shape.eager = true, shape.length = size % max_size;
      break;
  }
  if (shape.length > max_size) shape.length = max_size;
  return shape;
}

static void mismatch(uint32_t source, const char* what, uint32_t is, uint32_t expected) {
  fprintf(stderr, "stress: rank %u: message %u from rank %u: %s is %u, expected %u\n", bglml_rank(),
          peers[source].received, source, what, is, expected);
  mine.mismatches += 1;
}

static void check_contents(uint32_t source, const uint8_t* buffer, const shape_t* shape) {
  const uint32_t wrong = program_check(buffer, shape->length, shape->key);
  if (wrong != shape->length) mismatch(source, "first wrong byte", wrong, shape->length);
  mine.messages += 1;
  mine.bytes += shape->length;
  peers[source].received += 1;
}

static void one_packet_recvnew(void* context, uint32_t source, uint32_t number, const void* buffer, uint32_t length) {
  (void)context;
  const shape_t shape = shape_of(source, bglml_rank(), peers[source].received);
  if (number != peers[source].received) mismatch(source, "number", number, peers[source].received);
  if (shape.eager) mismatch(source, "protocol", 0, 1);
  if (length != shape.length) {
    mismatch(source, "length", length, shape.length);
    return;
  }
  check_contents(source, buffer, &shape);
}

static bool guards_whole(const uint8_t* area, uint32_t offset, uint32_t length) {
  for (uint32_t i = 0; i < GUARD + offset; ++i) {
    if (area[i] != GUARD_BYTE) return false;
  }
  const uint8_t* behind = area + GUARD + offset + length;
  for (uint32_t i = 0; i < GUARD; ++i) {
    if (behind[i] != GUARD_BYTE) return false;
  }
  return true;
}

static void recvdone(void* context) {
  peer_t* peer = context;
  const uint32_t source = (uint32_t)(peer - peers);
  const shape_t* shape = &peer->incoming;
  if (!guards_whole(peer->area, shape->receive_offset, shape->length)) mismatch(source, "guard", 0, 1);
  check_contents(source, peer->area + GUARD + shape->receive_offset, shape);
}

static bglml_eager_receive_t* eager_recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                            uint32_t length) {
  (void)context;
  peer_t* peer = &peers[source];
  uint32_t number;
  memcpy(&number, metadata, sizeof number);
  peer->incoming = shape_of(source, bglml_rank(), peer->received);
  if (number != peer->received) mismatch(source, "number", number, peer->received);
  if (!peer->incoming.eager) mismatch(source, "protocol", 1, 0);
  if (length != peer->incoming.length) {
    mismatch(source, "length", length, peer->incoming.length);
    exit(PROGRAM_EXIT_MISMATCH);  // the buffer may be too small for it
  }
  const size_t area = 2 * GUARD + ALIGNMENTS + max_size;
  if (peer->area == NULL) peer->area = aligned_alloc(16, (area + 15) / 16 * 16);
  memset(peer->area, GUARD_BYTE, area);
  bglml_eager_receive_init(&peer->receive, peer->area + GUARD + peer->incoming.receive_offset, recvdone, peer);
  return &peer->receive;
}

static void start_next(slot_t* slot);

static void senddone(void* slot) {
  finished += 1;
  start_next(slot);
}

static void start_next(slot_t* slot) {
  if (started == count) return;
  const uint32_t peer = program_hash(program_hash(seed, bglml_rank()), started) % bglml_size();
  started += 1;
  const uint32_t number = peers[peer].sent++;
  const shape_t shape = shape_of(bglml_rank(), peer, number);
  uint8_t* buffer = slot->area + shape.send_offset;
  program_fill(buffer, shape.length, shape.key);
  if (shape.eager) {
    bglml_metadata_t metadata = {{0}};
    memcpy(&metadata, &number, sizeof number);
    bglml_eager_init(&slot->message.eager, eager_port, peer, &metadata, buffer, shape.length, senddone, slot);
    bglml_eager_post(&slot->message.eager);
  } else {
    bglml_one_packet_init(&slot->message.one_packet, one_packet_port, peer, number, buffer, shape.length, senddone,
                          slot);
    bglml_one_packet_post(&slot->message.one_packet);
  }
}

/// The last message of a peer: how many it has sent before.
static void end_recvnew(void* context, uint32_t source, uint32_t announced, const void* buffer, uint32_t length) {
  (void)context, (void)buffer, (void)length;
  if (announced != peers[source].received) mismatch(source, "last number", peers[source].received, announced);
  ended += 1;
}

static void totals_recvnew(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)source, (void)argument, (void)length;
  const totals_t* totals = buffer;
  all.messages += totals->messages;
  all.bytes += totals->bytes;
  all.mismatches += totals->mismatches;
  reported += 1;
}

static void set(void* flag) {
  *(volatile uint32_t*)flag = 1;
}

static void exchange_all(void) {
  for (unsigned i = 0; i < SLOTS; ++i) {
    slots[i].area = aligned_alloc(16, (max_size + 2 * ALIGNMENTS) / 16 * 16);
    start_next(&slots[i]);
  }
  while (finished < count) bglml_advance();
  for (uint32_t step = 0; step < bglml_size(); ++step) {  // each rank begins with another peer
    const uint32_t peer = (bglml_rank() + step) % bglml_size();
    bglml_one_packet_t message;
    volatile uint32_t sent = 0;
    bglml_one_packet_init(&message, end_port, peer, peers[peer].sent, NULL, 0, set, (void*)&sent);
    bglml_one_packet_post(&message);
    bglml_wait(&sent);
  }
  while (ended < bglml_size()) bglml_advance();
}

static void report(void) {
  bglml_one_packet_t message;
  volatile uint32_t sent = 0;
  bglml_one_packet_init(&message, totals_port, 0, 0, &mine, sizeof mine, set, (void*)&sent);
  bglml_one_packet_post(&message);
  bglml_wait(&sent);
  if (bglml_rank() != 0) return;
  while (reported < bglml_size()) bglml_advance();
  printf("stress ranks=%u messages=%u bytes=%llu mismatches=%u\n", bglml_size(), all.messages,
         (unsigned long long)all.bytes, all.mismatches);
}

int main(int argc, char** argv) {
  const program_option_t options[] = {
      {"--seed", "of the random numbers; default 1", &seed, NULL, 0, UINT32_MAX},
      {"--messages", "sent by each rank; default 200", &count, NULL, 0, BGLML_ARGUMENT_MAX},
      {"--max-size", "bytes; default 4000", &max_size, NULL, 1, 1u << 24},
  };
  bglml_init(NULL);
  program_options(argc, argv, options, sizeof options / sizeof *options, bglml_rank() == 0);
  peers = calloc(bglml_size(), sizeof *peers);
  one_packet_port = bglml_one_packet_register(one_packet_recvnew, NULL);
  eager_port = bglml_eager_register(eager_recvnew, NULL);
  end_port = bglml_one_packet_register(end_recvnew, NULL);
  totals_port = bglml_one_packet_register(totals_recvnew, NULL);
  bglml_barrier();
  exchange_all();
  report();
  bglml_barrier();
  return mine.mismatches ? PROGRAM_EXIT_MISMATCH : 0;
}
