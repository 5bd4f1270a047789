// SPDX-License-Identifier: Apache-2.0
// Waiting for what other processes do with a window: flushes and barriers.
#include "firmware/bgl/msglayer/activity.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/win_rma.h"

void bglmpi_win_say(const bglmpi_win_t* win, const char* what, int rank) {
  const char* name = win->comm->name[0] == '\0' ? "a window without a name" : win->comm->name;
  bglml_say_waiting(what, (uint32_t)(uintptr_t)bglmpi_running, (uint32_t)(uintptr_t)name, (uint32_t)rank, 0);
}

void bglmpi_win_await(const bglmpi_win_t* win, const volatile uint32_t* count, const char* what, int rank) {
  if (*count == 0) return;
  bglmpi_win_say(win, what, rank);
  while (*count != 0) bglml_advance();
  bglml_say_done();
}

void bglmpi_win_barrier(bglmpi_win_t* win) {
  const uint32_t number = win->comm->collectives++;
  const bglmpi_call_t call = {win->comm, (int)((number << BGLMPI_TAG_BITS | BGLMPI_TAG_BARRIER) & MPI_TAG_UB_VALUE_),
                              NULL};
  bglmpi_win_say(win, "%s on %s, for the other ranks", 0);
  const bool done = bglmpi_network_barrier(&call);
  bglml_say_done();
  if (done) return;
  bglmpi_schedule_t* schedule = bglmpi_call_schedule(&call);
  bglmpi_plan_barrier(schedule, win->comm);
  bglmpi_schedule_run(schedule, NULL);
}

void bglmpi_win_flush_local(bglmpi_win_t* win, int rank) {
  const bglmpi_peer_t* peer = &win->peers[rank];
  bglmpi_win_await(win, &peer->unsent, "%s on %s, sending to rank %d", rank);
  bglmpi_win_await(win, &peer->replies, "%s on %s, for what rank %d shall send", rank);
}

static void ask(bglmpi_win_t* win, int rank) {
  bglmpi_peer_t* peer = &win->peers[rank];
  if (!peer->dirty) return;
  peer->dirty = false;
  peer->answers += 1;
  bglmpi_rma_signal(win, rank, BGLMPI_RMA_FLUSH, 0);
}

static void hear(bglmpi_win_t* win, int rank) {
  bglmpi_win_flush_local(win, rank);
  bglmpi_win_await(win, &win->peers[rank].answers, "%s on %s, for rank %d to do what it was asked", rank);
}

void bglmpi_win_flush(bglmpi_win_t* win, int rank) {
  ask(win, rank);
  hear(win, rank);
}

void bglmpi_win_flush_all(bglmpi_win_t* win) {
  const int ranks = win->comm->size;
  for (int rank = 0; rank < ranks; ++rank) ask(win, rank);
  for (int rank = 0; rank < ranks; ++rank) hear(win, rank);
}
