/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs here share. Each checks a part of MPI by itself: a line on standard error for each check that
 * fails, with the rank, and exit status 1; rank 0 prints "ok" where all ranks found everything right. Any number of
 * ranks will do.
 */
#ifndef TOROID_TESTBENCH_TESTS_MPI_CHECK_H
#define TOROID_TESTBENCH_TESTS_MPI_CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int check_failures;

/* Whether `condition` holds; the rest is printf's, to say what does not. */
#define CHECK(condition, ...)                                               \
  do {                                                                      \
    if (!(condition)) {                                                     \
      int check_rank_;                                                      \
      PMPI_Comm_rank(MPI_COMM_WORLD, &check_rank_);                         \
      fprintf(stderr, "rank %d, %s:%d: ", check_rank_, __FILE__, __LINE__); \
      fprintf(stderr, __VA_ARGS__);                                         \
      fprintf(stderr, " (%s)\n", #condition);                               \
      ++check_failures;                                                     \
    }                                                                       \
  } while (0)

/* Whether a call answers with an error class. */
#define CHECK_ERROR(wanted, call)                                                                     \
  do {                                                                                                \
    const int check_error_ = (call);                                                                  \
    CHECK(check_error_ == (wanted), "%s gives error class %d, not %s", #call, check_error_, #wanted); \
  } while (0)

/* The same numbers at all ranks that begin with the same state. */
static inline unsigned check_random(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* The end of main(): return check_end(). */
static inline int check_end(void) {
  int rank, size, sum = check_failures;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* By messages, so that nothing else is needed. */
  if (rank == 0) {
    for (int other = 1; other < size; ++other) {
      int failures;
      MPI_Recv(&failures, 1, MPI_INT, other, 4711, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += failures;
    }
    printf("%s\n", sum == 0 ? "ok" : "failed");
  } else {
    MPI_Send(&sum, 1, MPI_INT, 0, 4711, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return check_failures != 0;
}

#endif
