// SPDX-License-Identifier: Apache-2.0
// As NAS LU: symmetric successive over-relaxation on a box, five unknowns a point. Tasks have columns of it; a sweep
// goes over them as a wave, plane by plane, with a short message to two neighbours for each plane.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/nas/nas.h"

enum { FIVE = 5 };
static int n = 16;  ///< points along a side of the box

typedef struct {
  double of[FIVE];
} point_t;

static struct {
  int rows, columns, row, column;  ///< the grid of tasks, and this one's place
  int height, width;               ///< points of this task in y and x
  int north, south, west, east;    ///< tasks, or MPI_PROC_NULL
} part;

static point_t *u, *rhs, *v;        ///< with a layer of the neighbours' points in x and y
static double inverse[FIVE][FIVE];  ///< of the block on the diagonal
static point_t* line[2];

static point_t* at(point_t* field, int x, int y, int z) {
  return &field[((size_t)z * (size_t)(part.height + 2) + (size_t)(y + 1)) * (size_t)(part.width + 2) + (size_t)(x + 1)];
}

/// The block couples the five unknowns of a point: B = 7 I + K, with weak K.
static double coupling(int i, int k) {
  return (i == k ? 7.0 : 0.0) + 0.1 * (double)((3 * i + 2 * k) % 5 - 2);
}

/// Gauss and Jordan.
static void invert(void) {
  double b[FIVE][FIVE];
  for (int i = 0; i < FIVE; ++i) {
    for (int k = 0; k < FIVE; ++k) {
      b[i][k] = coupling(i, k);
      inverse[i][k] = i == k;
    }
  }
  for (int i = 0; i < FIVE; ++i) {
    const double pivot = 1 / b[i][i];
    for (int k = 0; k < FIVE; ++k) b[i][k] *= pivot, inverse[i][k] *= pivot;
    for (int j = 0; j < FIVE; ++j) {
      const double f = b[j][i];
      if (j == i) continue;
      for (int k = 0; k < FIVE; ++k) b[j][k] -= f * b[i][k], inverse[j][k] -= f * inverse[i][k];
    }
  }
}

