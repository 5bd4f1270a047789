// SPDX-License-Identifier: Apache-2.0
// Passive targets: locks, flushes, atomic operations under contention, requests; in which order they show.
#include <string.h>

#include "check.h"

enum { TURNS = 12 };

static int rank, size;

/// Reads, computes and writes under an exclusive lock: nobody comes between.
static void mutual_exclusion(void) {
  int* base;
  MPI_Win win;
  MPI_Win_allocate(2 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  base[0] = base[1] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int turn = 0; turn < TURNS; ++turn) {
    const int target = turn % size;
    int values[2];
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
    MPI_Get(values, 2, MPI_INT, target, 0, 2, MPI_INT, win);
    MPI_Win_flush(target, win);
    CHECK(values[1] == 2 * values[0], "%d and %d under an exclusive lock", values[0], values[1]);
    values[0] += 1;
    MPI_Put(&values[0], 1, MPI_INT, target, 0, 1, MPI_INT, win);
    MPI_Win_flush(target, win);
    values[1] += 2;
    MPI_Put(&values[1], 1, MPI_INT, target, 1, 1, MPI_INT, win);
    MPI_Win_unlock(target, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const int mine = TURNS / size + (rank < TURNS % size);
  CHECK(base[0] == mine * size && base[1] == 2 * mine * size, "%d and %d in the end", base[0], base[1]);
  MPI_Win_free(&win);
}

/// Many have a shared lock at a time; an exclusive one waits for all of them.
static void shared_locks(void) {
  int *base, one = 1, inside;
  MPI_Win win;
  MPI_Win_allocate(2 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  base[0] = base[1] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_flush(0, win);
  do {  // comes to its end only if all are inside
    MPI_Fetch_and_op(NULL, &inside, MPI_INT, 0, 0, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
  } while (inside != size);
  MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_unlock(0, win);
  if (rank == size - 1) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(&inside, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    // Those who had not come out yet have done so since.
    CHECK(inside == size, "%d of %d had left when the exclusive lock was given", inside, size);
  }
  MPI_Win_free(&win);
}

static int compare(const void* first, const void* second) {
  return *(const int*)first - *(const int*)second;
}

/// Every number is drawn once.
static void fetch_and_add(void) {
  int *base, one = 1, *drawn = malloc(TURNS * sizeof *drawn), *all = malloc((size_t)(TURNS * size) * sizeof *all);
  MPI_Win win;
  MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  *base = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  for (int turn = 0; turn < TURNS; ++turn) {
    MPI_Fetch_and_op(&one, &drawn[turn], MPI_INT, size - 1, 0, MPI_SUM, win);
    MPI_Win_flush(size - 1, win);
    CHECK(turn == 0 || drawn[turn] > drawn[turn - 1], "%d drawn after %d", drawn[turn], drawn[turn - 1]);
  }
  MPI_Win_unlock_all(win);
  MPI_Gather(drawn, TURNS, MPI_INT, all, TURNS, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    qsort(all, (size_t)(TURNS * size), sizeof *all, compare);
    for (int i = 0; i < TURNS * size; ++i) CHECK(all[i] == i, "the %d-th number drawn is %d", i, all[i]);
  }
  MPI_Win_free(&win);
  free(drawn);
  free(all);
}

/// A lock of compare-and-swap, and what it protects.
static void compare_and_swap(void) {
  long long *base, none = -1, mine = rank, was, value;
  MPI_Win win;
  MPI_Win_allocate(2 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  base[0] = -1;
  base[1] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  for (int turn = 0; turn < 3; ++turn) {
    do {
      MPI_Compare_and_swap(&mine, &none, &was, MPI_LONG_LONG, 0, 0, win);
      MPI_Win_flush(0, win);
    } while (was != -1);
    MPI_Get(&value, 1, MPI_LONG_LONG, 0, 1, 1, MPI_LONG_LONG, win);
    MPI_Win_flush(0, win);
    value += 1;
    MPI_Put(&value, 1, MPI_LONG_LONG, 0, 1, 1, MPI_LONG_LONG, win);
    MPI_Win_flush(0, win);
    MPI_Compare_and_swap(&none, &mine, &was, MPI_LONG_LONG, 0, 0, win);
    MPI_Win_flush(0, win);
    CHECK(was == rank, "the lock was rank %lld's", was);
  }
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK(base[1] == 3 * size, "%lld times under the lock", base[1]);
  MPI_Win_free(&win);
}

/// Vectors of all ranks added to one place at a time: each element is whole, whatever their lengths.
static void contention(void) {
  static const int lengths[] = {1, 7, 40, 300, 3000};
  double *base, *values = malloc(3000 * sizeof *values);
  MPI_Win win;
  MPI_Win_allocate(3000 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  for (int i = 0; i < 3000; ++i) {
    base[i] = 0;
    values[i] = rank + i;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < 5; ++i) {
    MPI_Accumulate(values, lengths[i], MPI_DOUBLE, 0, 0, lengths[i], MPI_DOUBLE, MPI_SUM, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 3000 && rank == 0; ++i) {
    int times = 0;
    for (int j = 0; j < 5; ++j) times += i < lengths[j];
    const double right = times * (size * (size - 1) / 2.0 + (double)size * i);
    CHECK(base[i] == right, "element %d is %g, not %g", i, base[i], right);
    if (base[i] != right) break;
  }
  MPI_Win_free(&win);
  free(values);
}

/// Accumulations of one rank to one place happen in their order, long ones and short ones.
static void order(void) {
  enum { LONG = 2000 };
  int *base, *values = malloc(LONG * sizeof *values), seen, target = (rank + 1) % size;
  MPI_Win win;
  MPI_Win_allocate(LONG * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_lock_all(0, win);
  for (int turn = 0; turn < 6; ++turn) {
    for (int i = 0; i < LONG; ++i) values[i] = turn;
    const int length = turn % 2 == 0 ? LONG : 1;
    MPI_Accumulate(values, length, MPI_INT, target, 0, length, MPI_INT, MPI_REPLACE, win);
    MPI_Fetch_and_op(NULL, &seen, MPI_INT, target, 0, MPI_NO_OP, win);
    MPI_Win_flush(target, win);
    CHECK(seen == turn, "%d read behind the writing of %d", seen, turn);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  free(values);
}

static void requests(void) {
  enum { LONG = 4000 };
  int *base, *values = malloc(LONG * sizeof *values), *found = malloc(LONG * sizeof *found);
  const int target = (rank + 1) % size;
  MPI_Win win;
  MPI_Request all[4];
  MPI_Win_allocate((LONG + 8) * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  for (int i = 0; i < LONG + 8; ++i) base[i] = i;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
  for (int i = 0; i < LONG; ++i) values[i] = rank + 5 * i;
  MPI_Rput(values, LONG, MPI_INT, target, 0, LONG, MPI_INT, win, &all[0]);
  MPI_Wait(&all[0], MPI_STATUS_IGNORE);
  CHECK(all[0] == MPI_REQUEST_NULL, "a request that was waited for is null");
  for (int i = 0; i < LONG; ++i) values[i] = 0;  // the buffer is free
  MPI_Win_flush(target, win);
  MPI_Rget(found, LONG, MPI_INT, target, 0, LONG, MPI_INT, win, &all[0]);
  MPI_Waitall(1, all, MPI_STATUSES_IGNORE);
  int wrong = 0;
  for (int i = 0; i < LONG; ++i) wrong += found[i] != rank + 5 * i;
  CHECK(wrong == 0, "%d of %d numbers", wrong, LONG);
  int one = 1, old = -1, flag;
  MPI_Raccumulate(&one, 1, MPI_INT, target, LONG, 1, MPI_INT, MPI_SUM, win, &all[0]);
  MPI_Rget_accumulate(&one, 1, MPI_INT, &old, 1, MPI_INT, target, LONG, 1, MPI_INT, MPI_SUM, win, &all[1]);
  MPI_Rput(&one, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &all[2]);
  MPI_Rget(&wrong, 1, MPI_INT, target, LONG + 1, 1, MPI_INT, win, &all[3]);
  do {
    MPI_Testall(4, all, &flag, MPI_STATUSES_IGNORE);
  } while (!flag);
  CHECK(old == LONG + 1 && wrong == LONG + 1, "%d and %d", old, wrong);
  MPI_Win_unlock(target, win);
  MPI_Win_free(&win);
  free(values);
  free(found);
}

/// Several windows over the same processes, locks of several ranks at a time, and without a check.
static void several(void) {
  int *first, *second, value = 0;
  MPI_Win one, two;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &first, &one);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &second, &two);
  *first = 10 * rank;
  *second = -10 * rank;
  MPI_Barrier(MPI_COMM_WORLD);
  const int next = (rank + 1) % size;
  MPI_Win_lock(MPI_LOCK_SHARED, next, 0, one);
  MPI_Win_lock_all(0, two);
  MPI_Get(&value, 1, MPI_INT, next, 0, 1, MPI_INT, one);
  MPI_Win_flush_local(next, one);
  CHECK(value == 10 * next, "%d of the first window", value);
  MPI_Get(&value, 1, MPI_INT, next, 0, 1, MPI_INT, two);
  MPI_Win_flush_local_all(two);
  CHECK(value == -10 * next, "%d of the second window", value);
  if (next != rank) {
    MPI_Win_lock(MPI_LOCK_SHARED, rank, MPI_MODE_NOCHECK, one);
    MPI_Get(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, one);
    MPI_Win_unlock(rank, one);
    CHECK(value == 10 * rank, "%d of the own part", value);
  }
  MPI_Win_unlock(next, one);
  MPI_Win_sync(two);
  MPI_Win_unlock_all(two);
  MPI_Win_free(&two);
  MPI_Win_free(&one);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  mutual_exclusion();
  shared_locks();
  fetch_and_add();
  compare_and_swap();
  contention();
  order();
  requests();
  several();
  return check_end();
}
