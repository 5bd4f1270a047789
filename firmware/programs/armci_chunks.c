// SPDX-License-Identifier: Apache-2.0
// Puts, gets and accumulates of ARMCI whose data lie in chunks, every second one of a memory, over the size of a chunk;
// from rank 0 to rank 1, in cycles of the core.
//   armci_chunks put|get|acc [rounds [bytes [smallest chunk]]]: 2, 1048576 and 512
// Chunks double while they divide the bytes: an operation moves all of them. local: the blocking call, one behind the
// other; remote: with one fence behind all.
//   armci_chunks operation=put chunk=4096 bytes=1048576 rounds=2 local=1300000.0 remote=1300500.0
#include <string.h>

#include "firmware/programs/armci_kernel.h"
#include "firmware/programs/cycles.h"

enum { MOST = 1 << 22, LEAST = 16, TARGET = 1 };

typedef enum { PUT, GET, ACC, KINDS } kind_t;
static const char* const kNames[KINDS] = {"put", "get", "acc"};

static char *here, *there;

static void once(kind_t kind, int chunk, int bytes) {
  double one = 1;
  int stride = 2 * chunk, count[2] = {chunk, bytes / chunk};
  if (kind == PUT) ARMCI_PutS(here, &stride, there, &stride, count, 1, TARGET);
  if (kind == GET) ARMCI_GetS(there, &stride, here, &stride, count, 1, TARGET);
  if (kind == ACC) ARMCI_AccS(ARMCI_ACC_DBL, &one, here, &stride, there, &stride, count, 1, TARGET);
}

static void measure(kind_t kind, int chunk, int bytes, int rounds) {
  once(kind, chunk, bytes);  // not measured
  ARMCI_Fence(TARGET);
  const unsigned long long begin = cycles();
  for (int round = 0; round < rounds; ++round) once(kind, chunk, bytes);
  const unsigned long long middle = cycles();
  ARMCI_Fence(TARGET);
  const unsigned long long end = cycles();
  printf("armci_chunks operation=%s chunk=%d bytes=%d rounds=%d local=%.1f remote=%.1f\n", kNames[kind], chunk, bytes,
         rounds, (double)(middle - begin) / rounds, (double)(end - begin) / rounds);
}

int main(int argc, char** argv) {
  static const char kUsage[] =
      "armci_chunks put|get|acc [rounds [bytes [smallest chunk]]]: 1 to 1000, 16 to 4194304, 16 to the bytes";
  kernel_begin(&argc, &argv);
  kind_t kind = PUT;
  while (kind < KINDS && (argc < 2 || strcmp(argv[1], kNames[kind]) != 0)) ++kind;
  const int rounds = kernel_argument(argc, argv, 2, 2, 1, 1000, kUsage);
  const int bytes = kernel_argument(argc, argv, 3, 1 << 20, LEAST, MOST, kUsage);
  const int least = kernel_argument(argc, argv, 4, 512, LEAST, bytes, kUsage);
  if (kind == KINDS || least % (int)sizeof(double) != 0 || bytes % least != 0 || size < 2) {
    if (rank == 0) fprintf(stderr, "%s, whole doubles, on 2 ranks or more\n", kUsage);
    ARMCI_Error((char*)"an argument is wrong", 1);
  }
  void** const buffers = kernel_shared(2 * (size_t)bytes);
  here = buffers[rank];
  there = buffers[TARGET];
  for (int chunk = least; rank == 0 && chunk <= bytes && bytes % chunk == 0; chunk *= 2)
    measure(kind, chunk, bytes, rounds);
  kernel_free(buffers);
  ARMCI_Finalize();
  return 0;
}