/// Rows and columns of points around the task's own of `field`, all planes at once.
static void exchange(point_t* field) {
  static point_t *out, *in;
  if (out == NULL) {
    out = nas_allocate((size_t)n * (size_t)n, sizeof *out);
    in = nas_allocate((size_t)n * (size_t)n, sizeof *in);
  }
  const struct {
    int to, from, dx, dy, count;
  } ways[4] = {
      {part.west, part.east, -1, 0, part.height},
      {part.east, part.west, 1, 0, part.height},
      {part.north, part.south, 0, -1, part.width},
      {part.south, part.north, 0, 1, part.width},
  };
  for (int way = 0; way < 4; ++way) {
    const int dx = ways[way].dx, dy = ways[way].dy, count = ways[way].count;
    for (int z = 0; z < n; ++z) {
      for (int i = 0; i < count; ++i) {
        out[z * count + i] = *at(field,
                                 dx == 0  ? i
                                 : dx < 0 ? 0
                                          : part.width - 1,
                                 dy == 0  ? i
                                 : dy < 0 ? 0
                                          : part.height - 1,
                                 z);
      }
    }
    MPI_Sendrecv(out, n * count * FIVE, MPI_DOUBLE, ways[way].to, way, in, n * count * FIVE, MPI_DOUBLE, ways[way].from,
                 way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (ways[way].from == MPI_PROC_NULL) continue;
    for (int z = 0; z < n; ++z) {
      for (int i = 0; i < count; ++i) {
        *at(field,
            dx == 0  ? i
            : dx < 0 ? part.width
                     : -1,
            dy == 0  ? i
            : dy < 0 ? part.height
                     : -1,
            z) = in[z * count + i];
      }
    }
  }
}

/// rhs = 1 - A u. Returns this task's part of its square.
static double residual(void) {
  double sum = 0;
  exchange(u);
  for (int z = 0; z < n; ++z) {
    for (int y = 0; y < part.height; ++y) {
      for (int x = 0; x < part.width; ++x) {
        const point_t* here = at(u, x, y, z);
        const point_t *below = z > 0 ? at(u, x, y, z - 1) : NULL, *above = z + 1 < n ? at(u, x, y, z + 1) : NULL;
        const point_t *west = at(u, x - 1, y, z), *east = at(u, x + 1, y, z);
        const point_t *north = at(u, x, y - 1, z), *south = at(u, x, y + 1, z);
        point_t* r = at(rhs, x, y, z);
        for (int i = 0; i < FIVE; ++i) {
          double value = 1 + west->of[i] + east->of[i] + north->of[i] + south->of[i];
          if (below != NULL) value += below->of[i];
          if (above != NULL) value += above->of[i];
          for (int k = 0; k < FIVE; ++k) value -= coupling(i, k) * here->of[k];
          r->of[i] = value;
          sum += value * value;
        }
      }
    }
  }
  return sum;
}

/// Receives the layer around a plane from the upstream neighbour of the wave, and sends it to the downstream neighbour.
static void receive_plane(int z, int from_x, int from_y, int tag) {
  if (from_x != MPI_PROC_NULL) {
    MPI_Recv(line[0], part.height * FIVE, MPI_DOUBLE, from_x, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int y = 0; y < part.height; ++y) *at(v, from_x == part.west ? -1 : part.width, y, z) = line[0][y];
  }
  if (from_y != MPI_PROC_NULL) {
    MPI_Recv(line[0], part.width * FIVE, MPI_DOUBLE, from_y, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int x = 0; x < part.width; ++x) *at(v, x, from_y == part.north ? -1 : part.height, z) = line[0][x];
  }
}

static void send_plane(int z, int to_x, int to_y, int tag) {
  if (to_x != MPI_PROC_NULL) {
    for (int y = 0; y < part.height; ++y) line[1][y] = *at(v, to_x == part.east ? part.width - 1 : 0, y, z);
    MPI_Send(line[1], part.height * FIVE, MPI_DOUBLE, to_x, tag, MPI_COMM_WORLD);
  }
  if (to_y != MPI_PROC_NULL) {
    for (int x = 0; x < part.width; ++x) line[1][x] = *at(v, x, to_y == part.south ? part.height - 1 : 0, z);
    MPI_Send(line[1], part.width * FIVE, MPI_DOUBLE, to_y, tag, MPI_COMM_WORLD);
  }
}

/// One point of a sweep: B^-1 (right hand side + the three neighbours behind the wave).
static void relax(int x, int y, int z, int step, bool lower) {
  point_t* here = at(v, x, y, z);
  const point_t *a = at(v, x - step, y, z), *b = at(v, x, y - step, z);
  const point_t* c = z - step >= 0 && z - step < n ? at(v, x, y, z - step) : NULL;
  double sum[FIVE];
  for (int i = 0; i < FIVE; ++i) {
    sum[i] = a->of[i] + b->of[i] + (c != NULL ? c->of[i] : 0);
    if (lower) sum[i] += at(rhs, x, y, z)->of[i];
  }
  for (int i = 0; i < FIVE; ++i) {
    double value = lower ? 0 : here->of[i];
    for (int k = 0; k < FIVE; ++k) value += inverse[i][k] * sum[k];
    here->of[i] = value;
  }
}

int main(int argc, char** argv) {
  int iterations = 2;
  nas_begin(argc, argv, &iterations, &n);
  nas_require((nas.tasks & (nas.tasks - 1)) == 0, "a power of two");
  nas_grid(nas.tasks, &part.rows, &part.columns);
  nas_require(n % part.columns == 0, "as many columns of tasks as divide the side of the box");
  for (int way = 0; way < 2; ++way) line[way] = nas_allocate((size_t)n, sizeof *line[way]);
  part.row = nas.rank / part.columns;
  part.column = nas.rank % part.columns;
  part.height = n / part.rows;
  part.width = n / part.columns;
  part.north = part.row > 0 ? nas.rank - part.columns : MPI_PROC_NULL;
  part.south = part.row + 1 < part.rows ? nas.rank + part.columns : MPI_PROC_NULL;
  part.west = part.column > 0 ? nas.rank - 1 : MPI_PROC_NULL;
  part.east = part.column + 1 < part.columns ? nas.rank + 1 : MPI_PROC_NULL;
  const size_t points = (size_t)(part.height + 2) * (size_t)(part.width + 2) * (size_t)n;
  u = nas_allocate(points, sizeof *u);
  rhs = nas_allocate(points, sizeof *rhs);
  v = nas_allocate(points, sizeof *v);
  invert();
  double mine = residual(), sum;
  nas_start();
  for (int turn = 0; turn < iterations; ++turn) {
    memset(v, 0, points * sizeof *v);
    for (int z = 0; z < n; ++z) {
      receive_plane(z, part.west, part.north, 10);
      for (int y = 0; y < part.height; ++y) {
        for (int x = 0; x < part.width; ++x) relax(x, y, z, 1, true);
      }
      send_plane(z, part.east, part.south, 10);
    }
    // The layers of the first sweep are none of the second one's.
    for (int z = 0; z < n; ++z) {
      for (int y = 0; y < part.height; ++y) memset(at(v, part.width, y, z), 0, sizeof *v);
      for (int x = 0; x < part.width; ++x) memset(at(v, x, part.height, z), 0, sizeof *v);
    }
    for (int z = n; z-- > 0;) {
      receive_plane(z, part.east, part.south, 11);
      for (int y = part.height; y-- > 0;) {
        for (int x = part.width; x-- > 0;) relax(x, y, z, -1, false);
      }
      send_plane(z, part.west, part.north, 11);
    }
    for (int z = 0; z < n; ++z) {
      for (int y = 0; y < part.height; ++y) {
        for (int x = 0; x < part.width; ++x) {
          for (int i = 0; i < FIVE; ++i) at(u, x, y, z)->of[i] += at(v, x, y, z)->of[i];
        }
      }
    }
    mine = residual();
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  nas_stop();
  return nas_end("lu", iterations * (double)n * n * n * (2 * (50.0 + 20) + 5 + 5 * 18), sqrt(sum));
}
