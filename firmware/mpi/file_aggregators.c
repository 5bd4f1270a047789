// SPDX-License-Identifier: Apache-2.0
// Who accesses a file for the others in collective accesses: the same number of processes of each processing set, so
// that all I/O nodes have as much to do.
#include <stdlib.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/file.h"

/// How many processing sets the file's processes are of; they are numbered from 0 on.
static int renumber(mpii_file_t* file) {
  const int ranks = file->comm->size;
  int most = 0, sets = 0;
  for (int rank = 0; rank < ranks; ++rank) most = file->sets[rank] > most ? file->sets[rank] : most;
  int* numbers = mpii_allocate(((size_t)most + 1) * sizeof *numbers);  // one more than the set's; 0: not met yet
  for (int rank = 0; rank < ranks; ++rank) {
    int* number = &numbers[file->sets[rank]];
    if (*number == 0) *number = ++sets;
    file->sets[rank] = *number - 1;
  }
  free(numbers);
  return sets;
}

/// Without hints: as many of each set as keep its I/O node at work while others gather, or all of it.
static uint32_t by_default(const mpii_file_t* file, int sets) {
  enum { OF_A_SET = 8 };
  int* members = mpii_allocate((size_t)sets * sizeof *members);
  uint32_t count = 0;
  for (int rank = 0; rank < file->comm->size; ++rank) count += ++members[file->sets[rank]] <= OF_A_SET;
  free(members);
  return count;
}

/// Of each set its share, evenly spread over its members; where a set has too few members, others stand in.
static void choose(mpii_file_t* file, int sets) {
  const int ranks = file->comm->size, wanted = (int)file->hints.aggregators;
  int* members = mpii_allocate((size_t)sets * sizeof *members);
  int* met = mpii_allocate((size_t)sets * sizeof *met);
  bool* taken = mpii_allocate((size_t)ranks * sizeof *taken);
  int count = 0;
  for (int rank = 0; rank < ranks; ++rank) members[file->sets[rank]] += 1;
  for (int rank = 0; rank < ranks && count < wanted; ++rank) {
    const int set = file->sets[rank], share = wanted / sets + (set < wanted % sets);
    const int64_t before = (int64_t)met[set] * share / members[set],
                  after = (int64_t)(met[set] + 1) * share / members[set];
    met[set] += 1;
    if (before == after) continue;
    file->aggregators[count++] = rank;
    taken[rank] = true;
  }
  for (int rank = 0; rank < ranks && count < wanted; ++rank) {
    if (!taken[rank]) file->aggregators[count++] = rank;
  }
  free(taken);
  free(met);
  free(members);
}

void mpii_aggregators_choose(mpii_file_t* file, const struct mpii_info* info) {
  const int sets = renumber(file);
  if (file->aggregators == NULL) mpii_hints_init(&file->hints, by_default(file, sets));
  mpii_hints_take(&file->hints, info, file->comm->size);
  mpii_spread(file->comm, 0, &file->hints, sizeof file->hints);
  free(file->aggregators);
  file->aggregators = mpii_allocate(file->hints.aggregators * sizeof *file->aggregators);
  choose(file, sets);
}
