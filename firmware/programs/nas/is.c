// SPDX-License-Identifier: Apache-2.0
// As NAS IS: integers are sorted by buckets. Tasks count the buckets together, then every one sends every other one the
// keys that are its own.
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/nas/nas.h"

enum { RANGE = 1 << 16, BUCKETS = 1 << 9, SHIFT = 7 };

static int total = 1 << 16;  ///< keys

int main(int argc, char** argv) {
  int iterations = 2;
  nas_begin(argc, argv, &iterations, &total);
  nas_require(nas.tasks <= BUCKETS && total % nas.tasks == 0, "a divisor of the number of keys, at most 512");
  const int count = total / nas.tasks;
  uint32_t* keys = nas_allocate((size_t)count, sizeof *keys);
  uint32_t* sorted = nas_allocate((size_t)count, sizeof *sorted);
  uint32_t* came = nas_allocate((size_t)total, sizeof *came);
  uint32_t* histogram = nas_allocate(RANGE, sizeof *histogram);
  int* send_counts = nas_allocate((size_t)nas.tasks, sizeof(int));
  int* receive_counts = nas_allocate((size_t)nas.tasks, sizeof(int));
  int* send_places = nas_allocate((size_t)nas.tasks + 1, sizeof(int));
  int* receive_places = nas_allocate((size_t)nas.tasks + 1, sizeof(int));
  static int mine[BUCKETS], all[BUCKETS], starts[BUCKETS], owner[BUCKETS];
  uint64_t state = nas_skip(42, 4 * (uint64_t)nas.rank * (uint64_t)count);
  for (int i = 0; i < count; ++i) {  // more keys in the middle than at the ends
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += nas_random(&state);
    keys[i] = (uint32_t)(sum * (RANGE / 4));
  }
  double check = 0;
  for (int turn = -1; turn < iterations; ++turn) {
    if (turn == 0) nas_start();
    memset(mine, 0, sizeof mine);
    for (int i = 0; i < count; ++i) ++mine[keys[i] >> SHIFT];
    MPI_Allreduce(mine, all, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    // Buckets go to tasks in turn, each about its share of the keys.
    memset(send_counts, 0, (size_t)nas.tasks * sizeof(int));
    int task = 0, first = 0;
    for (int bucket = 0, place = 0, before = 0; bucket < BUCKETS; ++bucket) {
      while (task + 1 < nas.tasks && (int64_t)before * nas.tasks >= (int64_t)(task + 1) * total) ++task;
      if (task < nas.rank) first = bucket + 1;
      owner[bucket] = task;
      starts[bucket] = place;
      send_counts[task] += mine[bucket];
      place += mine[bucket];
      before += all[bucket];
    }
    for (int i = 0; i < count; ++i) sorted[starts[keys[i] >> SHIFT]++] = keys[i];
    MPI_Alltoall(send_counts, 1, MPI_INT, receive_counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (int t = 0; t < nas.tasks; ++t) {
      send_places[t + 1] = send_places[t] + send_counts[t];
      receive_places[t + 1] = receive_places[t] + receive_counts[t];
    }
    MPI_Alltoallv(sorted, send_counts, send_places, MPI_UINT32_T, came, receive_counts, receive_places, MPI_UINT32_T,
                  MPI_COMM_WORLD);
    const int got = receive_places[nas.tasks];
    const uint32_t lowest = (uint32_t)first << SHIFT;
    uint32_t end = lowest;
    for (int bucket = 0; bucket < BUCKETS; ++bucket) {
      if (owner[bucket] == nas.rank) end = (uint32_t)(bucket + 1) << SHIFT;
    }
    memset(histogram + lowest, 0, (end - lowest) * sizeof *histogram);
    for (int i = 0; i < got; ++i) ++histogram[came[i]];
    // Ranks of the keys: how many are below.
    uint32_t below = 0;
    for (int bucket = 0; bucket < first; ++bucket) below += (uint32_t)all[bucket];
    double part = 0;
    for (uint32_t key = lowest; key < end; ++key) {
      if (key % 1009 == 0) part += below;
      below += histogram[key];
    }
    MPI_Allreduce(&part, &check, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  nas_stop();
  return nas_end("is", (double)iterations * total, check);
}
