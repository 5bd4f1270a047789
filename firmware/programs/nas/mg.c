// SPDX-License-Identifier: Apache-2.0
// As NAS MG: V-cycles of multigrid for Poisson's equation on a periodic box, which is dealt out over a grid of tasks in
// three dimensions. On every level faces go to six neighbours, fewer and smaller the coarser it is.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/nas/nas.h"

enum { LEVELS = 4, SMOOTHINGS = 2 };
static int n = 32;  ///< points along a side of the box

/// One level's part of this task, with a layer of its neighbours' points around it.
typedef struct {
  int size[3];  ///< points, without that layer
  double *solution, *right, *left_over;
} level_t;

static level_t levels[LEVELS];
static MPI_Comm grid;

static size_t place(const level_t* level, int x, int y, int z) {
  return ((size_t)z * (size_t)(level->size[1] + 2) + (size_t)y) * (size_t)(level->size[0] + 2) + (size_t)x;
}

/// Fills the layer around `field`, one dimension after the other, so that corners are included.
static void exchange(const level_t* level, double* field) {
  static double *out[2], *in[2];
  for (int side = 0; side < 2 && out[side] == NULL; ++side) {
    out[side] = nas_allocate((size_t)(n + 2) * (size_t)(n + 2), sizeof(double));
    in[side] = nas_allocate((size_t)(n + 2) * (size_t)(n + 2), sizeof(double));
  }
  for (int d = 0; d < 3; ++d) {
    const int a = (d + 1) % 3, b = (d + 2) % 3, width = level->size[a] + 2, height = level->size[b] + 2;
    int lower, upper, at[3];
    MPI_Cart_shift(grid, d, 1, &lower, &upper);
    for (int side = 0; side < 2; ++side) {
      at[d] = side == 0 ? 1 : level->size[d];
      for (at[b] = 0; at[b] < height; ++at[b]) {
        for (at[a] = 0; at[a] < width; ++at[a])
          out[side][at[b] * width + at[a]] = field[place(level, at[0], at[1], at[2])];
      }
    }
    MPI_Request requests[4];
    MPI_Irecv(in[0], width * height, MPI_DOUBLE, lower, 1, grid, &requests[0]);
    MPI_Irecv(in[1], width * height, MPI_DOUBLE, upper, 2, grid, &requests[1]);
    MPI_Isend(out[1], width * height, MPI_DOUBLE, upper, 1, grid, &requests[2]);
    MPI_Isend(out[0], width * height, MPI_DOUBLE, lower, 2, grid, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int side = 0; side < 2; ++side) {
      at[d] = side == 0 ? 0 : level->size[d] + 1;
      for (at[b] = 0; at[b] < height; ++at[b]) {
        for (at[a] = 0; at[a] < width; ++at[a])
          field[place(level, at[0], at[1], at[2])] = in[side][at[b] * width + at[a]];
      }
    }
  }
}

/// left_over = right - A solution, A = 6 u - neighbours.
static void residual(level_t* level) {
  const size_t row = (size_t)level->size[0] + 2, plane = row * ((size_t)level->size[1] + 2);
  exchange(level, level->solution);
  for (int z = 1; z <= level->size[2]; ++z) {
    for (int y = 1; y <= level->size[1]; ++y) {
      for (size_t i = place(level, 1, y, z), end = i + (size_t)level->size[0]; i < end; ++i) {
        const double* u = &level->solution[i];
        level->left_over[i] =
            level->right[i] - (6 * u[0] - u[1] - u[-1] - u[row] - *(u - row) - u[plane] - *(u - plane));
      }
    }
  }
}

static void smooth(level_t* level) {
  const size_t points = place(level, level->size[0] + 1, level->size[1] + 1, level->size[2] + 1) + 1;
  for (int turn = 0; turn < SMOOTHINGS; ++turn) {
    residual(level);
    for (size_t i = 0; i < points; ++i) level->solution[i] += 0.8 / 6 * level->left_over[i];
  }
}

