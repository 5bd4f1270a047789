// SPDX-License-Identifier: Apache-2.0
// As NAS CG: conjugate gradients with a sparse matrix at random places, which is dealt out over a grid of tasks. A
// product sums over the tasks of a row, then goes to the transposed place; scalars are summed over a row.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/nas/nas.h"

enum { ROW_ENTRIES = 130 };  ///< about as many as in class A
static int order = 1024;

/// Entries of the rows and columns that this task has.
static struct {
  int rows, columns, row, column;  ///< the grid of tasks, and this one's place
  int height, width;               ///< of its block
  int* starts;                     ///< of each row's entries; one more at the end
  int* places;                     ///< columns, from the block's own first
  double* values;
  MPI_Comm row_comm;
} block;

/// The matrix is S + S', S of `ROW_ENTRIES` / 2 entries a row at random places, and a diagonal that dominates.
static void make_matrix(void) {
  const int first_row = block.row * block.height, first_column = block.column * block.width;
  for (int pass = 0; pass < 2; ++pass) {
    int* filled = nas_allocate((size_t)block.height + 1, sizeof *filled);
    uint64_t state = 314159;
    for (int i = 0; i < order; ++i) {
      for (int k = 0; k <= ROW_ENTRIES / 2; ++k) {
        int j = (int)(nas_random(&state) * order);
        double value = nas_random(&state) - 0.5;
        if (k == 0) {
          j = i;
          value = ROW_ENTRIES;
        }
        for (int side = 0; side < (i == j ? 1 : 2); ++side) {
          const int r = (side == 0 ? i : j) - first_row, c = (side == 0 ? j : i) - first_column;
          if (r < 0 || r >= block.height || c < 0 || c >= block.width) continue;
          if (pass == 1) {
            block.places[block.starts[r] + filled[r]] = c;
            block.values[block.starts[r] + filled[r]] = value;
          }
          ++filled[r];
        }
      }
    }
    if (pass == 0) {
      block.starts = nas_allocate((size_t)block.height + 1, sizeof *block.starts);
      for (int r = 0; r < block.height; ++r) block.starts[r + 1] = block.starts[r] + filled[r];
      block.places = nas_allocate((size_t)block.starts[block.height] + 1, sizeof *block.places);
      block.values = nas_allocate((size_t)block.starts[block.height] + 1, sizeof *block.values);
    }
    free(filled);
  }
}

/// out = A in, both with this task's columns.
static void multiply(const double* in, double* out, double* partial, double* sum) {
  for (int r = 0; r < block.height; ++r) {
    double value = 0;
    for (int k = block.starts[r]; k < block.starts[r + 1]; ++k) value += block.values[k] * in[block.places[k]];
    partial[r] = value;
  }
  MPI_Allreduce(partial, sum, block.height, MPI_DOUBLE, MPI_SUM, block.row_comm);
  // The block's rows are known in this row of tasks; its columns are a part of the rows of another row of tasks.
  const int ratio = block.columns / block.rows;
  const int to = block.column / ratio * block.columns + block.row * ratio + block.column % ratio;
  const int from = to;  // the way there and back is the same
  const int part = block.column % ratio;
  MPI_Sendrecv(sum + part * block.width, block.width, MPI_DOUBLE, to, 1, out, block.width, MPI_DOUBLE, from, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double dot(const double* a, const double* b) {
  double mine = 0, all;
  for (int c = 0; c < block.width; ++c) mine += a[c] * b[c];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, block.row_comm);
  return all;
}

/// Some steps towards A z = x. Returns the norm of the residual.
static double solve(const double* x, double* z, int steps) {
  const size_t width = (size_t)block.width;
  double* r = nas_allocate(width, sizeof *r);
  double* p = nas_allocate(width, sizeof *p);
  double* q = nas_allocate(width, sizeof *q);
  double* partial = nas_allocate((size_t)block.height, sizeof *partial);
  double* sum = nas_allocate((size_t)block.height, sizeof *sum);
  memset(z, 0, width * sizeof *z);
  memcpy(r, x, width * sizeof *r);
  memcpy(p, x, width * sizeof *p);
  double rho = dot(r, r);
  for (int step = 0; step < steps; ++step) {
    multiply(p, q, partial, sum);
    const double alpha = rho / dot(p, q);
    for (size_t c = 0; c < width; ++c) {
      z[c] += alpha * p[c];
      r[c] -= alpha * q[c];
    }
    const double last = rho;
    rho = dot(r, r);
    for (size_t c = 0; c < width; ++c) p[c] = r[c] + rho / last * p[c];
  }
  free(r), free(p), free(q), free(partial), free(sum);
  return sqrt(rho);
}

int main(int argc, char** argv) {
  int iterations = 3;
  enum { STEPS = 10 };
  nas_begin(argc, argv, &iterations, &order);
  nas_require((nas.tasks & (nas.tasks - 1)) == 0, "a power of two");
  nas_grid(nas.tasks, &block.rows, &block.columns);
  nas_require(order % block.columns == 0, "as many columns of tasks as divide the matrix's order");
  block.row = nas.rank / block.columns;
  block.column = nas.rank % block.columns;
  block.height = order / block.rows;
  block.width = order / block.columns;
  MPI_Comm_split(MPI_COMM_WORLD, block.row, block.column, &block.row_comm);
  make_matrix();
  double* x = nas_allocate((size_t)block.width, sizeof *x);
  double* z = nas_allocate((size_t)block.width, sizeof *z);
  double zeta = 0;
  for (int c = 0; c < block.width; ++c) x[c] = 1;
  solve(x, z, 1);
  nas_start();
  for (int turn = 0; turn < iterations; ++turn) {
    solve(x, z, STEPS);
    zeta = 1 / dot(x, z);
    const double scale = 1 / sqrt(dot(z, z));
    for (int c = 0; c < block.width; ++c) x[c] = scale * z[c];
  }
  nas_stop();
  const double entries = (double)order * (ROW_ENTRIES + 1);
  return nas_end("cg", iterations * STEPS * (2 * entries + 10.0 * order), zeta);
}
