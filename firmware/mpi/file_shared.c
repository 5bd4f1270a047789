// SPDX-License-Identifier: Apache-2.0
// The shared file pointer: a number in a window of rank 0, which others add to. Rank 0 need not call anything: the
// network's interrupts serve it. And the locks of atomic files, which are the window's.
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/file.h"
#include "firmware/mpi/threads.h"

/// The window's locks are the process's: its threads take turns.
static void begin_turn(mpii_file_t* file) {
#if MPIT_THREADS
  while (file->locked) mpii_turn();
  file->locked = true;
#else
  (void)file;
#endif
}

static void end_turn(mpii_file_t* file) {
#if MPIT_THREADS
  file->locked = false;
#else
  (void)file;
#endif
}

/// Calls of windows name themselves as the function that runs.
static void restore(const char* running) {
  mpii_running = running;
}

void mpii_shared_open(mpii_file_t* file, const struct mpii_info* info) {
  file->shared = &file->alone;
  if (file->comm->size == 1) return;
  const char* running = mpii_running;
  struct mpii_info* hints = mpii_info_copy(NULL);
  const char* no_locks = info == NULL ? NULL : mpii_info_value(info, "no_locks");
  if (no_locks != NULL) mpii_info_set(hints, "no_locks", no_locks);
  MPI_Info handle = mpii_info_open(hints);
  PMPI_Win_allocate(file->comm->rank == 0 ? sizeof *file->shared : 0, sizeof *file->shared, handle,
                    file->comm->object.handle, &file->shared, &file->window);
  PMPI_Info_free(&handle);
  PMPI_Win_set_name(file->window, file->comm->name);
  if (file->comm->rank == 0) *file->shared = 0;
  mpii_agree_max(file->comm, 0);
  restore(running);
}

void mpii_shared_close(mpii_file_t* file) {
  if (file->window == MPI_WIN_NULL) return;
  const char* running = mpii_running;
  PMPI_Win_free(&file->window);
  restore(running);
}

MPI_Offset mpii_shared_add(mpii_file_t* file, MPI_Offset etypes) {
  MPI_Offset before;
  if (file->window == MPI_WIN_NULL) {
    before = file->alone;
    file->alone += etypes;
    return before;
  }
  const char* running = mpii_running;
  begin_turn(file);
  // Additions do not disturb each other: the lock need not be asked for.
  PMPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, file->window);
  PMPI_Fetch_and_op(&etypes, &before, MPI_OFFSET, 0, 0, etypes != 0 ? MPI_SUM : MPI_NO_OP, file->window);
  PMPI_Win_unlock(0, file->window);
  end_turn(file);
  restore(running);
  return before;
}

MPI_Offset mpii_shared_add_ordered(mpii_file_t* file, MPI_Offset etypes) {
  const int ranks = file->comm->size, rank = file->comm->rank;
  MPI_Offset* counts = mpii_allocate((size_t)ranks * sizeof *counts);
  mpii_collect(file->comm, &etypes, sizeof etypes, counts);
  MPI_Offset sum = 0, before = 0, start = 0;
  for (int other = 0; other < ranks; ++other) {
    if (other == rank) before = sum;
    sum += counts[other];
  }
  mpii_free(counts);
  if (rank == 0) start = mpii_shared_add(file, sum);
  mpii_spread(file->comm, 0, &start, sizeof start);
  return start + before;
}

void mpii_shared_set(mpii_file_t* file, MPI_Offset etypes) {
  mpii_agree_max(file->comm, 0);
  if (file->comm->rank == 0) *file->shared = etypes;
  mpii_agree_max(file->comm, 0);
}

void mpii_file_lock(mpii_file_t* file, bool write) {
  if (!file->atomic || file->window == MPI_WIN_NULL) return;
  const char* running = mpii_running;
  begin_turn(file);
  PMPI_Win_lock(write ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, file->window);
  restore(running);
}

void mpii_file_unlock(mpii_file_t* file) {
  if (!file->atomic || file->window == MPI_WIN_NULL) return;
  const char* running = mpii_running;
  PMPI_Win_unlock(0, file->window);
  end_turn(file);
  restore(running);
}
