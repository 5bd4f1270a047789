// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/nas/nas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

nas_t nas;
static double began, seconds;

static void usage(const char* program) {
  if (nas.rank == 0) fprintf(stderr, "usage: %s [--iterations N] [--size N], N at least 1\n", program);
  MPI_Finalize();
  exit(2);
}

void nas_begin(int argc, char** argv, int* iterations, int* size) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &nas.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nas.tasks);
  for (int i = 1; i < argc; i += 2) {
    int* number = strcmp(argv[i], "--iterations") == 0 ? iterations : strcmp(argv[i], "--size") == 0 ? size : NULL;
    if (number == NULL || i + 1 == argc || atoi(argv[i + 1]) < 1) usage(argv[0]);
    *number = atoi(argv[i + 1]);
  }
}

void nas_require(bool good, const char* tasks) {
  if (good) return;
  if (nas.rank == 0) fprintf(stderr, "%d tasks; there must be %s\n", nas.tasks, tasks);
  MPI_Finalize();
  exit(2);
}

void nas_start(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  began = MPI_Wtime();
}

void nas_stop(void) {
  const double mine = MPI_Wtime() - began;
  MPI_Reduce(&mine, &seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}

int nas_end(const char* kernel, double operations, double result) {
  if (nas.rank == 0) {
    printf("nas kernel=%s tasks=%d seconds=%.9f operations=%.0f result=%.13e\n", kernel, nas.tasks, seconds, operations,
           result);
  }
  MPI_Finalize();
  return 0;
}

// A linear congruential generator modulo 2^48.
static const uint64_t factor = 25214903917u, addend = 11u, mask = (UINT64_C(1) << 48) - 1;

double nas_random(uint64_t* state) {
  *state = (*state * factor + addend) & mask;
  return (double)(uint32_t)(*state >> 16) * (1.0 / 4294967296.0);
}

uint64_t nas_skip(uint64_t state, uint64_t count) {
  uint64_t f = factor, a = addend;  // 2^k steps at once
  for (; count != 0; count >>= 1) {
    if ((count & 1) != 0) state = (state * f + a) & mask;
    a = (a * f + a) & mask;
    f = f * f & mask;
  }
  return state;
}

void nas_grid(int tasks, int* rows, int* columns) {
  *rows = 1;
  while ((*rows * 2) * (*rows * 2) <= tasks) *rows *= 2;
  *columns = tasks / *rows;
}

void* nas_allocate(size_t count, size_t size) {
  void* memory = calloc(count, size);
  if (memory == NULL) {
    fprintf(stderr, "task %d: no memory for %u elements of %u bytes\n", nas.rank, (unsigned)count, (unsigned)size);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return memory;
}
