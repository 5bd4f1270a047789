// SPDX-License-Identifier: Apache-2.0
// Epochs of targets that take no part: locks and flushes.
#include "firmware/mpi/transport.h"
#include "firmware/mpi/win_rma.h"

// ---------------------------------------------------------------------------------------------------------------
// At the target: who comes first gets the lock first.

/// Give the lock to those at the head of the queue, as far as it can be given.
static void grant(mpii_win_t* win) {
  while (win->first >= 0) {
    const int rank = win->first;
    mpii_peer_t* peer = &win->peers[rank];
    if (win->exclusive || (peer->wants == MPI_LOCK_EXCLUSIVE && win->sharing != 0)) return;
    if (peer->wants == MPI_LOCK_EXCLUSIVE) {
      win->exclusive = true;
    } else {
      win->sharing += 1;
    }
    win->first = peer->next;
    mpii_rma_signal(win, rank, MPII_RMA_GRANT, 0);
  }
}

void mpii_rma_lock(mpii_win_t* win, int rank, int type) {
  mpii_peer_t* peer = &win->peers[rank];
  peer->wants = (uint8_t)type;
  peer->next = -1;
  if (win->first < 0) {
    win->first = rank;
  } else {
    win->peers[win->last].next = rank;
  }
  win->last = rank;
  grant(win);
}

void mpii_rma_unlock(mpii_win_t* win, int rank) {
  (void)rank;
  if (win->exclusive) {
    win->exclusive = false;
  } else {
    win->sharing -= 1;
  }
  grant(win);
}

// ---------------------------------------------------------------------------------------------------------------
// At the origin

void mpii_win_take_lock(mpii_win_t* win, int rank, int type) {
  mpii_peer_t* peer = &win->peers[rank];
  peer->unlocked = 1;
  mpii_rma_signal(win, rank, MPII_RMA_LOCK, type);
  mpii_win_await(win, &peer->unlocked,
                 type == MPI_LOCK_SHARED ? "%s on %s, for the shared lock of rank %d"
                                         : "%s on %s, for the exclusive lock of rank %d",
                 rank);
  peer->lock = MPII_LOCKED;
}

/// Ask for an unlock; the answer says that all is done.
static void let_go(mpii_win_t* win, int rank) {
  mpii_peer_t* peer = &win->peers[rank];
  if (peer->lock != MPII_LOCKED) return;
  peer->dirty = false;
  peer->answers += 1;
  mpii_win_reach(win, rank);
  mpii_rma_signal(win, rank, MPII_RMA_UNLOCK, 0);
}

int PMPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_lock", handle, &win));
  if (lock_type != MPI_LOCK_SHARED && lock_type != MPI_LOCK_EXCLUSIVE) {
    return mpii_fail(win->comm, MPI_ERR_LOCKTYPE, "lock type is %d; it is MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE",
                     lock_type);
  }
  MPII_TRY(mpii_win_check_rank(win, rank));
  MPII_TRY(mpii_win_check_assertion(win, assertion, MPI_MODE_NOCHECK));
  if (win->access != MPII_ACCESS_LOCK && (win->access > MPII_ACCESS_FENCE || win->accessed)) {
    return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "another epoch of accesses has not ended");
  }
  if (rank != MPI_PROC_NULL) {
    mpii_peer_t* peer = &win->peers[rank];
    if (peer->lock != MPII_UNLOCKED) {
      return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "this process has rank %d's lock already", rank);
    }
    if ((assertion & MPI_MODE_NOCHECK) != 0) {
      peer->lock = MPII_LOCK_ASSUMED;
    } else {
      mpii_win_take_lock(win, rank, lock_type);
    }
  }
  win->access = MPII_ACCESS_LOCK;
  win->locked += 1;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_lock);

