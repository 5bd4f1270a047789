// SPDX-License-Identifier: Apache-2.0
//
// Virtual node mode: where each process is, and what the two of a node can do to each other: nothing but through the
// SRAM and the lockbox. The arguments: how many turns with the lock.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "share.h"

enum { TURN = 0, COUNT = 1, TICKET = 2, LOCK = 3, BARRIER = 8 };

static uint32_t mine;  // at the same virtual address in both processes

int main(int argc, char** argv) {
  const unsigned turns = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 100;
  struct toroid_personality here;
  if (bgl_get_personality(&here) != 0 || here.version != TOROID_PERSONALITY_VERSION) return 2;
  const uint32_t t = here.t;
  printf("rank %u of %u at (%u, %u, %u, %u), %u processes a node, %u cores each\n", here.rank, here.ranks,
         here.coordinates[0], here.coordinates[1], here.coordinates[2], t, here.processes_per_node,
         here.cores_per_process);

  // Each fills its own memory; neither sees the other's.
  const uint32_t stamp = 0xC0DE0000u + here.rank;
  mine = stamp;
  const size_t words = 1 << 16;
  uint32_t* heap = malloc(words * sizeof *heap);
  if (heap == NULL) return 3;
  for (size_t i = 0; i < words; ++i) heap[i] = stamp ^ (uint32_t)i;
  core_barrier(BARRIER);
  if (mine != stamp) return 4;
  for (size_t i = 0; i < words; ++i) {
    if (heap[i] != (stamp ^ (uint32_t)i)) return 5;
  }

  // They pass the turn to and fro.
  for (uint32_t i = 0; i < 20; ++i) {
    wait_for(TURN, 2 * i + t);
    *sram(TURN) = 2 * i + t + 1;
  }

  // A count that only the lock keeps whole.
  for (unsigned i = 0; i < turns; ++i) {
    acquire(LOCK);
    const uint32_t before = *sram(COUNT);
    *sram(COUNT) = before + 1;
    release(LOCK);
  }
  core_barrier(BARRIER);
  if (*sram(COUNT) != 2 * turns) return 6;

  // A fast core comes to the next barrier while the slow one still polls the last.
  for (unsigned i = 0; i < 50; ++i) {
    if (t == i % 2) {
      for (volatile unsigned delay = 0; delay < 40 * (i % 7); ++delay) {
      }
    }
    core_barrier(BARRIER);
    if (t == 0) *sram(TICKET) = i + 1;
    core_barrier(BARRIER);
    if (*sram(TICKET) != i + 1) return 7;
    core_barrier(BARRIER);
  }
  printf("rank %u is done at %llu\n", here.rank, (unsigned long long)bgl_timebase());
  return 0;
}
