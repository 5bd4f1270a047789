// SPDX-License-Identifier: Apache-2.0
// Pieces of accesses as messages of the message layer: their pool, and what goes and comes through the ports.
#include <string.h>

#include "firmware/mpi/environment.h"
#include "firmware/mpi/win_rma.h"

static bglml_port_t packet_port, eager_port, rendezvous_port;

// ---------------------------------------------------------------------------------------------------------------
// The pool

static bglmpi_rma_t* spare;
static uint32_t under_way;

bglmpi_rma_t* bglmpi_rma_new(bglmpi_win_t* win, int rank) {
  bglmpi_rma_t* rma = spare;
  if (rma != NULL) {
    spare = rma->next;
  } else {
    rma = bglmpi_allocate_aligned(sizeof *rma);
  }
  rma->next = NULL;
  rma->win = win;
  rma->rank = rank;
  rma->request = NULL;
  rma->packed = NULL;
  under_way += 1;
  return rma;
}

void bglmpi_rma_release(bglmpi_rma_t* rma) {
  under_way -= 1;
  if (rma->packed != NULL) bglmpi_free(rma->packed);
  rma->next = spare;
  spare = rma;
}

uint32_t bglmpi_rma_under_way(void) {
  return under_way;
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

static void packet_sent(void* rma) {
  bglmpi_rma_release(rma);
}

uint8_t* bglmpi_rma_packet(bglmpi_rma_t* rma, const bglmpi_rma_head_t* head, const bglmpi_strip_t* strips,
                           const void* bytes, uint32_t count) {
  uint8_t* packet = rma->u.short_one.packet;
  bglmpi_rma_head_t* own = (bglmpi_rma_head_t*)packet;
  *own = *head;
  own->win = rma->win->comm->context;
  own->rank = (uint32_t)rma->win->comm->rank;
  const uint32_t strip_bytes = head->strips * (uint32_t)sizeof *strips;
  memcpy(packet + sizeof *own, strips, strip_bytes);
  uint8_t* data = packet + sizeof *own + strip_bytes;
  if (bytes != NULL) memcpy(data, bytes, count);
  bglml_one_packet_init(&rma->u.short_one.message, packet_port, bglmpi_world_rank(rma->win->comm, rma->rank), 0, packet,
                        (uint32_t)sizeof *own + strip_bytes + count, packet_sent, rma);
  bglml_one_packet_post(&rma->u.short_one.message);
  return data;
}

void bglmpi_rma_signal(bglmpi_win_t* win, int rank, bglmpi_rma_kind_t kind, int op) {
  const bglmpi_rma_head_t head = {.kind = (uint8_t)kind, .op = (uint8_t)op};
  bglmpi_rma_packet(bglmpi_rma_new(win, rank), &head, NULL, NULL, 0);
}

/// What a message of its own begins with.
typedef struct {
  uint32_t win, rank;
  bglmpi_rma_t* origin;  ///< of a reply; NULL: to the window
  uint32_t unused;
} metadata_t;
_Static_assert(sizeof(metadata_t) == BGLML_METADATA_BYTES, "travels as metadata");

void bglmpi_rma_send(bglmpi_rma_t* rma, const void* bytes, const bglml_layout_t* layout, bool ordered, bool is_reply,
                     bglml_done_t done) {
  const metadata_t own = {rma->win->comm->context, (uint32_t)rma->win->comm->rank, is_reply ? rma->head.origin : NULL,
                          0};
  bglml_metadata_t metadata;
  memcpy(&metadata, &own, sizeof own);
  const uint32_t peer = bglmpi_world_rank(rma->win->comm, rma->rank);
  if (ordered || rma->bytes <= bglmpi_limits()->eager_bytes) {
    bglml_eager_t* message = &rma->u.eager;
    if (layout != NULL) {
      bglml_eager_init_layout(message, eager_port, peer, &metadata, bytes, layout, done, rma);
    } else {
      bglml_eager_init(message, eager_port, peer, &metadata, bytes, rma->bytes, done, rma);
    }
    bglml_eager_post(message);
  } else {
    bglml_rendezvous_t* message = &rma->u.rendezvous;
    if (layout != NULL) {
      bglml_rendezvous_init_layout(message, rendezvous_port, peer, &metadata, bytes, layout, done, rma);
    } else {
      bglml_rendezvous_init(message, rendezvous_port, peer, &metadata, bytes, rma->bytes, done, rma);
    }
    bglml_rendezvous_post(message);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

static bglmpi_win_t* window_of(uint32_t context, uint32_t source) {
  bglmpi_win_t* win = bglmpi_win_find(context);
  if (win == NULL) bglmpi_end("an access by rank %u of MPI_COMM_WORLD to a window that has been freed", source);
  return win;
}

static void packet_come(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)argument, (void)length;
  const bglmpi_rma_head_t* head = buffer;
  const bglmpi_strip_t* strips = (const bglmpi_strip_t*)(head + 1);
  bglmpi_rma_serve(window_of(head->win, source), head, strips, (const uint8_t*)(strips + head->strips));
}

/// The piece whose bytes a message brings, where they go and what is to be done then.
static bglmpi_rma_t* find(const void* data, uint32_t source, bglml_done_t* done, void** to) {
  metadata_t metadata;
  memcpy(&metadata, data, sizeof metadata);
  bglmpi_win_t* win = window_of(metadata.win, source);
  bglmpi_rma_t* rma = metadata.origin;
  uint8_t* at;
  if (rma == NULL) {
    rma = bglmpi_rma_expected(win, (int)metadata.rank);
    *done = bglmpi_rma_arrived;
    *to = rma->packed != NULL ? rma->packed : (void*)(uintptr_t)rma->strips[0].address;
    return rma;
  }
  *done = bglmpi_rma_reply_arrived;
  if (bglmpi_walk_piece(&rma->walk, &at) >= rma->bytes) {
    *to = at;
  } else {
    *to = rma->packed = bglmpi_allocate_aligned(rma->bytes);
  }
  return rma;
}

static const bglml_layout_t* layout_of(bglmpi_rma_t* rma, bglml_done_t done) {
  if (done != bglmpi_rma_arrived || rma->packed != NULL || rma->strips[0].count == 1) return NULL;
  rma->layout = bglml_layout_vector(rma->strips[0].count, rma->strips[0].bytes, rma->strips[0].stride);
  return &rma->layout;
}

static bglml_eager_receive_t* eager_come(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                         uint32_t length) {
  (void)context, (void)length;
  bglml_done_t done;
  void* to;
  bglmpi_rma_t* rma = find(metadata, source, &done, &to);
  const bglml_layout_t* layout = layout_of(rma, done);
  bglml_eager_receive_t* receive = &rma->u.eager_receive;
  if (layout != NULL) {
    bglml_eager_receive_init_layout(receive, to, layout, done, rma);
  } else {
    bglml_eager_receive_init(receive, to, done, rma);
  }
  return receive;
}

static bglml_rendezvous_receive_t* rendezvous_come(void* context, const bglml_rendezvous_offer_t* offer) {
  (void)context;
  bglml_done_t done;
  void* to;
  bglmpi_rma_t* rma = find(&offer->metadata, offer->source, &done, &to);
  const bglml_layout_t* layout = layout_of(rma, done);
  bglml_rendezvous_receive_t* receive = &rma->u.rendezvous_receive;
  if (layout != NULL) {
    bglml_rendezvous_receive_init_layout(receive, to, layout, done, rma);
  } else {
    // No whole lines: the coprocessor shall not take them past this core's cache, where the program may look for them.
    bglml_rendezvous_receive_init(receive, to, rma->bytes | 1u, done, rma);
  }
  return receive;
}

void bglmpi_rma_init(void) {
  static bool done;
  if (done) return;
  done = true;
  // At the first window of each process. Nothing comes through them before that: all members have registered them when
  // a window's creation ends, and no others are registered after MPI_Init().
  packet_port = bglml_one_packet_register(packet_come, NULL);
  eager_port = bglml_eager_register(eager_come, NULL);
  rendezvous_port = bglml_rendezvous_register(rendezvous_come, NULL);
}
