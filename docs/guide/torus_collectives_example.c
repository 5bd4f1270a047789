// SPDX-License-Identifier: Apache-2.0
//
// Sorts numbers that lie scattered over all processes: broadcast, all-to-all, alltoallv and allgatherv in the order in
// which a program needs them. docs/guide/torus_collectives.md explains it; the parts it shows stand between the
// bracketed marks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/bgl/msglayer/collectives.h"

enum { NUMBERS = 500 };  // of each process at first

static uint32_t ranks, self;
static void* workspace;

static void* memory(size_t bytes) {
  void* place = malloc(bytes != 0 ? bytes : 1);
  if (place == NULL) {
    fprintf(stderr, "rank %u: no memory for %zu bytes\n", self, bytes);
    exit(1);
  }
  return place;
}

// Shell's sort.
static void sort(uint32_t* numbers, uint32_t count) {
  for (uint32_t gap = count / 2; gap != 0; gap /= 2) {
    for (uint32_t i = gap; i < count; ++i) {
      const uint32_t moved = numbers[i];
      uint32_t to = i;
      for (; to >= gap && numbers[to - gap] > moved; to -= gap) numbers[to] = numbers[to - gap];
      numbers[to] = moved;
    }
  }
}

// A number that depends on the rank and its place there.
static uint32_t draw(uint32_t rank, uint32_t at) {
  uint32_t mixed = (rank + 1) * 2654435761u ^ (at + 1) * 40503u;
  mixed ^= mixed >> 15;
  mixed *= 2246822519u;
  return mixed ^ mixed >> 13;
}

// Turns byte counts into the places of blocks that lie one behind the other. Returns their sum.
static uint32_t lay_out(const uint32_t* bytes, uint32_t* offsets) {
  uint32_t sum = 0;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    offsets[rank] = sum;
    sum += bytes[rank];
  }
  return sum;
}

// [share]
// Rank 0 cuts its own sorted numbers into as many equal parts as there are ranks; all get the cuts.
static void share_cuts(const uint32_t* sorted, uint32_t* cuts) {
  if (self == 0) {
    for (uint32_t rank = 1; rank < ranks; ++rank) cuts[rank - 1] = sorted[(size_t)NUMBERS * rank / ranks];
  }
  bglml_broadcast(cuts, (ranks - 1) * sizeof *cuts, 0, BGLML_BROADCAST_DEPOSIT);
}
// [end]

// [exchange]
// Every rank gets the numbers between its cuts from all others. Returns them, and how many they are.
static uint32_t* exchange(const uint32_t* sorted, const uint32_t* cuts, uint32_t* count) {
  uint32_t* to = memory(4 * ranks * sizeof *to);
  uint32_t *to_offsets = to + ranks, *from = to + 2 * ranks, *from_offsets = to + 3 * ranks;
  uint32_t at = 0;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    const uint32_t first = at;
    while (at < NUMBERS && (rank == ranks - 1 || sorted[at] < cuts[rank])) ++at;
    to[rank] = (at - first) * sizeof *sorted;
  }
  // A receiver must know how much comes from whom: one number to each first.
  bglml_alltoall(to, from, sizeof *to, BGLML_ALLTOALL_RANDOM, workspace);
  lay_out(to, to_offsets);
  const uint32_t bytes = lay_out(from, from_offsets);
  uint32_t* mine = memory(bytes);
  bglml_alltoallv(sorted, to, to_offsets, mine, from, from_offsets, workspace);
  free(to);
  *count = bytes / sizeof *mine;
  return mine;
}
// [end]

// [gather]
// Everybody gets all the numbers. How many each rank has must be known before: an allgatherv of one number each.
static uint32_t* gather(const uint32_t* mine, uint32_t count) {
  uint32_t* one = memory(3 * ranks * sizeof *one);
  uint32_t *offsets = one + ranks, *bytes = one + 2 * ranks;
  for (uint32_t rank = 0; rank < ranks; ++rank) one[rank] = sizeof count;
  const uint32_t own = count * sizeof *mine;
  lay_out(one, offsets);
  bglml_allgatherv(&own, bytes, one, offsets, workspace);
  uint32_t* all = memory(lay_out(bytes, offsets));
  bglml_allgatherv(mine, all, bytes, offsets, workspace);
  free(one);
  return all;
}
// [end]

// Whether `all` is ascending and holds what was drawn, as far as the sum of the numbers tells.
static int right(const uint32_t* all) {
  const size_t count = (size_t)NUMBERS * ranks;
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0 && all[i] < all[i - 1]) return 0;
    sum += all[i];
  }
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    for (uint32_t at = 0; at < NUMBERS; ++at) sum -= draw(rank, at);
  }
  return sum == 0;
}

// [main]
int main(void) {
  static uint32_t numbers[NUMBERS];
  bglml_init(NULL);
  ranks = bglml_size();
  self = bglml_rank();
  workspace = memory(bglml_workspace());  // what the exchanges keep while they are under way
  uint32_t* cuts = memory(ranks * sizeof *cuts);

  for (uint32_t at = 0; at < NUMBERS; ++at) numbers[at] = draw(self, at);
  sort(numbers, NUMBERS);
  share_cuts(numbers, cuts);
  uint32_t count;
  uint32_t* mine = exchange(numbers, cuts, &count);
  sort(mine, count);
  const uint32_t* all = gather(mine, count);

  const int good = right(all);
  printf("rank %u: %u of %u numbers, %s\n", self, count, NUMBERS * ranks, good ? "all in order" : "out of order");
  bglml_barrier();  // no rank leaves while others may still need its packets
  return good ? 0 : 1;
}
// [end]
