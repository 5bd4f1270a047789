/* SPDX-License-Identifier: Apache-2.0 */
/* Sums along the rows and columns of a grid of processes, with communicators made in several ways. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, width, row_rank, col_rank, row_sum, col_sum, ok = 1, all_ok, i;
  MPI_Comm row, col, evens;
  MPI_Group world_group, even_group;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (width = 1; (width + 1) * (width + 1) <= size; width++)
    ;
  MPI_Comm_split(MPI_COMM_WORLD, rank / width, rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % width, rank, &col);
  MPI_Comm_rank(row, &row_rank);
  MPI_Comm_rank(col, &col_rank);
  MPI_Allreduce(&rank, &row_sum, 1, MPI_INT, MPI_SUM, row);
  MPI_Allreduce(&rank, &col_sum, 1, MPI_INT, MPI_SUM, col);
  for (i = 0; i < size; i++) {
    if (i / width == rank / width) row_sum -= i;
    if (i % width == rank % width) col_sum -= i;
  }
  ok = row_sum == 0 && col_sum == 0 && row_rank == rank % width && col_rank == rank / width;

  MPI_Comm_group(MPI_COMM_WORLD, &world_group);
  int range[1][3] = {{0, size - 1, 2}};
  MPI_Group_range_incl(world_group, 1, range, &even_group);
  MPI_Comm_create(MPI_COMM_WORLD, even_group, &evens);
  if (evens != MPI_COMM_NULL) {
    int even_size, even_rank;
    MPI_Comm_size(evens, &even_size);
    MPI_Comm_rank(evens, &even_rank);
    ok = ok && even_size == (size + 1) / 2 && even_rank == rank / 2;
    MPI_Comm_free(&evens);
  } else {
    ok = ok && rank % 2 == 1;
  }
  MPI_Group_free(&even_group);
  MPI_Group_free(&world_group);
  MPI_Comm_free(&row);
  MPI_Comm_free(&col);
  MPI_Reduce(&ok, &all_ok, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("grid %s\n", all_ok ? "correct" : "wrong");
  MPI_Finalize();
  return 0;
}
