// SPDX-License-Identifier: Apache-2.0
// Latency of square patches of a matrix of 1024 x 1024 doubles, put, fetched and accumulated by rank 0 in the memory of
// the last rank.
//   ospri_strided [--rows 1,4,...] [--columns 0] [--rounds 10]
// columns 0: as many as rows. local: a blocking call; remote: the same and a flush. bytes / cycles is the bandwidth.
//   ospri-strided operation=put rows=4 columns=4 bytes=128 rounds=10 local=2000.00 remote=4000.00
#include <a1.h>
#include <stdio.h>

#include "firmware/programs/bgp/ospri_program.h"

enum { DIMENSION = 1024, MOST_SIZES = 16 };

typedef enum { PUT, GET, ADD, KINDS } kind_t;

static struct {
  kind_t kind;
  int target;
  int blocks[2], stride;
  double *here, *there;
} test = {.stride = DIMENSION * (int)sizeof(double)};

static void once(void* nothing) {
  (void)nothing;
  double one = 1;
  switch (test.kind) {
    case PUT:
      A1_PutS(test.target, 1, test.blocks, test.here, &test.stride, test.there, &test.stride);
      break;
    case GET:
      A1_GetS(test.target, 1, test.blocks, test.there, &test.stride, test.here, &test.stride);
      break;
    default:
      A1_PutAccS(test.target, 1, test.blocks, test.here, &test.stride, test.there, &test.stride, A1_DOUBLE, &one);
  }
}

static void once_and_flush(void* nothing) {
  once(nothing);
  A1_Flush(test.target);
}

static void set(unsigned rows, unsigned columns, double value) {
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < columns; ++column) test.here[row * DIMENSION + column] = value * row + column;
  }
}

static void expect(unsigned rows, unsigned columns, double value) {
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      const double found = test.here[row * DIMENSION + column], right = value * row + 2.0 * column;
      if (found != right) program_fail("row %u, column %u: %g instead of %g", row, column, found, right);
    }
  }
}

/// A patch that is put, added to, and fetched.
static void check(unsigned rows, unsigned columns) {
  set(rows, columns, 3);
  test.kind = PUT;
  once_and_flush(NULL);
  set(rows, columns, 5);
  test.kind = ADD;
  once_and_flush(NULL);
  set(rows, columns, 0);
  test.kind = GET;
  once(NULL);
  expect(rows, columns, 8);
}

static void measure(kind_t kind, unsigned rows, unsigned columns, unsigned rounds) {
  static const char* const kNames[KINDS] = {"put", "get", "accumulate"};
  test.kind = kind;
  const double local = program_measure(once, NULL, rounds);
  A1_Flush(test.target);
  const double remote = program_measure(once_and_flush, NULL, rounds);
  printf("ospri-strided operation=%s rows=%u columns=%u bytes=%u rounds=%u local=%.2f remote=%.2f\n", kNames[kind],
         rows, columns, rows * columns * (unsigned)sizeof(double), rounds, local, remote);
}

int main(int argc, char** argv) {
  unsigned rows[MOST_SIZES];
  program_start("ospri_strided", 2);
  const unsigned count = program_list(argc, argv, "--rows", "1,4,16,32,64,128", rows, MOST_SIZES, DIMENSION);
  const unsigned columns = program_number(argc, argv, "--columns", 0, DIMENSION, 0);
  const unsigned rounds = program_number(argc, argv, "--rounds", 1, 100000, 10);
  test.here = (double*)(void*)program_allocate(DIMENSION * DIMENSION * sizeof(double));
  test.target = (int)program_size() - 1;
  test.there = (double*)(void*)program_segment((unsigned)test.target);
  A1_Barrier_group(A1_GROUP_WORLD);
  for (unsigned i = 0; i < count && program_rank() == 0; ++i) {
    const unsigned wide = columns != 0 ? columns : rows[i];
    test.blocks[0] = (int)(wide * sizeof(double));
    test.blocks[1] = (int)rows[i];
    check(rows[i], wide);
    for (kind_t kind = PUT; kind < KINDS; ++kind) measure(kind, rows[i], wide, rounds);
  }
  A1_Barrier_group(A1_GROUP_WORLD);
  program_end();
  return 0;
}
