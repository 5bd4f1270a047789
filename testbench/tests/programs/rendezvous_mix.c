// SPDX-License-Identifier: Apache-2.0
//
// Rendezvous messages between random peers, of random sizes, some into whole cache lines, which the coprocessor may
// receive, some into any place, which it may not; each byte is checked, and the guards around it. With --units, work
// units for the second core come in between. Prints, on rank 0:
//   rendezvous_mix ranks=8 messages=800 bytes=... coprocessor=391 mismatches=0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/programs/bgl/program.h"

enum { SLOTS = 4, LINE = 32, GUARD = 64, GUARD_BYTE = 0xA5 };

typedef struct {
  uint32_t length, capacity;
  uint32_t send_offset, receive_offset;
  uint32_t key;
} shape_t;

typedef struct incoming {
  struct incoming* next;
  bglml_rendezvous_receive_t receive;
  shape_t shape;
  uint32_t source;
  uint8_t* area;
} incoming_t;

typedef struct {
  bglml_rendezvous_t message;
  uint8_t* area;
} slot_t;

typedef struct {
  uint64_t bytes;
  uint32_t messages, mismatches, coprocessor;
} totals_t;

static uint32_t seed = 1, count = 100, max_size = 6000, units;
static uint32_t started, finished, ended, reported;
static uint32_t *sent_to, *received_from;
static slot_t slots[SLOTS];
static incoming_t *spare, *active;
static bglml_port_t port, end_port, totals_port;
static totals_t mine, all;
static volatile uint32_t unit_area[LINE / sizeof(uint32_t)] __attribute__((aligned(LINE)));
static uint32_t unit_count;

static shape_t shape_of(uint32_t source, uint32_t peer, uint32_t number) {
  const uint32_t key = program_hash(program_hash(seed, source), program_hash(peer, number));
  const uint32_t size = program_hash(key, 1), kind = program_hash(key, 2) % 8;
  shape_t shape = {.key = key, .length = size % (max_size + 1), .send_offset = key % 64};
  if (kind == 0) shape.length = size % 65;
  if (kind == 1 && max_size >= 256) shape.length = max_size - max_size % LINE;
  if (kind == 2 || kind == 3) shape.length = size % 9 * 240 + size / 9 % 16 + 1;  // full packets, then a short one
  if (shape.length > max_size) shape.length = max_size;
  if (kind < 5) {  // whole lines
    shape.capacity = (shape.length + LINE - 1) / LINE * LINE;
  } else {
    shape.receive_offset = key / 64 % 64;
    shape.capacity = shape.length;
  }
  return shape;
}

static void mismatch(uint32_t source, const char* what, uint32_t is, uint32_t expected) {
  fprintf(stderr, "rendezvous_mix: rank %u: from rank %u: %s is %u, expected %u\n", bglml_rank(), source, what, is,
          expected);
  mine.mismatches += 1;
}

static bool is_guard(const uint8_t* from, const uint8_t* to) {
  for (; from < to; ++from) {
    if (*from != GUARD_BYTE) return false;
  }
  return true;
}

/// What lies beside a buffer is the program's while a message comes in.
static void touch_neighbours(void) {
  for (incoming_t* incoming = active; incoming != NULL; incoming = incoming->next) {
    volatile uint8_t* buffer = incoming->area + GUARD + incoming->shape.receive_offset;
    buffer[-1] = GUARD_BYTE;
    buffer[incoming->shape.capacity] = GUARD_BYTE;
  }
}

static void recvdone(void* context) {
  incoming_t* incoming = context;
  incoming_t** link = &active;
  while (*link != incoming) link = &(*link)->next;
  *link = incoming->next;
  const shape_t* shape = &incoming->shape;
  uint8_t* buffer = incoming->area + GUARD + shape->receive_offset;
  const uint32_t wrong = program_check(buffer, shape->length, shape->key);
  if (wrong != shape->length) mismatch(incoming->source, "first wrong byte", wrong, shape->length);
  // Between length and capacity anything may stand.
  if (!is_guard(incoming->area, buffer) || !is_guard(buffer + shape->capacity, buffer + shape->capacity + GUARD)) {
    mismatch(incoming->source, "guard", 0, 1);
  }
  mine.messages += 1;
  mine.bytes += shape->length;
  incoming->next = spare;
  spare = incoming;
}

static bglml_rendezvous_receive_t* recvnew(void* context, const bglml_rendezvous_offer_t* offer) {
  (void)context;
  incoming_t* incoming = spare;
  if (incoming != NULL) {
    spare = incoming->next;
  } else {
    incoming = malloc(sizeof *incoming);
    incoming->area = aligned_alloc(LINE, (2 * GUARD + 64 + max_size + LINE) / LINE * LINE);
  }
  uint32_t number;
  memcpy(&number, &offer->metadata, sizeof number);
  if (number != received_from[offer->source]) mismatch(offer->source, "number", number, received_from[offer->source]);
  received_from[offer->source] += 1;
  const shape_t shape = incoming->shape = shape_of(offer->source, bglml_rank(), number);
  if (offer->length != shape.length) {
    mismatch(offer->source, "length", offer->length, shape.length);
    exit(PROGRAM_EXIT_MISMATCH);
  }
  incoming->source = offer->source;
  memset(incoming->area, GUARD_BYTE, 2 * GUARD + shape.receive_offset + shape.capacity);
  incoming->next = active;
  active = incoming;
  bglml_rendezvous_receive_init(&incoming->receive, incoming->area + GUARD + shape.receive_offset, shape.capacity,
                                recvdone, incoming);
  return &incoming->receive;
}

