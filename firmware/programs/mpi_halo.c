// SPDX-License-Identifier: Apache-2.0
// A halo exchange as codes on structured grids have it: Jacobi's iteration for the heat equation on a periodic box.
// Each rank has a cube of it and trades faces with its six neighbours in every step. Prints what is left of the heat's
// differences; the sum of it must stay.
//
//   mpi_halo [points along a side of each rank's cube] [steps]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/mpi/mpi.h"

static int side;  ///< points of the cube, without the halo

static size_t place(int x, int y, int z) {
  const size_t row = (size_t)side + 2;
  return ((size_t)z * row + (size_t)y) * row + (size_t)x;
}

/// Types of a face across each dimension, between the corners of the halo.
static void make_faces(MPI_Datatype faces[3]) {
  const int sizes[3] = {side + 2, side + 2, side + 2}, starts[3] = {0, 0, 0};
  for (int d = 0; d < 3; ++d) {
    int part[3] = {side, side, side};
    part[2 - d] = 1;
    MPI_Type_create_subarray(3, sizes, part, starts, MPI_ORDER_C, MPI_DOUBLE, &faces[d]);
    MPI_Type_commit(&faces[d]);
  }
}

/// The first point of the face across dimension `d` at coordinate `at`.
static double* face(double* field, int d, int at) {
  const int first[3] = {d == 0 ? at : 1, d == 1 ? at : 1, d == 2 ? at : 1};
  return field + place(first[0], first[1], first[2]);
}

static void exchange(double* field, const MPI_Datatype faces[3], MPI_Comm grid) {
  MPI_Request requests[12];
  for (int d = 0; d < 3; ++d) {
    int lower, upper;
    MPI_Cart_shift(grid, d, 1, &lower, &upper);
    MPI_Irecv(face(field, d, 0), 1, faces[d], lower, 2 * d, grid, &requests[4 * d]);
    MPI_Irecv(face(field, d, side + 1), 1, faces[d], upper, 2 * d + 1, grid, &requests[4 * d + 1]);
    MPI_Isend(face(field, d, side), 1, faces[d], upper, 2 * d, grid, &requests[4 * d + 2]);
    MPI_Isend(face(field, d, 1), 1, faces[d], lower, 2 * d + 1, grid, &requests[4 * d + 3]);
  }
  MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
}

/// One step from `now` to `next`. Returns this rank's part of the squared change.
static double step(const double* now, double* next) {
  const size_t row = (size_t)side + 2, plane = row * row;
  double change = 0;
  for (int z = 1; z <= side; ++z) {
    for (int y = 1; y <= side; ++y) {
      for (size_t i = place(1, y, z), end = i + (size_t)side; i < end; ++i) {
        next[i] = (now[i - 1] + now[i + 1] + now[i - row] + now[i + row] + now[i - plane] + now[i + plane]) / 6;
        change += (next[i] - now[i]) * (next[i] - now[i]);
      }
    }
  }
  return change;
}

static double heat(const double* field) {
  double sum = 0;
  for (int z = 1; z <= side; ++z) {
    for (int y = 1; y <= side; ++y) {
      for (int x = 1; x <= side; ++x) sum += field[place(x, y, z)];
    }
  }
  return sum;
}

int main(int argc, char** argv) {
  int ranks, rank, dimensions[3] = {0, 0, 0};
  const int periods[3] = {1, 1, 1};
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  side = argc > 1 ? atoi(argv[1]) : 16;
  const int steps = argc > 2 ? atoi(argv[2]) : 100;
  if (side < 1 || steps < 0) {
    fprintf(stderr, "usage: %s [points along a side, at least 1] [steps]\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, dimensions);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dimensions, periods, 1, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Datatype faces[3];
  make_faces(faces);
  double* now = calloc(place(side + 1, side + 1, side + 1) + 1, sizeof(double));
  double* next = calloc(place(side + 1, side + 1, side + 1) + 1, sizeof(double));
  if (now == NULL || next == NULL) {
    fprintf(stderr, "no memory for two cubes of %d points a side\n", side);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (rank == 0) now[place(1, 1, 1)] = 1000;
  double change = 0;
  const double began = MPI_Wtime();
  for (int turn = 0; turn < steps; ++turn) {
    exchange(now, faces, grid);
    const double mine = step(now, next);
    MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_SUM, grid);
    double* const other = now;
    now = next;
    next = other;
  }
  const double seconds = MPI_Wtime() - began, mine = heat(now);
  double sum;
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, grid);
  if (rank == 0) {
    printf("halo ranks=%d points=%d steps=%d seconds=%.9f heat=%.9f change=%.6e\n", ranks, side, steps, seconds, sum,
           sqrt(change));
  }
  MPI_Finalize();
  return 0;
}
