// SPDX-License-Identifier: Apache-2.0
// The tree through its driver alone: broadcasts and reductions that are checked, and ways of going wrong. The first
// argument says which; the second, a number: packets, or the rank that goes wrong.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "drivers/bgl/tree.h"

enum { VC = 0, WORDS = TREE_PAYLOAD_BYTES / 4 };

static struct toroid_personality self;

static void inject(unsigned vc, uint32_t header, const void* payload) {
  while (bgl_tree_room(bgl_tree_status(vc)) == 0) {
  }
  bgl_tree_inject(vc, header, payload);
}

static uint32_t receive(unsigned vc, void* payload) {
  while (bgl_tree_arrived(bgl_tree_status(vc)) == 0) {
  }
  return bgl_tree_receive(vc, payload);
}

static void expect(int good, const char* what, uint32_t packet, uint32_t got) {
  if (good) return;
  printf("rank %u, packet %u: wrong %s, %08x\n", self.rank, packet, what, got);
  exit(1);
}

static void broadcast(uint32_t packets) {
  _Alignas(16) uint32_t data[WORDS];
  for (uint32_t packet = 0; packet < packets; ++packet) {
    const uint32_t root = packet % self.ranks;
    const uint32_t header = tree_collective_header(TOROID_TREE_CLASS_BROADCAST, TREE_NONE, 1, packet & TREE_TAG_MASK);
    if (self.rank == root) {
      for (uint32_t i = 0; i < WORDS; ++i) data[i] = packet << 16 | i;
      inject(VC, header, data);
      continue;
    }
    const uint32_t got = receive(VC, data);
    expect(got == header, "header", packet, got);
    for (uint32_t i = 0; i < WORDS; ++i) expect(data[i] == (packet << 16 | i), "word", packet, data[i]);
  }
}

static uint32_t contribution(uint32_t rank, uint32_t packet, uint32_t i) {
  return (rank + 1) * 2654435761u + packet * 40503u + i;
}

static void reduce(uint32_t packets) {
  _Alignas(16) uint32_t data[WORDS];
  static const unsigned opcodes[] = {TREE_OR, TREE_ADD, TREE_XOR, TREE_MAX, TREE_AND};
  for (uint32_t packet = 0; packet < packets; ++packet) {
    const unsigned opcode = opcodes[packet % 5];
    for (uint32_t i = 0; i < WORDS; ++i) data[i] = contribution(self.rank, packet, i);
    inject(VC, tree_collective_header(TOROID_TREE_CLASS_REDUCTION, opcode, 2, packet), data);
    receive(VC, data);
    for (uint32_t i = 0; i < WORDS; ++i) {
      uint32_t right = contribution(0, packet, i);
      for (uint32_t rank = 1; rank < self.ranks; ++rank) {
        const uint32_t next = contribution(rank, packet, i);
        right = opcode == TREE_OR    ? right | next
                : opcode == TREE_AND ? right & next
                : opcode == TREE_XOR ? right ^ next
                : opcode == TREE_MAX ? (right > next ? right : next)
                                     : right + next;
      }
      expect(data[i] == right, "result", packet, data[i]);
    }
  }
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "broadcast";
  const uint32_t number = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 20;
  bgl_get_personality(&self);
  _Alignas(16) static uint8_t data[TREE_PAYLOAD_BYTES];
  const uint32_t sum = tree_collective_header(TOROID_TREE_CLASS_REDUCTION, TREE_ADD, 2, 0);
  if (strcmp(what, "broadcast") == 0) {
    broadcast(number);
  } else if (strcmp(what, "reduce") == 0) {
    reduce(number);
  } else if (strcmp(what, "missing") == 0) {  // one rank waits for a result to which it does not contribute
    if (self.rank != number) inject(VC, sum, data);
    receive(VC, data);
  } else if (strcmp(what, "mismatch") == 0) {  // one rank takes the maximum where the others add
    inject(VC, self.rank == number ? tree_collective_header(TOROID_TREE_CLASS_REDUCTION, TREE_MAX, 2, 0) : sum, data);
    receive(VC, data);
  } else if (strcmp(what, "unread") == 0) {  // one rank reads nothing while rank 0 goes on
    const uint32_t header = tree_collective_header(TOROID_TREE_CLASS_BROADCAST, TREE_NONE, 1, 0);
    for (;;) {
      if (self.rank == 0) inject(VC, header, data);
      if (self.rank != 0 && self.rank != number) receive(VC, data);
      if (self.rank == number) {
        while (bgl_tree_arrived(bgl_tree_status(VC)) < 9) {
        }
      }
    }
  } else if (strcmp(what, "read_empty") == 0) {
    if (self.rank == number) bgl_tree_receive(VC, data);
  } else if (strcmp(what, "write_full") == 0) {
    for (unsigned i = 0; self.rank == number && i < 40; ++i) bgl_tree_inject(VC, sum, data);
  }
  if (self.rank == 0) printf("%s: good\n", what);
  return 0;
}
