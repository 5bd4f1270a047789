// SPDX-License-Identifier: Apache-2.0
// Accesses to a process that computes: they disturb neither its computation nor the C library, and whatever else comes
// meanwhile (messages that nobody has asked for, rounds of collective operations) is there in the end.
#include <string.h>

#include "check.h"

enum { LONG = 3000, MESSAGES = 20 };

static int rank, size;

/// Memory, floating point and texts, with a result that is known.
static double compute(unsigned salt) {
  char text[64];
  double sum = 0;
  void* kept[8] = {NULL};
  for (int i = 0; i < 6000; ++i) {
    const unsigned place = (unsigned)i * 7u % 8u;
    free(kept[place]);
    kept[place] = malloc((unsigned)i * 37u % 2900u + 1u);
    memset(kept[place], i, 1);
    if (i % 50 == 0) snprintf(text, sizeof text, "%d %u", i, salt);
    sum += (double)strlen(text) + (i % 10) * 0.125;
  }
  for (int i = 0; i < 8; ++i) free(kept[i]);
  return sum;
}

static void add(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  (void)datatype;
  void* memory = malloc(100);  // the program's functions may do so: they are not called in an interrupt
  for (int i = 0; i < *length; ++i) ((int*)inout)[i] += ((int*)in)[i];
  free(memory);
}

int main(int argc, char** argv) {
  double *base, *values, *found;
  int *numbers, one = 1, sum = 0, drawn = 0, turns = 0, strange = 0;
  MPI_Win win, other;
  MPI_Op op;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  values = malloc(LONG * sizeof *values);
  found = malloc(LONG * sizeof *found);
  for (int i = 0; i < LONG; ++i) values[i] = i + 0.5;
  MPI_Win_allocate(LONG * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &numbers, &other);
  for (int i = 0; i < LONG; ++i) base[i] = 0;
  numbers[0] = numbers[1] = 0;
  const double right = compute(4711);
  MPI_Op_create(add, 1, &op);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request);

  if (rank == 0) {  // computes until all others have come
    volatile int* come = numbers;
    const int others = size - 1;
    for (; turns < 40 && (turns < 3 || *come < others); ++turns) strange += compute(4711) != right;
    CHECK(strange == 0, "%d of %d computations were disturbed", strange, turns);
  } else {
    int* text = calloc(500, sizeof *text);
    for (int i = 0; i < MESSAGES; ++i) {
      for (int j = 0; j < 500; ++j) text[j] = 1000 * rank + i + j;
      MPI_Send(text, i % 4 == 0 ? 40 : i, MPI_INT, 0, i, MPI_COMM_WORLD);
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
      const int length = i % 5 == 0 ? LONG : 1 + i;
      MPI_Accumulate(values, length, MPI_DOUBLE, 0, 0, length, MPI_DOUBLE, MPI_SUM, win);
      MPI_Win_unlock(0, win);
    }
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(found, LONG, MPI_DOUBLE, 0, 0, LONG, MPI_DOUBLE, win);
    MPI_Win_unlock(0, win);
    CHECK(found[LONG - 1] >= MESSAGES / 5 * (LONG - 0.5), "the last element is %g", found[LONG - 1]);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, other);
    MPI_Fetch_and_op(&one, &drawn, MPI_INT, 0, 0, MPI_SUM, other);
    MPI_Win_unlock(0, other);
    free(text);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(sum == size, "the sum is %d", sum);
  for (int from = 1; from < size && rank == 0; ++from) {
    for (int i = 0; i < MESSAGES; ++i) {
      int text[40];
      const int length = i % 4 == 0 ? 40 : i;
      MPI_Recv(text, 40, MPI_INT, from, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(text[length - 1] == 1000 * from + i + length - 1, "message %d of rank %d ends with %d", i, from,
            text[length - 1]);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    int wrong = 0;
    for (int i = 0; i < LONG; ++i) {
      int times = 0;
      for (int j = 0; j < MESSAGES; ++j) times += i < (j % 5 == 0 ? LONG : 1 + j);
      wrong += base[i] != (size - 1) * times * (i + 0.5);
    }
    CHECK(wrong == 0, "%d of %d sums are wrong", wrong, LONG);
  }
  MPI_Op_free(&op);
  MPI_Win_free(&other);
  MPI_Win_free(&win);
  free(values);
  free(found);
  return check_end();
}
