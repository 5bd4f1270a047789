// SPDX-License-Identifier: Apache-2.0
// All processes at once: accumulates and read-modify-writes of the same words lose nothing, and mutexes keep critical
// sections apart.
#include "check.h"

enum { ROUNDS = 15, ELEMENTS = 700, MUTEXES = 3 };

static int rank, size;
static void** memories;

static void* allocate(size_t bytes) {
  CHECK_IS(0, ARMCI_Malloc(memories, (armci_size_t)bytes));
  memset(memories[rank], 0, bytes);
  ARMCI_Barrier();
  return memories[rank];
}

static void accumulates(void) {
  double* const sums = allocate(ELEMENTS * sizeof *sums);
  double* const ones = malloc(ELEMENTS * sizeof *ones);
  for (int i = 0; i < ELEMENTS; ++i) ones[i] = 1 + i % 5;
  double scale = 2;
  for (int round = 0; round < ROUNDS; ++round) {
    for (int to = 0; to < size; ++to) {
      // Contiguous, in rows of various lengths, and by a list; each way adds to each element once.
      CHECK_IS(0, ARMCI_Acc(ARMCI_ACC_DBL, &scale, ones, memories[to], ELEMENTS * 8, to));
      int stride = 7 * 8, count[2] = {7 * 8, ELEMENTS / 7};
      CHECK_IS(0, ARMCI_AccS(ARMCI_ACC_DBL, &scale, ones, &stride, memories[to], &stride, count, 1, to));
      void *from[10], *at[10];
      for (int i = 0; i < 10; ++i) {
        from[i] = ones + i * ELEMENTS / 10;
        at[i] = (double*)memories[to] + i * ELEMENTS / 10;
      }
      armci_giov_t list = {from, at, 10, ELEMENTS / 10 * 8};
      CHECK_IS(0, ARMCI_AccV(ARMCI_ACC_DBL, &scale, &list, 1, to));
    }
  }
  ARMCI_Barrier();
  for (int i = 0; i < ELEMENTS; ++i) {
    const double wanted = 3.0 * ROUNDS * size * 2 * (1 + i % 5);
    CHECK(sums[i] == wanted, "element %d is %g, not %g", i, sums[i], wanted);
  }
  ARMCI_Barrier();
  free(ones);
  ARMCI_Free(sums);
}

/// Rows of a patch that share bytes at the target, all or a part of them: each adds to what those before have left.
static void overlapping_rows(void) {
  enum { ROWS = 9, LENGTH = 7, APART = 4 };
  double* const sums = allocate((ROWS * APART + LENGTH) * sizeof *sums);
  double ones[ROWS * LENGTH], wanted[ROWS * APART + LENGTH] = {0}, scale = 2;
  for (int i = 0; i < ROWS * LENGTH; ++i) ones[i] = 1 + i % 5;
  for (int apart = 0; apart <= APART; apart += APART) {
    int from = LENGTH * 8, at = apart * 8, count[2] = {LENGTH * 8, ROWS};
    for (int to = 0; to < size; ++to)
      CHECK_IS(0, ARMCI_AccS(ARMCI_ACC_DBL, &scale, ones, &from, memories[to], &at, count, 1, to));
    for (int i = 0; i < ROWS * LENGTH; ++i) wanted[i / LENGTH * apart + i % LENGTH] += size * scale * ones[i];
  }
  ARMCI_Barrier();
  for (int i = 0; i < ROWS * APART + LENGTH; ++i)
    CHECK(sums[i] == wanted[i], "element %d of rows that overlap is %g, not %g", i, sums[i], wanted[i]);
  ARMCI_Barrier();
  ARMCI_Free(sums);
}

