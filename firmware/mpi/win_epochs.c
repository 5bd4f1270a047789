// SPDX-License-Identifier: Apache-2.0
// Epochs of targets that take part: fences, and post, start, complete, wait.
#include <stdlib.h>

#include "firmware/mpi/win_rma.h"

int PMPI_Win_fence(int assertion, MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_fence", handle, &win));
  MPII_TRY(mpii_win_check_assertion(win, assertion,
                                    MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED));
  if (win->access > MPII_ACCESS_FENCE || win->posted) {
    return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "an epoch of another kind has not ended");
  }
  mpii_win_flush_all(win);
  mpii_win_barrier(win);
  win->access = (assertion & MPI_MODE_NOSUCCEED) != 0 ? MPII_NO_ACCESS : MPII_ACCESS_FENCE;
  win->accessed = false;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_fence);

/// The ranks in the window of a group's members; to be freed.
static int ranks_of(mpii_win_t* win, MPI_Group handle, int* count, int** ranks) {
  mpii_group_t* group;
  MPII_TRY(mpii_group(win->comm, handle, &group));
  int* table = mpii_group_table(win->comm->group);
  int* found = mpii_allocate((size_t)group->size * sizeof *found);
  int wrong = -1;
  for (int i = 0; i < group->size; ++i) {
    found[i] = table[group->ranks[i]];
    if (found[i] < 0 && wrong < 0) wrong = i;
  }
  *count = group->size;
  free(table);
  if (wrong >= 0) {
    free(found);
    return mpii_fail(win->comm, MPI_ERR_GROUP, "rank %d of the group is not in the window", wrong);
  }
  *ranks = found;
  return MPI_SUCCESS;
}

int PMPI_Win_post(MPI_Group group, int assertion, MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_post", handle, &win));
  MPII_TRY(mpii_win_check_assertion(win, assertion, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT));
  if (win->posted) return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "the window is posted already; MPI_Win_wait() first");
  MPII_TRY(ranks_of(win, group, &win->posted_count, &win->posted_to));
  win->posted = true;
  for (int i = 0; i < win->posted_count; ++i) mpii_rma_signal(win, win->posted_to[i], MPII_RMA_POST, 0);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_post);

int PMPI_Win_start(MPI_Group group, int assertion, MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_start", handle, &win));
  MPII_TRY(mpii_win_check_assertion(win, assertion, MPI_MODE_NOCHECK));
  if (win->access > MPII_ACCESS_FENCE || win->accessed) {
    return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "another epoch of accesses has not ended");
  }
  MPII_TRY(ranks_of(win, group, &win->started_count, &win->started));
  for (int i = 0; i < win->started_count; ++i) win->peers[win->started[i]].started = true;
  win->access = MPII_ACCESS_START;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_start);

int PMPI_Win_complete(MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_complete", handle, &win));
  if (win->access != MPII_ACCESS_START) {
    return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "MPI_Win_start() has not been called");
  }
  for (int i = 0; i < win->started_count; ++i) {
    mpii_peer_t* peer = &win->peers[win->started[i]];
    peer->started = false;
    peer->dirty = false;  // the target waits itself
    peer->posted -= 1;
    mpii_win_reach(win, win->started[i]);
    mpii_rma_signal(win, win->started[i], MPII_RMA_COMPLETE, 0);
  }
  for (int i = 0; i < win->started_count; ++i) mpii_win_flush_local(win, win->started[i]);
  free(win->started);
  win->started = NULL;
  win->access = MPII_NO_ACCESS;
  win->accessed = false;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_complete);

static int check_posted(mpii_win_t* win) {
  if (win->posted) return MPI_SUCCESS;
  return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "MPI_Win_post() has not been called");
}

/// All of the group have completed.
static void end(mpii_win_t* win) {
  for (int i = 0; i < win->posted_count; ++i) win->peers[win->posted_to[i]].complete -= 1;
  free(win->posted_to);
  win->posted_to = NULL;
  win->posted = false;
}

int PMPI_Win_wait(MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_wait", handle, &win));
  MPII_TRY(check_posted(win));
  for (int i = 0; i < win->posted_count; ++i) {
    mpii_win_say(win, "%s on %s, for MPI_Win_complete() of rank %d", win->posted_to[i]);
    mpit_wait(&win->peers[win->posted_to[i]].complete);
  }
  mpit_stop_waiting();
  end(win);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_wait);

int PMPI_Win_test(MPI_Win handle, int* flag) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_test", handle, &win));
  MPII_TRY(mpii_check_given(win->comm, flag, "flag"));
  MPII_TRY(check_posted(win));
  mpit_advance();
  *flag = 1;
  for (int i = 0; i < win->posted_count; ++i) *flag &= win->peers[win->posted_to[i]].complete != 0;
  if (*flag) end(win);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_test);
