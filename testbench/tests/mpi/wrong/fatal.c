// SPDX-License-Identifier: Apache-2.0
// Errors that end the job, one an argument, at rank 1 alone; the others wait.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void give_up(MPI_Comm* comm, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  (void)comm;
  MPI_Error_string(*code, text, &length);
  fprintf(stderr, "the handler was told: %s\n", text);
  MPI_Abort(MPI_COMM_WORLD, 7);
}

int main(int argc, char** argv) {
  int rank, value = 0;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (rank != 1) MPI_Recv(&value, 1, MPI_INT, 1, 0, comm, MPI_STATUS_IGNORE);
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "rank") == 0) MPI_Send(&value, 1, MPI_INT, 4711, 0, comm);
  if (strcmp(what, "null") == 0) MPI_Comm_rank(MPI_COMM_NULL, &value);
  if (strcmp(what, "called") == 0) MPI_Comm_call_errhandler(comm, MPI_ERR_TOPOLOGY);
  if (strcmp(what, "group") == 0) MPI_Group_size(MPI_GROUP_NULL, &value);
  if (strcmp(what, "split") == 0) MPI_Comm_split(comm, -3, 0, &comm);
  if (strcmp(what, "own") == 0) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(give_up, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Send(&value, -1, MPI_INT, 0, 0, comm);
  }
  MPI_Finalize();
  return 0;
}
