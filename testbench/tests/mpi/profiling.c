// SPDX-License-Identifier: Apache-2.0
// The profiling interface: this program defines MPI functions itself and goes on by their PMPI names.
#include <string.h>

#include "check.h"

static int sends, bytes_sent, waits, inits;

int MPI_Send(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm) {
  int bytes;
  PMPI_Type_size(datatype, &bytes);
  ++sends;
  bytes_sent += count * bytes;
  return PMPI_Send(buffer, count, datatype, destination, tag, comm);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  ++waits;
  return PMPI_Wait(request, status);
}

int MPI_Init(int* argc, char*** argv) {
  ++inits;
  return PMPI_Init(argc, argv);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double out[3] = {rank, 2, 3}, in[3];
  MPI_Request request;
  MPI_Irecv(in, 3, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &request);
  MPI_Send(out, 3, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(in[0] == (rank + size - 1) % size && in[2] == 3, "the message");
  CHECK(inits == 1 && sends == 1 && bytes_sent == 24 && waits == 1, "%d sends, %d waits", sends, waits);
  // What the library calls inside goes by no function of the program's.
  MPI_Sendrecv(out, 1, MPI_DOUBLE, (rank + 1) % size, 2, in, 1, MPI_DOUBLE, (rank + size - 1) % size, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK(sends == 1 && waits == 1, "the library calls the program's functions: %d sends, %d waits", sends, waits);
  return check_end();
}
