/* SPDX-License-Identifier: Apache-2.0 */
/* The heat equation on a square plate: Jacobi steps on a Cartesian grid of processes with halos. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 24
#define STEPS 40
#define IDX(i, j) ((i) * (ny + 2) + (j))

int main(int argc, char** argv) {
  int size, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2];
  int up, down, left, right, i, j, step, nx, ny, x0, y0;
  double *u, *unew, *tmp, local, global, diff, maxdiff = 0;
  MPI_Comm cart;
  MPI_Datatype column;

  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart);
  MPI_Comm_rank(cart, &rank);
  MPI_Cart_coords(cart, rank, 2, coords);
  MPI_Cart_shift(cart, 0, 1, &up, &down);
  MPI_Cart_shift(cart, 1, 1, &left, &right);

  x0 = coords[0] * N / dims[0];
  nx = (coords[0] + 1) * N / dims[0] - x0;
  y0 = coords[1] * N / dims[1];
  ny = (coords[1] + 1) * N / dims[1] - y0;
  u = calloc((size_t)((nx + 2) * (ny + 2)), sizeof(double));
  unew = calloc((size_t)((nx + 2) * (ny + 2)), sizeof(double));
  if (up == MPI_PROC_NULL)
    for (j = 0; j < ny + 2; j++) u[IDX(0, j)] = unew[IDX(0, j)] = 100.0;

  MPI_Type_vector(nx, 1, ny + 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);

  for (step = 0; step < STEPS; step++) {
    MPI_Request req[8];
    MPI_Irecv(&u[IDX(0, 1)], ny, MPI_DOUBLE, up, 0, cart, &req[0]);
    MPI_Irecv(&u[IDX(nx + 1, 1)], ny, MPI_DOUBLE, down, 1, cart, &req[1]);
    MPI_Irecv(&u[IDX(1, 0)], 1, column, left, 2, cart, &req[2]);
    MPI_Irecv(&u[IDX(1, ny + 1)], 1, column, right, 3, cart, &req[3]);
    MPI_Isend(&u[IDX(nx, 1)], ny, MPI_DOUBLE, down, 0, cart, &req[4]);
    MPI_Isend(&u[IDX(1, 1)], ny, MPI_DOUBLE, up, 1, cart, &req[5]);
    MPI_Isend(&u[IDX(1, ny)], 1, column, right, 2, cart, &req[6]);
    MPI_Isend(&u[IDX(1, 1)], 1, column, left, 3, cart, &req[7]);
    MPI_Waitall(8, req, MPI_STATUSES_IGNORE);
    diff = 0;
    for (i = 1; i <= nx; i++)
      for (j = 1; j <= ny; j++) {
        unew[IDX(i, j)] = 0.25 * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)]);
        if (fabs(unew[IDX(i, j)] - u[IDX(i, j)]) > diff) diff = fabs(unew[IDX(i, j)] - u[IDX(i, j)]);
      }
    if (up == MPI_PROC_NULL)
      for (j = 0; j < ny + 2; j++) unew[IDX(0, j)] = 100.0;
    tmp = u;
    u = unew;
    unew = tmp;
    MPI_Allreduce(&diff, &maxdiff, 1, MPI_DOUBLE, MPI_MAX, cart);
  }

  local = 0;
  for (i = 1; i <= nx; i++)
    for (j = 1; j <= ny; j++) local += u[IDX(i, j)];
  MPI_Reduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, 0, cart);
  if (rank == 0) printf("steps %d heat %.6f last change %.6f\n", STEPS, global, maxdiff);
  MPI_Type_free(&column);
  MPI_Comm_free(&cart);
  free(u);
  free(unew);
  MPI_Finalize();
  return 0;
}
