// SPDX-License-Identifier: Apache-2.0
// Interrupts by what other nodes do, on a core that computes and looks at no device:
//   tree ROUNDS     each rank in turn broadcasts some packets, of which the last alone asks for an interrupt
//   reduce ROUNDS   all contribute packets of which the last alone asks; so does its result
//   global ROUNDS   a sticky global interrupt for AND, which one rank in turn fires long after all others
// Ends with status 1 where an interrupt comes too early, without its cause, twice, or not at all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/global_interrupt.h"
#include "drivers/bgl/interrupt.h"
#include "drivers/bgl/tree.h"

enum { VC = 0, CHANNEL = 1, PACKETS = 4, STACK = 4096, WORDS = TREE_PAYLOAD_BYTES / 4 };
/// Cycles: until every node has had its interrupt and the wires are idle again; by which the last is later than
/// that; and after which nothing comes any more.
enum { PAUSE = 10000, LATE = 40000, TOO_LONG = 1000000 };

static struct toroid_personality self;
static volatile uint32_t interrupts, strange, packets;
static volatile uint64_t last;

static void fail(const char* what, uint32_t round) {
  printf("rank %u, round %u: %s (%u interrupts, %u packets, %u strange)\n", self.rank, round, what, interrupts, packets,
         strange);
  exit(1);
}

/// What word `i` of packet `number` is when `rank` sends it.
static uint32_t word(uint32_t rank, uint32_t number, uint32_t i) {
  return (rank + 1) * 2654435761u + number * 40503u + i;
}

static uint32_t expected(uint32_t number, uint32_t i, int reduced) {
  if (!reduced) return word(number / PACKETS % self.ranks, number, i);
  uint32_t sum = 0;
  for (uint32_t rank = 0; rank < self.ranks; ++rank) sum += word(rank, number, i);
  return sum;
}

static int reduced;

/// The packet that asks is the last one there is, and none of those before it has asked.
static void tree_handler(uint32_t groups) {
  _Alignas(16) static uint32_t data[WORDS];
  if (groups != TOROID_INTERRUPT_TREE) strange += 1;
  const uint32_t before = packets;
  int asked = 0;
  while (bgl_tree_arrived(bgl_tree_status(VC)) != 0) {
    const uint32_t header = bgl_tree_receive(VC, data);
    if (asked) strange += 1;
    asked = (header & TREE_HEADER_INJECTION_IRQ_MASK) != 0;
    for (uint32_t i = 0; i < WORDS; ++i) strange += data[i] != expected(packets, i, reduced);
    packets += 1;
  }
  if (!asked || packets - before != PACKETS) strange += 1;
  interrupts += 1;
  last = bgl_timebase();
}

static void global_handler(uint32_t groups) {
  if (groups != TOROID_INTERRUPT_GLOBAL || !bgl_gi_interrupted(bgl_gi_status(), CHANNEL)) strange += 1;
  bgl_gi_clear(CHANNEL);
  interrupts += 1;
  last = bgl_timebase();
}

static void compute(void) {
  static volatile uint32_t seed = 2166136261u;
  uint32_t hash = seed;
  for (uint32_t i = 0; i < 500; ++i) hash = (hash ^ i) * 16777619u;
  seed = hash | 1u;
}

static void compute_for(uint64_t cycles) {
  const uint64_t start = bgl_timebase();
  while (bgl_timebase() - start < cycles) compute();
}

static void compute_until(uint32_t count, uint32_t round) {
  const uint64_t start = bgl_timebase();
  while (interrupts < count) {
    compute();
    if (bgl_timebase() - start > TOO_LONG) fail("no interrupt", round);
  }
}

static void send(uint32_t round, uint32_t header) {
  _Alignas(16) static uint32_t data[WORDS];
  for (uint32_t packet = 0; packet < PACKETS; ++packet) {
    const uint32_t number = round * PACKETS + packet;
    for (uint32_t i = 0; i < WORDS; ++i) data[i] = word(self.rank, number, i);
    // Those before have come everywhere, and have interrupted nobody.
    if (packet == PACKETS - 1) compute_for(LATE);
    bgl_tree_inject(VC, packet == PACKETS - 1 ? tree_with_interrupt(header) : header, data);
  }
}

/// The sender itself gets no packet of a broadcast.
static void tree_rounds(uint32_t rounds) {
  const uint32_t header = tree_collective_header(TOROID_TREE_CLASS_BROADCAST, TREE_NONE, 1, 0);
  uint32_t own = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
    compute_for(PAUSE);
    if (round % self.ranks == self.rank) {
      send(round, header);
      packets += PACKETS;
      own += 1;
      compute_for(PAUSE);
    } else {
      compute_until(round + 1 - own, round);
    }
    if (interrupts != round + 1 - own) fail("interrupts without a cause", round);
  }
}

static void reduce_rounds(uint32_t rounds) {
  reduced = 1;
  for (uint32_t round = 0; round < rounds; ++round) {
    compute_for(PAUSE);
    send(round, tree_collective_header(TOROID_TREE_CLASS_REDUCTION, TREE_ADD, 2, 0));
    compute_until(round + 1, round);
  }
}

static void global_rounds(uint32_t rounds) {
  for (uint32_t round = 0; round < rounds; ++round) {
    const uint64_t before = bgl_timebase();
    compute_for(round % self.ranks == self.rank ? LATE : PAUSE);
    if (interrupts != round) fail("an interrupt before all had fired", round);
    bgl_gi_fire(CHANNEL);
    compute_until(round + 1, round);
    if (last - before < LATE - PAUSE) fail("an interrupt before the last had fired", round);
  }
}

int main(int argc, char** argv) {
  static _Alignas(16) uint8_t stack[STACK];
  if (argc < 2 || bgl_get_personality(&self) != 0) return 2;
  const char* what = argv[1];
  const uint32_t rounds = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 8;
  const int global = strcmp(what, "global") == 0;
  if (global) {
    bgl_gi_set_type(CHANNEL, BGL_GI_AND);
    compute_for(PAUSE);
  }
  if (bgl_interrupt_start(global ? global_handler : tree_handler,
                          global ? TOROID_INTERRUPT_GLOBAL : TOROID_INTERRUPT_TREE, stack, STACK) != 0) {
    fail("no interrupts", 0);
  }
  if (global) {
    global_rounds(rounds);
  } else if (strcmp(what, "tree") == 0) {
    tree_rounds(rounds);
  } else if (strcmp(what, "reduce") == 0) {
    reduce_rounds(rounds);
  } else {
    return 2;
  }
  compute_for(PAUSE);
  if (bgl_interrupt_stop() != 0 || strange != 0) fail("something strange", rounds);
  printf("rank %u: %u interrupts\n", self.rank, interrupts);
  return 0;
}