static void unit(void* argument) {
  *(uint32_t*)argument += 1;
}

/// Keeps the second core from its reception, so that packets pile up.
static void dawdle(void* argument) {
  for (volatile uint32_t left = (uint32_t)(uintptr_t)argument; left > 0; --left) {
  }
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
  const uint32_t number = sent_to[peer]++;
  const shape_t shape = shape_of(bglml_rank(), peer, number);
  uint8_t* buffer = slot->area + shape.send_offset;
  program_fill(buffer, shape.length, shape.key);
  bglml_metadata_t metadata = {{0}};
  memcpy(&metadata, &number, sizeof number);
  bglml_rendezvous_init(&slot->message, port, peer, &metadata, buffer, shape.length, senddone, slot);
  bglml_rendezvous_post(&slot->message);
}

static void end_recvnew(void* context, uint32_t source, uint32_t announced, const void* buffer, uint32_t length) {
  (void)context, (void)buffer, (void)length;
  if (announced != received_from[source]) mismatch(source, "last number", received_from[source], announced);
  ended += 1;
}

static void totals_recvnew(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)source, (void)argument, (void)length;
  const totals_t* totals = buffer;
  all.messages += totals->messages;
  all.bytes += totals->bytes;
  all.mismatches += totals->mismatches;
  all.coprocessor += totals->coprocessor;
  reported += 1;
}

static void set(void* flag) {
  *(volatile uint32_t*)flag = 1;
}

static void send_word(bglml_port_t to, uint32_t peer, uint32_t argument, const void* buffer, uint32_t length) {
  bglml_one_packet_t message;
  volatile uint32_t sent = 0;
  bglml_one_packet_init(&message, to, peer, argument, buffer, length, set, (void*)&sent);
  bglml_one_packet_post(&message);
  bglml_wait(&sent);
}

static void exchange_all(void) {
  for (unsigned i = 0; i < SLOTS; ++i) {
    slots[i].area = aligned_alloc(LINE, (max_size + 64 + LINE) / LINE * LINE);
    start_next(&slots[i]);
  }
  bglml_co_handle_t handle = 0;
  while (finished < count) {
    if (units != 0 && finished * units / count >= unit_count) {
      if (unit_count != 0) bglml_co_join(handle);
      handle = bglml_co_start(unit, (void*)unit_area);
      unit_count += 1;
    }
    touch_neighbours();
    bglml_advance();
  }
  if (unit_count != 0) {
    bglml_co_join(handle);
    if (unit_area[0] != unit_count) mismatch(bglml_rank(), "count of units", unit_area[0], unit_count);
  }
  for (uint32_t step = 0; step < bglml_size(); ++step) {
    const uint32_t peer = (bglml_rank() + step) % bglml_size();
    send_word(end_port, peer, sent_to[peer], NULL, 0);
  }
  while (ended < bglml_size()) bglml_advance();
  uint32_t expected = 0;
  for (uint32_t peer = 0; peer < bglml_size(); ++peer) expected += received_from[peer];
  while (mine.messages < expected) bglml_advance();
}

int main(int argc, char** argv) {
  uint32_t unused = 0, delay = 0;
  const program_option_t options[] = {
      {"--seed", "of the random numbers; default 1", &seed, NULL, 0, UINT32_MAX},
      {"--messages", "sent by each rank; default 100", &count, NULL, 0, BGLML_ARGUMENT_MAX},
      {"--max-size", "bytes; default 6000", &max_size, NULL, 1, 1u << 24},
      {"--units", "work units on each second core; default 0", &units, NULL, 0, 10000},
      {"--dawdle", "turns of a loop between the second core's receptions; default 0", &delay, NULL, 0, 1000000},
      {"--unused", "1: leave the second core unused; default 0", &unused, NULL, 0, 1},
  };
  program_options(argc, argv, options, sizeof options / sizeof *options, true);
  bglml_init(&(bglml_options_t){.second_core = unused ? BGLML_SECOND_CORE_UNUSED : BGLML_SECOND_CORE_COMMUNICATES});
  sent_to = calloc(bglml_size(), sizeof *sent_to);
  received_from = calloc(bglml_size(), sizeof *received_from);
  port = bglml_rendezvous_register(recvnew, NULL);
  end_port = bglml_one_packet_register(end_recvnew, NULL);
  totals_port = bglml_one_packet_register(totals_recvnew, NULL);
  bglml_barrier();
  if (delay != 0) bglml_co_add_permanent(dawdle, (void*)(uintptr_t)delay);
  exchange_all();
  mine.coprocessor = bglml_counters()->coprocessor_messages;
  send_word(totals_port, 0, 0, &mine, sizeof mine);
  if (bglml_rank() == 0) {
    while (reported < bglml_size()) bglml_advance();
    printf("rendezvous_mix ranks=%u messages=%u bytes=%llu coprocessor=%u mismatches=%u\n", bglml_size(), all.messages,
           (unsigned long long)all.bytes, all.coprocessor, all.mismatches);
  }
  bglml_barrier();
  return mine.mismatches ? PROGRAM_EXIT_MISMATCH : 0;
}
