// SPDX-License-Identifier: Apache-2.0
// Several threads of each process call ARMCI at the same time.
#include <pthread.h>

#include "../check.h"

enum { THREADS = 2, ROUNDS = 60, BYTES = 3000 };

static int rank, size;
static void **sums, **blocks;
static pthread_barrier_t together;

static void* work(void* number) {
  const int thread = (int)(intptr_t)number;
  unsigned seed = (unsigned)(rank * THREADS + thread);
  unsigned char *out = malloc(BYTES), *in = malloc(BYTES);
  double one = 1;
  for (int round = 0; round < ROUNDS; ++round) {
    const int to = (int)(check_random(&seed) % (unsigned)size);
    const int bytes = (int)(check_random(&seed) % BYTES);
    unsigned char* const there = (unsigned char*)blocks[to] + (rank * THREADS + thread) * BYTES;
    memset(out, round + 1, (size_t)bytes);
    CHECK_IS(0, ARMCI_Acc(ARMCI_ACC_DBL, &one, &one, sums[to], sizeof one, to));
    CHECK_IS(0, ARMCI_Put(out, there, bytes, to));
    CHECK_IS(0, ARMCI_Get(there, in, bytes, to));
    CHECK(memcmp(in, out, (size_t)bytes) == 0, "%d bytes of %d come back", bytes, to);
    long drawn;
    CHECK_IS(0, ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &drawn, (char*)sums[0] + 8, 1, 0));
    if (round % 10 == 0) ARMCI_Fence(to);
  }
  ARMCI_AllFence();
  free(out);
  free(in);
  pthread_barrier_wait(&together);
  return NULL;
}

int main(void) {
  ARMCI_Init();
  rank = armci_msg_me();
  size = armci_msg_nproc();
  sums = malloc((size_t)size * sizeof *sums);
  blocks = malloc((size_t)size * sizeof *blocks);
  CHECK_IS(0, ARMCI_Malloc(sums, 16));
  CHECK_IS(0, ARMCI_Malloc(blocks, (armci_size_t)size * THREADS * BYTES));
  memset(sums[rank], 0, 16);
  ARMCI_Barrier();
  pthread_t others[THREADS];
  pthread_barrier_init(&together, NULL, THREADS);
  for (intptr_t i = 1; i < THREADS; ++i) CHECK_IS(0, pthread_create(&others[i], NULL, work, (void*)i));
  work((void*)0);
  for (int i = 1; i < THREADS; ++i) pthread_join(others[i], NULL);
  ARMCI_Barrier();
  double sum = *(double*)sums[rank];
  armci_msg_dgop(&sum, 1, (char*)"+");
  CHECK(sum == (double)size * THREADS * ROUNDS, "the sum is %g", sum);
  if (rank == 0) CHECK_IS(size * THREADS * ROUNDS, *(long*)((char*)sums[0] + 8));
  return check_end();
}
