// SPDX-License-Identifier: Apache-2.0
// Waiting for what other processes do with a window: flushes and barriers.
#include "firmware/mpi/collective.h"
#include "firmware/mpi/threads.h"
#include "firmware/mpi/win_rma.h"

void mpii_win_say(const mpii_win_t* win, const char* what, int rank) {
  const char* name = win->comm->name[0] == '\0' ? "a window without a name" : win->comm->name;
  mpit_start_waiting(what, (uintptr_t)mpii_running, (uintptr_t)name, (uint32_t)rank, 0);
}

void mpii_win_await(const mpii_win_t* win, const volatile uint32_t* count, const char* what, int rank) {
  if (*count == 0) return;
  mpii_win_say(win, what, rank);
  while (*count != 0) mpii_turn();
  mpit_stop_waiting();
}

void mpii_win_barrier(mpii_win_t* win) {
  const uint32_t number = win->comm->collectives++;
  const mpii_call_t call = {win->comm, (int)((number << MPII_TAG_BITS | MPII_TAG_BARRIER) & MPI_TAG_UB_VALUE_), NULL};
  mpii_win_say(win, "%s on %s, for the other ranks", 0);
  const bool done = mpii_network_barrier(&call);
  mpit_stop_waiting();
  if (done) return;
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  mpii_plan_barrier(schedule, win->comm);
  mpii_schedule_run(schedule, NULL);
}

void mpii_win_reach(mpii_win_t* win, int rank) {
  mpii_win_await(win, &win->peers[rank].reaching, "%s on %s, for accesses to rank %d", rank);
}

void mpii_win_flush_local(mpii_win_t* win, int rank) {
  const mpii_peer_t* peer = &win->peers[rank];
  mpii_win_await(win, &peer->unsent, "%s on %s, sending to rank %d", rank);
  mpii_win_await(win, &peer->replies, "%s on %s, for what rank %d shall send", rank);
}

static void ask(mpii_win_t* win, int rank) {
  mpii_peer_t* peer = &win->peers[rank];
  if (!peer->dirty) return;
  peer->dirty = false;
  peer->answers += 1;
  mpii_rma_signal(win, rank, MPII_RMA_FLUSH, 0);
}

static void hear(mpii_win_t* win, int rank) {
  mpii_win_flush_local(win, rank);
  mpii_win_await(win, &win->peers[rank].answers, "%s on %s, for rank %d to do what it was asked", rank);
}

void mpii_win_flush(mpii_win_t* win, int rank) {
  ask(win, rank);
  hear(win, rank);
}

void mpii_win_flush_all(mpii_win_t* win) {
  const int ranks = win->comm->size;
  for (int rank = 0; rank < ranks; ++rank) ask(win, rank);
  for (int rank = 0; rank < ranks; ++rank) hear(win, rank);
}
