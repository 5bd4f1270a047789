// SPDX-License-Identifier: Apache-2.0
// Pieces of accesses as messages of the transport: their pool, what goes and what comes.
#include <string.h>

#include "firmware/mpi/win_rma.h"

// ---------------------------------------------------------------------------------------------------------------
// The pool

static mpii_rma_t* spare;
static uint32_t under_way;

mpii_rma_t* mpii_rma_new(mpii_win_t* win, int rank) {
  mpii_rma_t* rma = spare;
  if (rma != NULL) {
    spare = rma->next;
  } else {
    rma = mpii_allocate_aligned(sizeof *rma + mpit_state_bytes);
  }
  rma->next = NULL;
  rma->win = win;
  rma->rank = rank;
  rma->request = NULL;
  rma->packed = NULL;
  under_way += 1;
  return rma;
}

void mpii_rma_release(mpii_rma_t* rma) {
  under_way -= 1;
  if (rma->packed != NULL) mpii_free(rma->packed);
  rma->next = spare;
  spare = rma;
}

uint32_t mpii_rma_under_way(void) {
  return under_way;
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

static void packet_sent(void* rma) {
  mpii_rma_release(rma);
}

uint8_t* mpii_rma_packet(mpii_rma_t* rma, const mpii_rma_head_t* head, const mpii_strip_t* strips) {
  uint8_t* packet = rma->state;
  mpii_rma_head_t* own = (mpii_rma_head_t*)packet;
  *own = *head;
  own->win = rma->win->comm->context;
  own->rank = (uint32_t)rma->win->comm->rank;
  const size_t strip_bytes = head->strips * sizeof *strips;
  if (strips != NULL) memcpy(packet + sizeof *own, strips, strip_bytes);
  return packet + sizeof *own + strip_bytes;
}

void mpii_rma_send_packet(mpii_rma_t* rma, const uint8_t* end) {
  mpit_send_short(rma->state, MPIT_ACCESSES, mpii_world_rank(rma->win->comm, rma->rank), (size_t)(end - rma->state),
                  packet_sent, rma);
}

void mpii_rma_signal(mpii_win_t* win, int rank, mpii_rma_kind_t kind, int op) {
  const mpii_rma_head_t head = {.kind = (uint8_t)kind, .op = (uint8_t)op};
  mpii_rma_t* rma = mpii_rma_new(win, rank);
  mpii_rma_send_packet(rma, mpii_rma_packet(rma, &head, NULL));
}

/// What a message of its own begins with.
typedef struct {
  uint32_t win, rank;
  mpii_rma_t* origin;  ///< of a reply; NULL: to the window
} __attribute__((aligned(16))) long_head_t;
_Static_assert(sizeof(long_head_t) == MPIT_HEAD_BYTES, "travels as the head");

void mpii_rma_send(mpii_rma_t* rma, const mpit_place_t* from, bool ordered, bool is_reply, mpit_done_t done) {
  const mpii_comm_t* comm = rma->win->comm;
  const long_head_t head = {comm->context, (uint32_t)comm->rank, is_reply ? rma->head.origin : NULL};
  mpit_send(rma->state, MPIT_ACCESSES, mpii_world_rank(comm, rma->rank), &head, from,
            ordered ? MPIT_ORDERED : MPIT_PLAIN, done, rma);
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

static mpii_win_t* window_of(uint32_t context, uint32_t source) {
  mpii_win_t* win = mpii_win_find(context);
  if (win == NULL) mpii_end("an access by rank %u of MPI_COMM_WORLD to a window that has been freed", source);
  return win;
}

void mpii_access_came(uint32_t source, const void* data, size_t bytes) {
  (void)bytes;
  const mpii_rma_head_t* head = data;
  const mpii_strip_t* strips = (const mpii_strip_t*)(head + 1);
  mpii_rma_serve(window_of(head->win, source), head, strips, (const uint8_t*)(strips + head->strips));
}

/// The bytes of a piece that has been announced.
static void announced(mpii_rma_t* rma, mpit_landing_t* landing) {
  landing->done = mpii_rma_arrived;
  const mpii_strip_t* strip = &rma->strips[0];
  if (rma->packed != NULL) {
    mpit_contiguous(&landing->place, rma->packed, rma->bytes);
  } else {
    mpii_strip_place(strip, &landing->place);
  }
}

/// Those that this process has asked for.
static void replied(mpii_rma_t* rma, mpit_landing_t* landing) {
  uint8_t* at;
  landing->done = mpii_rma_reply_arrived;
  if (mpii_walk_piece(&rma->walk, &at) < rma->bytes) at = rma->packed = mpii_allocate_aligned(rma->bytes);
  mpit_contiguous(&landing->place, at, rma->bytes);
}

void mpii_access_begins(uint32_t source, const void* data, size_t bytes, mpit_landing_t* landing) {
  (void)bytes;
  long_head_t head;
  memcpy(&head, data, sizeof head);
  mpii_win_t* win = window_of(head.win, source);
  mpii_rma_t* rma = head.origin != NULL ? head.origin : mpii_rma_expected(win, (int)head.rank);
  if (head.origin == NULL) {
    announced(rma, landing);
  } else {
    replied(rma, landing);
  }
  landing->coherent = true;
  landing->state = rma->state;
  landing->context = rma;
}
