// SPDX-License-Identifier: Apache-2.0
// Epochs of targets that take part: fences, and post, start, complete, wait.
#include <stdlib.h>

#include "firmware/bgl/msglayer/activity.h"
#include "firmware/mpi/win_rma.h"

int PMPI_Win_fence(int assertion, MPI_Win handle) {
  bglmpi_win_t* win;
  BGLMPI_TRY(bglmpi_enter_win("MPI_Win_fence", handle, &win));
  BGLMPI_TRY(bglmpi_win_check_assertion(win, assertion,
                                        MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED));
  if (win->access > BGLMPI_ACCESS_FENCE || win->posted) {
    return bglmpi_fail(win->comm, MPI_ERR_RMA_SYNC, "an epoch of another kind has not ended");
  }
  bglmpi_win_flush_all(win);
  bglmpi_win_barrier(win);
  win->access = (assertion & MPI_MODE_NOSUCCEED) != 0 ? BGLMPI_NO_ACCESS : BGLMPI_ACCESS_FENCE;
  win->accessed = false;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_fence);

/// The ranks in the window of a group's members; to be freed.
static int ranks_of(bglmpi_win_t* win, MPI_Group handle, int* count, int** ranks) {
  bglmpi_group_t* group;
  BGLMPI_TRY(bglmpi_group(win->comm, handle, &group));
  int* table = bglmpi_group_table(win->comm->group);
  int* found = bglmpi_allocate((size_t)group->size * sizeof *found);
  int wrong = -1;
  for (int i = 0; i < group->size; ++i) {
    found[i] = table[group->ranks[i]];
    if (found[i] < 0 && wrong < 0) wrong = i;
  }
  *count = group->size;
  free(table);
  if (wrong >= 0) {
    free(found);
    return bglmpi_fail(win->comm, MPI_ERR_GROUP, "rank %d of the group is not in the window", wrong);
  }
  *ranks = found;
  return MPI_SUCCESS;
}

int PMPI_Win_post(MPI_Group group, int assertion, MPI_Win handle) {
  bglmpi_win_t* win;
  BGLMPI_TRY(bglmpi_enter_win("MPI_Win_post", handle, &win));
  BGLMPI_TRY(bglmpi_win_check_assertion(win, assertion, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT));
  if (win->posted)
    return bglmpi_fail(win->comm, MPI_ERR_RMA_SYNC, "the window is posted already; MPI_Win_wait() first");
  BGLMPI_TRY(ranks_of(win, group, &win->posted_count, &win->posted_to));
  win->posted = true;
  for (int i = 0; i < win->posted_count; ++i) bglmpi_rma_signal(win, win->posted_to[i], BGLMPI_RMA_POST, 0);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_post);

int PMPI_Win_start(MPI_Group group, int assertion, MPI_Win handle) {
  bglmpi_win_t* win;
  BGLMPI_TRY(bglmpi_enter_win("MPI_Win_start", handle, &win));
  BGLMPI_TRY(bglmpi_win_check_assertion(win, assertion, MPI_MODE_NOCHECK));
  if (win->access > BGLMPI_ACCESS_FENCE || win->accessed) {
    return bglmpi_fail(win->comm, MPI_ERR_RMA_SYNC, "another epoch of accesses has not ended");
  }
  BGLMPI_TRY(ranks_of(win, group, &win->started_count, &win->started));
  for (int i = 0; i < win->started_count; ++i) win->peers[win->started[i]].started = true;
  win->access = BGLMPI_ACCESS_START;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_start);

int PMPI_Win_complete(MPI_Win handle) {
  bglmpi_win_t* win;
  BGLMPI_TRY(bglmpi_enter_win("MPI_Win_complete", handle, &win));
  if (win->access != BGLMPI_ACCESS_START) {
    return bglmpi_fail(win->comm, MPI_ERR_RMA_SYNC, "MPI_Win_start() has not been called");
  }
  for (int i = 0; i < win->started_count; ++i) {
    bglmpi_peer_t* peer = &win->peers[win->started[i]];
    peer->started = false;
    peer->dirty = false;  // the target waits itself
    peer->posted -= 1;
    bglmpi_rma_signal(win, win->started[i], BGLMPI_RMA_COMPLETE, 0);
  }
  for (int i = 0; i < win->started_count; ++i) bglmpi_win_flush_local(win, win->started[i]);
  free(win->started);
  win->started = NULL;
  win->access = BGLMPI_NO_ACCESS;
  win->accessed = false;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_complete);

static int check_posted(bglmpi_win_t* win) {
  if (win->posted) return MPI_SUCCESS;
  return bglmpi_fail(win->comm, MPI_ERR_RMA_SYNC, "MPI_Win_post() has not been called");
}

/// All of the group have completed.
static void end(bglmpi_win_t* win) {
  for (int i = 0; i < win->posted_count; ++i) win->peers[win->posted_to[i]].complete -= 1;
  free(win->posted_to);
  win->posted_to = NULL;
  win->posted = false;
}

int PMPI_Win_wait(MPI_Win handle) {
  bglmpi_win_t* win;
  BGLMPI_TRY(bglmpi_enter_win("MPI_Win_wait", handle, &win));
  BGLMPI_TRY(check_posted(win));
  for (int i = 0; i < win->posted_count; ++i) {
    bglmpi_win_say(win, "%s on %s, for MPI_Win_complete() of rank %d", win->posted_to[i]);
    bglml_wait(&win->peers[win->posted_to[i]].complete);
  }
  bglml_say_done();
  end(win);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_wait);

int PMPI_Win_test(MPI_Win handle, int* flag) {
  bglmpi_win_t* win;
  BGLMPI_TRY(bglmpi_enter_win("MPI_Win_test", handle, &win));
  BGLMPI_TRY(bglmpi_check_given(win->comm, flag, "flag"));
  BGLMPI_TRY(check_posted(win));
  bglml_advance();
  *flag = 1;
  for (int i = 0; i < win->posted_count; ++i) *flag &= win->peers[win->posted_to[i]].complete != 0;
  if (*flag) end(win);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Win_test);
