// SPDX-License-Identifier: Apache-2.0
/// A job in one process: every rank is a copy of the program, loaded as a library of its own, with its own variables
/// and its own stack. In mpi_ranks they take turns: one runs until it calls ranks_yield(). In mpi_threaded_ranks they
/// are threads.
#ifndef TOROID_TESTBENCH_TESTS_MPI_NATIVE_RANKS_H
#define TOROID_TESTBENCH_TESTS_MPI_NATIVE_RANKS_H

#include <stdint.h>

/// What has been sent to a rank and not yet received, in order.
typedef struct {
  struct wire* first;
  struct wire* last;
} ranks_inbox_t;

/// The rank whose program's main() calls this.
uint32_t ranks_self(void);
uint32_t ranks_size(void);
ranks_inbox_t* ranks_inbox(uint32_t rank);
/// The number of times that ranks have called mpit_meet().
uint32_t* ranks_arrivals(void);

/// Between them a rank looks at other ranks' inboxes and changes them.
void ranks_lock(void);
void ranks_unlock(void);

/// Let the others run. Ends the process if for a long time no rank makes progress.
void ranks_yield(void);
/// This rank has done something.
void ranks_progress(void);

#endif
