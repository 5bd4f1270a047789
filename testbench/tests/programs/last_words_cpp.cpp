// SPDX-License-Identifier: Apache-2.0
//
// last_words.c by std::cout; `held` before it: with a buffer of the C++ library's own.
#include <mpi.h>

#include <iostream>
#include <string>

int main(int argc, char** argv) {
  int rank;
  if (argc > 2) std::ios_base::sync_with_stdio(false);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string how = argv[argc - 1];
  std::cout << "rank " << rank << " of C++\n";
  std::cout << "about to " << how;
  std::cout << " on " << rank << "\n";
  MPI_Barrier(MPI_COMM_WORLD);
  std::cout << rank << ": no newline";
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1 && how == "fault") *static_cast<volatile int*>(nullptr) = 1;
  if (rank == 1 && how == "abort") MPI_Abort(MPI_COMM_WORLD, 7);
  for (volatile bool on = how == "forever"; on;) {
  }
  int never;
  MPI_Recv(&never, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