static void restrict_to(const level_t* fine, level_t* coarse) {
  for (int z = 1; z <= coarse->size[2]; ++z) {
    for (int y = 1; y <= coarse->size[1]; ++y) {
      for (int x = 1; x <= coarse->size[0]; ++x) {
        double sum = 0;
        for (int corner = 0; corner < 8; ++corner) {
          sum += fine->left_over[place(fine, 2 * x - (corner & 1), 2 * y - (corner >> 1 & 1), 2 * z - (corner >> 2))];
        }
        coarse->right[place(coarse, x, y, z)] = sum / 2;
      }
    }
  }
}

static void correct(level_t* fine, const level_t* coarse) {
  for (int z = 1; z <= fine->size[2]; ++z) {
    for (int y = 1; y <= fine->size[1]; ++y) {
      for (int x = 1; x <= fine->size[0]; ++x) {
        fine->solution[place(fine, x, y, z)] += coarse->solution[place(coarse, (x + 1) / 2, (y + 1) / 2, (z + 1) / 2)];
      }
    }
  }
}

static void cycle(int number) {
  level_t* level = &levels[number];
  smooth(level);
  if (number + 1 < LEVELS) {
    level_t* coarse = &levels[number + 1];
    residual(level);
    restrict_to(level, coarse);
    memset(coarse->solution, 0,
           (place(coarse, coarse->size[0] + 1, coarse->size[1] + 1, coarse->size[2] + 1) + 1) * sizeof(double));
    cycle(number + 1);
    correct(level, coarse);
  }
  smooth(level);
}

int main(int argc, char** argv) {
  int iterations = 1, dimensions[3] = {0, 0, 0}, where[3];
  const int periods[3] = {1, 1, 1};
  nas_begin(argc, argv, &iterations, &n);
  nas_require((nas.tasks & (nas.tasks - 1)) == 0, "a power of two");
  MPI_Dims_create(nas.tasks, 3, dimensions);
  nas_require(n % (dimensions[0] << (LEVELS - 1)) == 0, "a divisor of the coarsest box in each dimension");
  MPI_Cart_create(MPI_COMM_WORLD, 3, dimensions, periods, 1, &grid);
  int rank;
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 3, where);
  for (int number = 0; number < LEVELS; ++number) {
    level_t* level = &levels[number];
    for (int d = 0; d < 3; ++d) level->size[d] = n / dimensions[d] >> number;
    const size_t points = place(level, level->size[0] + 1, level->size[1] + 1, level->size[2] + 1) + 1;
    level->solution = nas_allocate(points, sizeof(double));
    level->right = nas_allocate(points, sizeof(double));
    level->left_over = nas_allocate(points, sizeof(double));
  }
  // Charges of both signs at random points.
  uint64_t state = 777;
  for (int charge = 0; charge < 20; ++charge) {
    int at[3];
    bool mine = true;
    for (int d = 0; d < 3; ++d) {
      at[d] = (int)(nas_random(&state) * n) - where[d] * levels[0].size[d] + 1;
      mine = mine && at[d] >= 1 && at[d] <= levels[0].size[d];
    }
    if (mine) levels[0].right[place(&levels[0], at[0], at[1], at[2])] += charge < 10 ? 1 : -1;
  }
  exchange(&levels[0], levels[0].solution);
  nas_start();
  for (int turn = 0; turn < iterations; ++turn) cycle(0);
  residual(&levels[0]);
  double mine = 0, sum;
  for (int z = 1; z <= levels[0].size[2]; ++z) {
    for (int y = 1; y <= levels[0].size[1]; ++y) {
      for (int x = 1; x <= levels[0].size[0]; ++x) {
        const double value = levels[0].left_over[place(&levels[0], x, y, z)];
        mine += value * value;
      }
    }
  }
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  nas_stop();
  const double points = (double)n * n * n * 8 / 7;
  return nas_end("mg", iterations * points * ((2 * SMOOTHINGS + 1) * 8.0 + 2 * SMOOTHINGS * 2.0 + 3), sqrt(sum));
}
