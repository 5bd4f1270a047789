// SPDX-License-Identifier: Apache-2.0
// Active targets: fences and their assertions, post, start, complete, wait; displacement units, empty parts, ranks of
// other communicators, MPI_PROC_NULL.
#include <string.h>

#include "check.h"

static int rank, size;

/// The others show whether they wait for this rank.
static void be_late(int which) {
  if (rank != which % size) return;
  const double start = MPI_Wtime();
  while (MPI_Wtime() < start + 100e-6) continue;
}

/// What was put before a fence is there behind it, and what is put behind it is not there before.
static void fences(void) {
  int *base, value;
  MPI_Win win;
  MPI_Win_allocate((MPI_Aint)((size_t)size * sizeof *base), sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  for (int turn = 0; turn < 4; ++turn) {
    be_late(turn);
    for (int i = 0; i < size; ++i) base[i] = -1;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    be_late(turn + 1);
    value = 100 * turn + rank;
    for (int to = 0; to < size; ++to) MPI_Put(&value, 1, MPI_INT, to, rank, 1, MPI_INT, win);
    MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSTORE | (turn == 3 ? MPI_MODE_NOSUCCEED : 0), win);
    for (int i = 0; i < size; ++i) CHECK(base[i] == 100 * turn + i, "turn %d: rank %d put %d", turn, i, base[i]);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_free(&win);
}

/// Each rank has its own displacement unit and size, some have nothing.
static void units(void) {
  static const int unit_of[] = {1, 4, 8, 3};
  const int unit = unit_of[rank % 4], bytes = rank % 3 == 2 ? 0 : 240;
  char *base = calloc(256, 1), *found = malloc(24);
  MPI_Win win;
  for (int i = 0; i < 240; ++i) base[i] = (char)(rank + i);
  MPI_Win_create(bytes != 0 ? base : NULL, bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  for (int to = 0; to < size; ++to) {
    if (to % 3 == 2) {
      MPI_Get(found, 0, MPI_CHAR, to, 0, 0, MPI_CHAR, win);
      continue;
    }
    MPI_Get(found, 24, MPI_CHAR, to, 24 / unit_of[to % 4], 24, MPI_CHAR, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 24; ++i) CHECK(found[i] == (char)(to + 24 + i), "byte %d of rank %d", i, to);
  }
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  free(base);
  free(found);
}

/// Each rank writes to those on its right and left, as often as they let it.
static void neighbours(void) {
  int *base, value;
  MPI_Win win;
  MPI_Group world, both;
  int ranks[2] = {(rank + 1) % size, (rank + size - 1) % size}, flag;
  MPI_Win_allocate(2 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_get_group(win, &world);
  MPI_Group_incl(world, size > 2 ? 2 : 1, ranks, &both);
  for (int turn = 0; turn < 5; ++turn) {
    base[0] = base[1] = -1;
    MPI_Win_post(both, 0, win);
    MPI_Win_start(both, 0, win);
    value = 1000 * turn + rank;
    MPI_Put(&value, 1, MPI_INT, ranks[0], 0, 1, MPI_INT, win);
    MPI_Put(&value, 1, MPI_INT, ranks[1], 1, 1, MPI_INT, win);
    MPI_Win_complete(win);
    if (turn % 2 == 0) {
      MPI_Win_wait(win);
    } else {
      do {
        MPI_Win_test(win, &flag);
      } while (!flag);
    }
    CHECK(base[0] == 1000 * turn + ranks[1] && base[1] == 1000 * turn + ranks[0], "turn %d: %d and %d", turn, base[0],
          base[1]);
  }
  MPI_Group_free(&both);
  MPI_Group_free(&world);
  MPI_Win_free(&win);
}

/// Long puts and gets between some ranks, while the others do nothing; an empty epoch.
static void pairs(void) {
  enum { LONG = 20000 };
  char *base, *values = malloc(LONG);
  MPI_Win win;
  MPI_Group world, one;
  const int peer = rank ^ 1;
  MPI_Win_allocate(LONG, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  memset(base, rank, LONG);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  if (peer < size) {
    MPI_Group_incl(world, 1, &peer, &one);
    for (int turn = 0; turn < 3; ++turn) {
      memset(values, 50 + rank + turn, LONG);
      if (rank % 2 == 0) {
        MPI_Win_start(one, 0, win);
        if (turn < 2) MPI_Put(values, LONG, MPI_CHAR, peer, 0, LONG, MPI_CHAR, win);
        MPI_Win_complete(win);
        MPI_Win_start(one, 0, win);
        MPI_Get(values, LONG, MPI_CHAR, peer, 0, LONG, MPI_CHAR, win);
        MPI_Win_complete(win);
        CHECK(values[0] == 52 + turn + rank && values[LONG - 1] == 52 + turn + rank, "turn %d: %d", turn, values[0]);
      } else {
        MPI_Win_post(one, 0, win);
        MPI_Win_wait(win);
        const char right = (char)(50 + peer + turn);
        if (turn < 2) CHECK(base[0] == right && base[LONG - 1] == right, "turn %d: %d", turn, base[0]);
        memset(base, 52 + turn + peer, LONG);
        MPI_Win_post(one, 0, win);
        MPI_Win_wait(win);
      }
    }
    MPI_Group_free(&one);
  }
  MPI_Group_free(&world);
  MPI_Win_free(&win);
  free(values);
}

/// A window of some processes in another order, beside one of all.
static void other_ranks(void) {
  MPI_Comm half;
  int *base, *all, own_rank, own_size, value;
  MPI_Win win, whole;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_rank(half, &own_rank);
  MPI_Comm_size(half, &own_size);
  MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, half, &base, &win);
  MPI_Win_allocate(sizeof *all, sizeof *all, MPI_INFO_NULL, MPI_COMM_WORLD, &all, &whole);
  MPI_Comm_free(&half);  // the window does not need it
  MPI_Win_fence(0, whole);
  MPI_Win_fence(0, win);
  value = 100 + rank;
  MPI_Put(&value, 1, MPI_INT, (own_rank + 1) % own_size, 0, 1, MPI_INT, win);
  MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, whole);
  MPI_Win_fence(0, win);
  MPI_Win_fence(0, whole);
  // The next one there is the one two ranks below.
  const int last = size - 1 - (size - 1 - rank % 2) % 2, from = rank == last ? rank % 2 : rank + 2;
  CHECK(*base == 100 + from, "%d in the window of a half, not %d", *base, 100 + from);
  CHECK(*all == 100 + (rank + size - 1) % size, "%d in the window of all", *all);
  MPI_Win_free(&win);
  MPI_Win_free(&whole);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  fences();
  units();
  neighbours();
  pairs();
  other_ranks();
  return check_end();
}
