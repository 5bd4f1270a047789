// SPDX-License-Identifier: Apache-2.0
// Fences, flags, notifications, and handles of several operations.
#include "check.h"

enum { ROUNDS = 30, BYTES = 5000, ROWS = 50, ROW = 40, WORDS = ROWS * ROW / 4 };

static int rank, size, next, before;
static void** memories;
static volatile int* own;

static void* allocate(size_t bytes) {
  CHECK_IS(0, ARMCI_Malloc(memories, (armci_size_t)bytes));
  memset(memories[rank], 0, bytes);
  ARMCI_Barrier();
  return memories[rank];
}

/// What a process knows of a fence by a message is true.
static void fences(void) {
  unsigned char* const memory = allocate(BYTES);
  unsigned char* const data = malloc(BYTES);
  for (int round = 1; round <= ROUNDS; ++round) {
    memset(data, round, BYTES);
    if (round % 3 == 0) {
      CHECK_IS(0, ARMCI_Put(data, memories[next], BYTES, next));
    } else if (round % 3 == 1) {
      int stride = 10, count[2] = {10, BYTES / 10}, other = 10;
      CHECK_IS(0, ARMCI_PutS(data, &stride, memories[next], &other, count, 1, next));
    } else {
      int one = 1;
      memset(data, 0, BYTES);
      int* const words = (int*)(void*)data;
      for (int i = 0; i < BYTES / 4; ++i) words[i] = 0x01010101;
      CHECK_IS(0, ARMCI_Acc(ARMCI_ACC_INT, &one, data, memories[next], BYTES, next));
    }
    if (round % 2 == 0) {
      ARMCI_Fence(next);
    } else {
      ARMCI_AllFence();
    }
    armci_msg_snd(round, &round, sizeof round, next);
    int told = 0, bytes = 0;
    armci_msg_rcv(round, &told, sizeof told, &bytes, before);
    CHECK(told == round && bytes == (int)sizeof told, "the message is %d of %d bytes", told, bytes);
    for (int i = 0; i < BYTES; ++i) {
      CHECK(memory[i] == round, "byte %d is %d after the fence of round %d", i, memory[i], round);
    }
    ARMCI_Barrier();
  }
  free(data);
  ARMCI_Free(memory);
}

/// Data, then a flag, of which the target only reads its own memory while it calls ARMCI.
static void flags(void) {
  own = allocate((WORDS + 1) * sizeof(int));
  int* const data = malloc(WORDS * sizeof *data);
  for (int round = 1; round <= ROUNDS; ++round) {
    for (int i = 0; i < WORDS; ++i) data[i] = round * 1000 + i;
    int stride = ROW, count[2] = {ROW, ROWS}, far = ROW;
    int* const flag = (int*)memories[next] + WORDS;
    if (round % 3 == 0) {
      CHECK_IS(0, ARMCI_Put_flag(data, memories[next], WORDS * 4, flag, round, next));
    } else if (round % 3 == 1) {
      CHECK_IS(0, ARMCI_PutS_flag(data, &stride, memories[next], &far, count, 1, flag, round, next));
    } else {
      CHECK_IS(0, ARMCI_PutS_flag_dir(data, &stride, memories[next], &far, count, 1, flag, round, next));
    }
    while (own[WORDS] != round) ARMCI_Test(&(armci_hdl_t){.data = {0}});
    for (int i = 0; i < WORDS; ++i) CHECK(own[i] == round * 1000 + i, "word %d is %d", i, own[i]);
    ARMCI_Barrier();
  }
  free(data);
  ARMCI_Free((void*)(uintptr_t)own);
}

static void notifications(void) {
  own = allocate(WORDS * sizeof(int));
  int* const data = malloc(WORDS * sizeof *data);
  for (int round = 1; round <= ROUNDS; ++round) {
    for (int i = 0; i < WORDS; ++i) data[i] = round * 1000 + i;
    int stride = ROW, count[2] = {ROW, ROWS}, far = ROW, value = -1;
    CHECK_IS(0, ARMCI_PutS(data, &stride, memories[next], &far, count, 1, next));
    CHECK_IS(round, armci_notify(next));
    const int received = armci_notify_wait(before, &value);
    CHECK(value == round && received >= round, "the wait gives %d, of %d", value, received);
    for (int i = 0; i < WORDS; ++i) CHECK(own[i] == round * 1000 + i, "word %d is %d", i, own[i]);
    ARMCI_Barrier();
  }
  free(data);
  ARMCI_Free((void*)(uintptr_t)own);
}

/// One handle for operations to all, handles that are forgotten or copied, and one that was never initialised.
static void handles(void) {
  int* const memory = allocate((size_t)size * 16 * sizeof *memory);
  int* const data = malloc((size_t)size * 16 * sizeof *data);
  for (int i = 0; i < size * 16; ++i) data[i] = rank * 100000 + i;
  armci_hdl_t all, garbage;
  memset(&garbage, 0x5A, sizeof garbage);
  CHECK_IS(0, ARMCI_Test(&garbage));
  CHECK_IS(0, ARMCI_Wait(&garbage));
  ARMCI_INIT_HANDLE(&all);
  ARMCI_SET_AGGREGATE_HANDLE(&all);
  for (int to = 0; to < size; ++to) {
    CHECK_IS(0, ARMCI_NbPut(data + to * 16, (int*)memories[to] + rank * 16, 64, to, &all));
  }
  ARMCI_UNSET_AGGREGATE_HANDLE(&all);
  armci_hdl_t copy = all;
  CHECK_IS(0, ARMCI_Wait(&copy));
  CHECK_IS(0, ARMCI_Wait(&all));
  CHECK_IS(0, ARMCI_Test(&all));
  ARMCI_Barrier();
  for (int from = 0; from < size; ++from) {
    for (int i = 0; i < 16; ++i) {
      CHECK(memory[from * 16 + i] == from * 100000 + rank * 16 + i, "word %d of %d", i, from);
    }
  }
  ARMCI_Barrier();
  for (int round = 0; round < 300; ++round) {
    armci_hdl_t forgotten;
    ARMCI_INIT_HANDLE(&forgotten);
    CHECK_IS(0, ARMCI_NbPut(data, (int*)memories[next] + rank * 16, 64, next, &forgotten));
    memset(&forgotten, 0xFF, sizeof forgotten);
  }
  CHECK_IS(0, ARMCI_WaitAll());
  CHECK_IS(0, ARMCI_NbPut(data + 16 * next, (int*)memories[next] + rank * 16, 64, next, NULL));
  CHECK_IS(0, ARMCI_WaitProc(next));
  free(data);
  ARMCI_Barrier();
  CHECK(memory[before * 16] == before * 100000 + rank * 16, "the last put is not the last");
  ARMCI_Barrier();
  ARMCI_Free(memory);
}

int main(void) {
  ARMCI_Init();
  rank = armci_msg_me();
  size = armci_msg_nproc();
  next = (rank + 1) % size;
  before = (rank + size - 1) % size;
  memories = malloc((size_t)size * sizeof *memories);
  fences();
  flags();
  notifications();
  handles();
  return check_end();
}
