// SPDX-License-Identifier: Apache-2.0
// The shared file pointer: a number in a window of rank 0, which others add to. Rank 0 need not call anything: the
// network's interrupts serve it. And the locks of atomic files, which are the window's.
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/file.h"

/// Calls of windows name themselves as the function that runs.
static void restore(const char* running) {
  bglmpi_running = running;
}

void bglmpi_shared_open(bglmpi_file_t* file, const struct bglmpi_info* info) {
  file->shared = &file->alone;
  if (file->comm->size == 1) return;
  const char* running = bglmpi_running;
  struct bglmpi_info* hints = bglmpi_info_copy(NULL);
  const char* no_locks = info == NULL ? NULL : bglmpi_info_value(info, "no_locks");
  if (no_locks != NULL) bglmpi_info_set(hints, "no_locks", no_locks);
  MPI_Info handle = bglmpi_info_open(hints);
  PMPI_Win_allocate(file->comm->rank == 0 ? sizeof *file->shared : 0, sizeof *file->shared, handle,
                    file->comm->object.handle, &file->shared, &file->window);
  PMPI_Info_free(&handle);
  PMPI_Win_set_name(file->window, file->comm->name);
  if (file->comm->rank == 0) *file->shared = 0;
  bglmpi_agree_max(file->comm, 0);
  restore(running);
}

void bglmpi_shared_close(bglmpi_file_t* file) {
  if (file->window == MPI_WIN_NULL) return;
  const char* running = bglmpi_running;
  PMPI_Win_free(&file->window);
  restore(running);
}

MPI_Offset bglmpi_shared_add(bglmpi_file_t* file, MPI_Offset etypes) {
  MPI_Offset before;
  if (file->window == MPI_WIN_NULL) {
    before = file->alone;
    file->alone += etypes;
    return before;
  }
  const char* running = bglmpi_running;
  // Additions do not disturb each other: the lock need not be asked for.
  PMPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, file->window);
  PMPI_Fetch_and_op(&etypes, &before, MPI_OFFSET, 0, 0, etypes != 0 ? MPI_SUM : MPI_NO_OP, file->window);
  PMPI_Win_unlock(0, file->window);
  restore(running);
  return before;
}

MPI_Offset bglmpi_shared_add_ordered(bglmpi_file_t* file, MPI_Offset etypes) {
  const int ranks = file->comm->size, rank = file->comm->rank;
  MPI_Offset* counts = bglmpi_allocate((size_t)ranks * sizeof *counts);
  bglmpi_collect(file->comm, &etypes, sizeof etypes, counts);
  MPI_Offset sum = 0, before = 0, start = 0;
  for (int other = 0; other < ranks; ++other) {
    if (other == rank) before = sum;
    sum += counts[other];
  }
  bglmpi_free(counts);
  if (rank == 0) start = bglmpi_shared_add(file, sum);
  bglmpi_spread(file->comm, 0, &start, sizeof start);
  return start + before;
}

void bglmpi_shared_set(bglmpi_file_t* file, MPI_Offset etypes) {
  bglmpi_agree_max(file->comm, 0);
  if (file->comm->rank == 0) *file->shared = etypes;
  bglmpi_agree_max(file->comm, 0);
}

void bglmpi_file_lock(bglmpi_file_t* file, bool write) {
  if (!file->atomic || file->window == MPI_WIN_NULL) return;
  const char* running = bglmpi_running;
  PMPI_Win_lock(write ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, file->window);
  restore(running);
}

void bglmpi_file_unlock(bglmpi_file_t* file) {
  if (!file->atomic || file->window == MPI_WIN_NULL) return;
  const char* running = bglmpi_running;
  PMPI_Win_unlock(0, file->window);
  restore(running);
}
