// SPDX-License-Identifier: Apache-2.0
// Latency of patches of a matrix of 1024 x 1024 doubles that ARMCI puts, fetches and accumulates, by rank 0, in the
// memory of the last rank or in its own; in cycles of the core.
//   armci_strided [last|own [rounds]]: last and 10
// Square patches of 1 to 256 rows, and one of 512 rows of one double. local: the blocking call; remote: the call and a
// fence. Built with ARMCI over the machine's own layer (armci_strided), and over OSPRI (armci_strided_ospri).
//   armci_strided operation=put rows=4 columns=4 bytes=128 rounds=10 local=2000.0 remote=4000.0
#include <armci.h>
#include <message.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/cycles.h"

enum { DIMENSION = 1024, MOST_SQUARE = 256, TALL = 512, FIRST = 2 };  // the first rounds are not measured

typedef enum { PUT, GET, ACC, KINDS } kind_t;
static const char* const kNames[KINDS] = {"put", "get", "acc"};

static int target;
static double *here, *there;

static void once(kind_t kind, int rows, int columns) {
  double one = 1;
  int stride = DIMENSION * (int)sizeof(double);
  int count[2] = {columns * (int)sizeof(double), rows};
  if (kind == PUT) ARMCI_PutS(here, &stride, there, &stride, count, 1, target);
  if (kind == GET) ARMCI_GetS(there, &stride, here, &stride, count, 1, target);
  if (kind == ACC) ARMCI_AccS(ARMCI_ACC_DBL, &one, here, &stride, there, &stride, count, 1, target);
}

static void set(int rows, int columns, double value) {
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) here[row * DIMENSION + column] = value * row + column;
  }
}

// A patch that is put, added to, and fetched.
static void check(int rows, int columns) {
  set(rows, columns, 3);
  once(PUT, rows, columns);
  ARMCI_Fence(target);
  set(rows, columns, 5);
  once(ACC, rows, columns);
  ARMCI_Fence(target);
  set(rows, columns, 0);
  once(GET, rows, columns);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      if (here[row * DIMENSION + column] != 8.0 * row + 2.0 * column) ARMCI_Error((char*)"a patch is wrong", 1);
    }
  }
}

static void measure(kind_t kind, int rows, int columns, int rounds) {
  unsigned long long local = 0, remote = 0;
  for (int round = -FIRST; round < rounds; ++round) {
    const unsigned long long begin = cycles();
    once(kind, rows, columns);
    const unsigned long long middle = cycles();
    ARMCI_Fence(target);
    if (round < 0) continue;
    local += middle - begin;
    remote += cycles() - begin;
  }
  printf("armci_strided operation=%s rows=%d columns=%d bytes=%d rounds=%d local=%.1f remote=%.1f\n", kNames[kind],
         rows, columns, rows * columns * (int)sizeof(double), rounds, (double)local / rounds, (double)remote / rounds);
}

int main(int argc, char** argv) {
  ARMCI_Init_args(&argc, &argv);
  const int rank = armci_msg_me(), size = armci_msg_nproc();
  const bool own = argc > 1 && strcmp(argv[1], "own") == 0;
  const int rounds = argc > 2 ? atoi(argv[2]) : 10;
  if (rounds < 1 || (argc > 1 && !own && strcmp(argv[1], "last") != 0)) {
    ARMCI_Error((char*)"armci_strided [last|own [rounds]]", 2);
  }
  void** const buffers = calloc((size_t)size, sizeof(void*));
  here = calloc(DIMENSION * DIMENSION, sizeof *here);
  if (buffers == NULL || here == NULL || ARMCI_Malloc(buffers, DIMENSION * DIMENSION * sizeof(double)) != 0) {
    ARMCI_Error((char*)"no memory", 1);
  }
  target = own ? 0 : size - 1;
  there = buffers[target];
  ARMCI_Barrier();
  if (rank == 0) {
    for (int rows = 1; rows <= MOST_SQUARE; rows *= 2) {
      check(rows, rows);
      for (kind_t kind = PUT; kind < KINDS; ++kind) measure(kind, rows, rows, rounds);
    }
    check(TALL, 1);
    for (kind_t kind = PUT; kind < KINDS; ++kind) measure(kind, TALL, 1, rounds);
  }
  ARMCI_Barrier();
  ARMCI_Free(buffers[rank]);
  free(here);
  ARMCI_Finalize();
  return 0;
}