/// Tickets: each number is drawn once. Tokens: a word is passed on by swaps, and is never in two hands.
static void updates(void) {
  int* const words = allocate(4 * sizeof *words);
  const int draws = ROUNDS * 5;
  int* const drawn = calloc((size_t)(draws * size), sizeof *drawn);
  for (int i = 0; i < draws; ++i) {
    int ticket;
    CHECK_IS(0, ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &ticket, (int*)memories[0] + 1, 1, 0));
    CHECK(ticket >= 0 && ticket < draws * size, "ticket %d", ticket);
    if (ticket >= 0 && ticket < draws * size) ++drawn[ticket];
  }
  armci_msg_igop(drawn, draws * size, (char*)"+");
  for (int i = 0; i < draws * size; ++i) CHECK(drawn[i] == 1, "ticket %d was drawn %d times", i, drawn[i]);
  const int last = size - 1;
  if (rank == 0) CHECK_IS(0, ARMCI_PutValueInt(1, (int*)memories[last] + 2, last));
  ARMCI_Barrier();
  int held = 0;
  for (int i = 0; i < draws; ++i) {
    int hand = 0;
    CHECK_IS(0, ARMCI_Rmw(ARMCI_SWAP, &hand, (int*)memories[last] + 2, 0, last));
    CHECK(hand == 0 || hand == 1, "the token is %d", hand);
    held += hand;
    if (hand == 0) continue;
    hand = 1;
    CHECK_IS(0, ARMCI_Rmw(ARMCI_SWAP, &hand, (int*)memories[last] + 2, 0, last));
    CHECK(hand == 0, "a second token %d is there", hand);
  }
  armci_msg_igop(&held, 1, (char*)"+");
  CHECK(held > 0, "nobody ever held the token");
  free(drawn);
  ARMCI_Barrier();
  ARMCI_Free(words);
}

/// Gets and puts of a word, which only a mutex makes one step.
static void mutexes(void) {
  long* const counts = allocate(MUTEXES * sizeof *counts);
  CHECK_IS(0, ARMCI_Create_mutexes(rank == 1 % size ? MUTEXES : 1));
  CHECK_IS(FAIL8, ARMCI_Create_mutexes(1));
  const int owner = 1 % size;
  for (int round = 0; round < ROUNDS; ++round) {
    const int mutex = (round + rank) % MUTEXES;
    long* const word = (long*)memories[owner] + mutex;
    ARMCI_Lock(mutex, owner);
    const long count = ARMCI_GetValueLong(word, owner);
    CHECK_IS(0, ARMCI_PutValueLong(count + 1, word, owner));
    // The unlock is at the same process: it comes behind the put.
    ARMCI_Unlock(mutex, owner);
  }
  ARMCI_Barrier();
  if (rank == owner) {
    long all = 0;
    for (int i = 0; i < MUTEXES; ++i) all += counts[i];
    CHECK(all == (long)ROUNDS * size, "%ld times, not %d", all, ROUNDS * size);
  }
  CHECK_IS(0, ARMCI_Destroy_mutexes());
  CHECK_IS(FAIL8, ARMCI_Destroy_mutexes());
  CHECK_IS(0, ARMCI_Create_mutexes(0));
  CHECK_IS(0, ARMCI_Destroy_mutexes());
  ARMCI_Free(counts);
}

/// The same by the lock of the first process's memory.
static void memory_lock(void) {
  int* const word = allocate(64);
  for (int round = 0; round < ROUNDS; ++round) {
    armci_lockmem(memories[0], (char*)memories[0] + 4, 0);
    CHECK_IS(0, ARMCI_PutValueInt(ARMCI_GetValueInt(memories[0], 0) + 1, memories[0], 0));
    armci_unlockmem();
  }
  ARMCI_Barrier();
  if (rank == 0) CHECK_IS(ROUNDS * size, *word);
  ARMCI_Free(word);
}

int main(void) {
  ARMCI_Init();
  rank = armci_msg_me();
  size = armci_msg_nproc();
  memories = malloc((size_t)size * sizeof *memories);
  accumulates();
  overlapping_rows();
  updates();
  mutexes();
  memory_lock();
  return check_end();
}
