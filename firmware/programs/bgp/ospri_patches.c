// SPDX-License-Identifier: Apache-2.0
// A matrix that is distributed over all processes in blocks of rows; each process puts, fetches and accumulates patches
// of it that lie in the memory of several. What is expected is computed, too, and compared at the end.
//   ospri_patches [--dimension 64] [--patches 20]
//   ospri-patches ranks=4 dimension=64 patches=20 right=yes
#include <a1.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgp/ospri_program.h"

enum { MOST_DIMENSION = 1024 };

static struct {
  unsigned dimension, rows;  ///< rows of a process
} matrix;

typedef struct {
  unsigned row, column, rows, columns;
} patch_t;

typedef enum { PUT, GET, ADD } kind_t;

static uint32_t next_random(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static unsigned row_bytes(void) {
  return matrix.dimension * (unsigned)sizeof(double);
}

/// The parts of a patch, each in one process's rows. `own` has the patch's rows one behind the other.
static void access_patch(kind_t kind, const patch_t* patch, double* own, double scaling) {
  unsigned row = patch->row;
  const unsigned end = patch->row + patch->rows;
  while (row < end) {
    const unsigned owner = row / matrix.rows;
    const unsigned last = (owner + 1) * matrix.rows < end ? (owner + 1) * matrix.rows : end;
    int blocks[] = {(int)(patch->columns * sizeof(double)), (int)(last - row)};
    int there_stride = (int)row_bytes(), here_stride = (int)(patch->columns * sizeof(double));
    char* const there = program_segment(owner) + (row % matrix.rows) * row_bytes() + patch->column * sizeof(double);
    double* const here = own + (row - patch->row) * patch->columns;
    switch (kind) {
      case PUT:
        A1_PutS((int)owner, 1, blocks, here, &here_stride, there, &there_stride);
        break;
      case GET:
        A1_GetS((int)owner, 1, blocks, there, &there_stride, here, &here_stride);
        break;
      default:
        A1_PutAccS((int)owner, 1, blocks, here, &here_stride, there, &there_stride, A1_DOUBLE, &scaling);
    }
    row = last;
  }
}

static patch_t random_patch(uint32_t* state) {
  patch_t patch;
  patch.row = next_random(state) % matrix.dimension;
  patch.column = next_random(state) % matrix.dimension;
  patch.rows = 1 + next_random(state) % (matrix.dimension - patch.row);
  patch.columns = 1 + next_random(state) % (matrix.dimension - patch.column);
  return patch;
}

/// What process `rank` adds to the matrix in its patches; sums of small integers are exact in any order.
static void for_patches(unsigned rank, unsigned patches, double* model, double* own) {
  uint32_t state = rank * 2654435761u + 17;
  for (unsigned number = 0; number < patches; ++number) {
    const patch_t patch = random_patch(&state);
    const double value = 1 + (rank + number) % 7;
    if (own) {
      for (unsigned i = 0; i < patch.rows * patch.columns; ++i) own[i] = value;
      access_patch(ADD, &patch, own, 2);
      continue;
    }
    for (unsigned row = patch.row; row < patch.row + patch.rows; ++row) {
      for (unsigned column = patch.column; column < patch.column + patch.columns; ++column) {
        model[row * matrix.dimension + column] += 2 * value;
      }
    }
  }
}

int main(int argc, char** argv) {
  program_start("ospri_patches", 1);
  const unsigned ranks = program_size(), me = program_rank();
  matrix.dimension = program_number(argc, argv, "--dimension", 1, MOST_DIMENSION, 64);
  const unsigned patches = program_number(argc, argv, "--patches", 1, 100000, 20);
  matrix.rows = (matrix.dimension + ranks - 1) / ranks;
  const unsigned elements = matrix.dimension * matrix.dimension;
  double* const own = calloc(elements, sizeof *own);
  double* const model = calloc(elements, sizeof *model);
  program_allocate(matrix.rows * row_bytes());

  // Each process puts every ranks-th column, then all add, then all fetch the whole.
  for (unsigned column = me; column < matrix.dimension; column += ranks) {
    for (unsigned row = 0; row < matrix.dimension; ++row) own[row] = row * 3.0 + column;
    const patch_t line = {0, column, matrix.dimension, 1};
    access_patch(PUT, &line, own, 0);
  }
  A1_Sync_group(A1_GROUP_WORLD);
  for_patches(me, patches, NULL, own);
  A1_Sync_group(A1_GROUP_WORLD);
  const patch_t whole = {0, 0, matrix.dimension, matrix.dimension};
  access_patch(GET, &whole, own, 0);

  for (unsigned i = 0; i < elements; ++i) model[i] = i / matrix.dimension * 3.0 + i % matrix.dimension;
  for (unsigned rank = 0; rank < ranks; ++rank) for_patches(rank, patches, model, NULL);
  for (unsigned i = 0; i < elements; ++i) {
    if (own[i] == model[i]) continue;
    program_fail("element (%u, %u) is %g, should be %g", i / matrix.dimension, i % matrix.dimension, own[i], model[i]);
  }
  A1_Barrier_group(A1_GROUP_WORLD);
  if (me == 0) {
    printf("ospri-patches ranks=%u dimension=%u patches=%u right=yes\n", ranks, matrix.dimension, patches);
  }
  program_end();
  free(own);
  free(model);
  return 0;
}