int PMPI_Win_unlock(int rank, MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_unlock", handle, &win));
  MPII_TRY(mpii_win_check_rank(win, rank));
  if (win->access != MPII_ACCESS_LOCK || (rank != MPI_PROC_NULL && win->peers[rank].lock == MPII_UNLOCKED)) {
    return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "this process does not have rank %d's lock", rank);
  }
  if (rank != MPI_PROC_NULL) {
    let_go(win, rank);
    mpii_win_flush(win, rank);
    win->peers[rank].lock = MPII_UNLOCKED;
  }
  win->locked -= 1;
  if (win->locked == 0) {
    win->access = MPII_NO_ACCESS;
    win->accessed = false;
  }
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_unlock);

int PMPI_Win_lock_all(int assertion, MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_lock_all", handle, &win));
  MPII_TRY(mpii_win_check_assertion(win, assertion, MPI_MODE_NOCHECK));
  if (win->access > MPII_ACCESS_FENCE || win->accessed) {
    return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "another epoch of accesses has not ended");
  }
  for (int rank = 0; (assertion & MPI_MODE_NOCHECK) != 0 && rank < win->comm->size; ++rank) {
    win->peers[rank].lock = MPII_LOCK_ASSUMED;
  }
  win->access = MPII_ACCESS_LOCK_ALL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_lock_all);

int PMPI_Win_unlock_all(MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_unlock_all", handle, &win));
  if (win->access != MPII_ACCESS_LOCK_ALL) {
    return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "MPI_Win_lock_all() has not been called");
  }
  for (int rank = 0; rank < win->comm->size; ++rank) let_go(win, rank);
  mpii_win_flush_all(win);
  for (int rank = 0; rank < win->comm->size; ++rank) win->peers[rank].lock = MPII_UNLOCKED;
  win->access = MPII_NO_ACCESS;
  win->accessed = false;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_unlock_all);

// ---------------------------------------------------------------------------------------------------------------
// Flushes

static int enter(const char* function, MPI_Win handle, mpii_win_t** win) {
  MPII_TRY(mpii_enter_win(function, handle, win));
  if ((*win)->access >= MPII_ACCESS_LOCK) return MPI_SUCCESS;
  return mpii_fail((*win)->comm, MPI_ERR_RMA_SYNC, "this process has no lock of the window");
}

static int flush_one(const char* function, int rank, MPI_Win handle, void (*flush)(mpii_win_t*, int)) {
  mpii_win_t* win;
  MPII_TRY(enter(function, handle, &win));
  MPII_TRY(mpii_win_check_rank(win, rank));
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  if (win->access == MPII_ACCESS_LOCK && win->peers[rank].lock == MPII_UNLOCKED) {
    return mpii_fail(win->comm, MPI_ERR_RMA_SYNC, "this process does not have rank %d's lock", rank);
  }
  flush(win, rank);
  return MPI_SUCCESS;
}

int PMPI_Win_flush(int rank, MPI_Win win) {
  return flush_one("MPI_Win_flush", rank, win, mpii_win_flush);
}
MPII_PUBLIC(Win_flush);

int PMPI_Win_flush_local(int rank, MPI_Win win) {
  return flush_one("MPI_Win_flush_local", rank, win, mpii_win_flush_local);
}
MPII_PUBLIC(Win_flush_local);

int PMPI_Win_flush_all(MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(enter("MPI_Win_flush_all", handle, &win));
  mpii_win_flush_all(win);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_flush_all);

int PMPI_Win_flush_local_all(MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(enter("MPI_Win_flush_local_all", handle, &win));
  for (int rank = 0; rank < win->comm->size; ++rank) mpii_win_flush_local(win, rank);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_flush_local_all);

int PMPI_Win_sync(MPI_Win handle) {
  mpii_win_t* win;
  MPII_TRY(mpii_enter_win("MPI_Win_sync", handle, &win));
  // There is one copy of a window: all that is needed is to let others in.
  mpit_advance();
  return MPI_SUCCESS;
}
MPII_PUBLIC(Win_sync);
