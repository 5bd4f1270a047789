/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators that collective operations are tried on: of all ranks, of one, of some, in any order. */
#ifndef TOROID_TESTBENCH_TESTS_MPI_COMMS_H
#define TOROID_TESTBENCH_TESTS_MPI_COMMS_H

#include <mpi.h>

enum { COMMS_MOST = 5 };
static MPI_Comm comms[COMMS_MOST];
static int comms_count;

static inline void comms_make(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  comms[comms_count++] = MPI_COMM_WORLD;
  /* All, the other way around; halves, of different sizes; a copy of the first. */
  MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &comms[comms_count++]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3 == 0, rank, &comms[comms_count++]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[comms_count++]);
  comms[comms_count++] = MPI_COMM_SELF;
}

#endif
