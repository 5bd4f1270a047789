// SPDX-License-Identifier: Apache-2.0
// Reads and writes of one process behind its own writes: those of the same memory are right, and those of other memory
// wait for nothing, unless ARMCI_CONFLICTS is "target".
#include <stdbool.h>

#include "check.h"
#include "firmware/armci/transfer.h"

enum { ROUNDS = 6, WORDS = 2048, BYTES = WORDS * 8 };  // more than a request carries: gets go directly

static int rank, size, next;

static void** allocate(double value) {
  void** const memories = malloc((size_t)size * sizeof *memories);
  CHECK_IS(0, ARMCI_Malloc(memories, BYTES));
  for (int i = 0; i < WORDS; ++i) ((double*)memories[rank])[i] = value;
  ARMCI_Barrier();
  return memories;
}

static void release(void** memories) {
  ARMCI_Barrier();
  ARMCI_Free(memories[rank]);
  free(memories);
}

/// By how much element i is larger than the first one, so that none stands for its neighbour.
static double factor(int i) {
  return 1 + i % 7;
}

static void are(const double* values, double first, const char* what) {
  int wrong = 0;
  for (int i = 0; i < WORDS; ++i) wrong += values[i] != first * factor(i);
  CHECK(wrong == 0, "%s: %d are wrong; the first is %g, not %g", what, wrong, values[0], first);
}

/// As a product of matrices: gets of two factors, accumulates to the product.
static void product(bool by_target) {
  void **const left = allocate(2), **const right = allocate(3), **const sums = allocate(0);
  double *const of_left = malloc(BYTES), *const of_right = malloc(BYTES), *const parts = malloc(BYTES), one = 1;
  const int waits = armcii_statistics.waits;
  for (int round = 0; round < ROUNDS; ++round) {
    armci_hdl_t handles[2];
    for (int i = 0; i < 2; ++i) ARMCI_INIT_HANDLE(&handles[i]);
    CHECK_IS(0, ARMCI_NbGet(left[next], of_left, BYTES, next, &handles[0]));
    CHECK_IS(0, ARMCI_NbGet(right[next], of_right, BYTES, next, &handles[1]));
    for (int i = 0; i < 2; ++i) CHECK_IS(0, ARMCI_Wait(&handles[i]));
    for (int i = 0; i < WORDS; ++i) parts[i] = of_left[i] * of_right[i] * factor(i);
    CHECK_IS(0, ARMCI_Acc(ARMCI_ACC_DBL, &one, parts, sums[next], BYTES, next));
  }
  const int waited = armcii_statistics.waits - waits;
  if (by_target && size > 1) {
    // It depends on the time whether an accumulate is confirmed before the next get.
    CHECK(waited > 0, "gets wait for no accumulate");
  } else if (armcii_accumulates == ARMCII_BY_TARGET) {
    CHECK(waited == 0, "gets of the factors wait %d times for accumulates to the product", waited);
  }
  CHECK_IS(0, ARMCI_Get(sums[next], parts, BYTES, next));
  are(parts, 6 * ROUNDS, "the product, read behind accumulates");
  free(of_left), free(of_right), free(parts);
  release(left), release(right), release(sums);
}

/// Every kind of write is seen by the read behind it, and not undone by the write before it.
static void own_writes(void) {
  void** const memories = allocate(0);
  double *const data = malloc(BYTES), *const read = malloc(BYTES), one = 1;
  double* const there = memories[next];
  for (int round = 1; round <= ROUNDS; ++round) {
    for (int i = 0; i < WORDS; ++i) data[i] = round * factor(i);
    // Rows of a word are packed where ARMCI packs.
    int stride = 32, count[2] = {8, WORDS / 4};
    for (int i = 0; i < 4; ++i) CHECK_IS(0, ARMCI_PutS(data + i, &stride, there + i, &stride, count, 1, next));
    CHECK_IS(0, ARMCI_Get(there, read, BYTES, next));
    are(read, round, "read behind strided puts");
    CHECK_IS(0, ARMCI_NbAcc(ARMCI_ACC_DBL, &one, data, there, BYTES, next, NULL));
    CHECK_IS(0, ARMCI_Get(there, read, BYTES, next));
    are(read, 2 * round, "read behind an accumulate");
    CHECK_IS(0, ARMCI_NbAcc(ARMCI_ACC_DBL, &one, data, there, BYTES, next, NULL));
    CHECK_IS(0, ARMCI_Put(data, there, BYTES, next));
    CHECK_IS(0, ARMCI_Get(there, read, BYTES, next));
    are(read, round, "read behind a put behind an accumulate");
    CHECK_IS(0, ARMCI_WaitProc(next));
    ARMCI_Fence(next);
    CHECK_IS(0, ARMCI_Get(there, read, BYTES, next));
    are(read, round, "read behind a fence");
  }
  free(data), free(read);
  release(memories);
}

/// Memory that no allocation covers as a whole is kept in order as well.
static double unallocated[WORDS];

static void other_memory(void) {
  void** const memories = allocate(0);
  double *const data = malloc(BYTES), *const read = malloc(BYTES), one = 1, *there = NULL;
  *(double**)memories[rank] = unallocated;
  ARMCI_Barrier();
  CHECK_IS(0, ARMCI_Get(memories[next], &there, sizeof there, next));
  for (int i = 0; i < WORDS; ++i) data[i] = factor(i);
  for (int round = 1; round <= ROUNDS; ++round) {
    CHECK_IS(0, ARMCI_NbAcc(ARMCI_ACC_DBL, &one, data, there, BYTES, next, NULL));
    CHECK_IS(0, ARMCI_Get(there, read, BYTES, next));
    are(read, round, "read behind an accumulate to memory that was not allocated together");
  }
  CHECK_IS(0, ARMCI_WaitProc(next));
  free(data), free(read);
  release(memories);
}

int main(void) {
  ARMCI_Init();
  rank = armci_msg_me();
  size = armci_msg_nproc();
  next = (rank + 1) % size;
  const char* const mode = getenv("ARMCI_CONFLICTS");
  product(mode != NULL && strcmp(mode, "target") == 0);
  own_writes();
  other_memory();
  return check_end();
}
