/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages of one-sided communication. Each is a packet: a head, strips that say where its bytes lie at the target,
 * the bytes. Where these are many, they follow in a message of their own. For the library's own files.
 */
#ifndef TOROID_FIRMWARE_MPI_WIN_RMA_H
#define TOROID_FIRMWARE_MPI_WIN_RMA_H

#include "firmware/mpi/win.h"
#include "firmware/mpi/win_layout.h"

typedef enum {
  /* Accesses. */
  BGLMPI_RMA_PUT,
  BGLMPI_RMA_GET,
  BGLMPI_RMA_ACCUMULATE,
  BGLMPI_RMA_FETCH, /* MPI_Get_accumulate(), MPI_Fetch_and_op() */
  BGLMPI_RMA_SWAP,  /* MPI_Compare_and_swap(): the element to compare with, then the new one */
  BGLMPI_RMA_REPLY, /* bytes that were asked for */
  /* Synchronisation. Unlock, flush and complete take effect when all accesses before them are done. */
  BGLMPI_RMA_LOCK, /* `op` is the lock's type */
  BGLMPI_RMA_GRANT,
  BGLMPI_RMA_UNLOCK,
  BGLMPI_RMA_FLUSH,
  BGLMPI_RMA_ANSWER, /* to unlock and flush: it is done */
  BGLMPI_RMA_POST,
  BGLMPI_RMA_COMPLETE
} bglmpi_rma_kind_t;

struct bglmpi_rma;

typedef struct {
  uint32_t win;              /* the window's number */
  uint32_t rank;             /* the sender's in the window */
  uint32_t bytes;            /* of data */
  struct bglmpi_rma* origin; /* what a reply is for */
  uint8_t kind;              /* bglmpi_rma_kind_t */
  uint8_t op;                /* a predefined one, less MPI_OP_NULL */
  uint8_t basic;             /* bglmpi_basic_t of the elements */
  uint8_t strips;
  uint8_t is_long; /* the bytes come, or are wanted, in a message of their own */
  uint8_t unused[11];
} bglmpi_rma_head_t;
_Static_assert(sizeof(bglmpi_rma_head_t) == 32, "what follows is aligned");

enum {
  BGLMPI_RMA_ROOM = BGLML_ONE_PACKET_MAX - sizeof(bglmpi_rma_head_t), /* for strips and bytes */
  BGLMPI_RMA_STRIPS = BGLMPI_RMA_ROOM / sizeof(bglmpi_strip_t),
  BGLMPI_RMA_LONG = 512,          /* from here on bytes are worth a message of their own */
  BGLMPI_RMA_LONG_MAX = 1 << 14,  /* where they have to be put together, or combined, in memory */
  BGLMPI_RMA_UNDER_WAY_MAX = 128, /* pieces, before a call waits for the first ones */
};

/* A piece, at its origin or at its target; or a message of its own with a piece's bytes. */
typedef struct bglmpi_rma {
  struct bglmpi_rma* next;
  bglmpi_win_t* win;
  int rank;                  /* the other process's in the window */
  bglmpi_rma_head_t head;    /* at the target: as it came */
  bglmpi_request_t* request; /* whose piece it is; NULL: nobody waits for it alone */
  bglmpi_walk_t walk;        /* where a reply goes */
  uint32_t bytes;
  uint8_t* packed; /* bytes put together */
  bglmpi_strip_t strips[BGLMPI_RMA_STRIPS];
  bglml_layout_t layout;
  union {
    struct {
      bglml_one_packet_t message;
      uint8_t packet[BGLML_ONE_PACKET_MAX] __attribute__((aligned(16)));
    } short_one;
    bglml_eager_t eager;
    bglml_rendezvous_t rendezvous;
    bglml_eager_receive_t eager_receive;
    bglml_rendezvous_receive_t rendezvous_receive;
  } u;
} bglmpi_rma_t;

/* A piece from the pool. */
bglmpi_rma_t* bglmpi_rma_new(bglmpi_win_t* win, int rank);
void bglmpi_rma_release(bglmpi_rma_t* rma);
/* How many there are. */
uint32_t bglmpi_rma_under_way(void);

/* A packet: its head is filled in, but for the window and the own rank; the strips and the bytes follow, which are
 * copied (NULL: room is left, at the address that is returned). It goes by itself; `rma` is released then. */
uint8_t* bglmpi_rma_packet(bglmpi_rma_t* rma, const bglmpi_rma_head_t* head, const bglmpi_strip_t* strips,
                           const void* bytes, uint32_t count);
/* Without anything behind the head. */
void bglmpi_rma_signal(bglmpi_win_t* win, int rank, bglmpi_rma_kind_t kind, int op);

/* A message of its own with rma->bytes bytes, in the order of the packets where `ordered`; `done` is called when they
 * are sent. A reply names the piece at its origin. */
void bglmpi_rma_send(bglmpi_rma_t* rma, const void* bytes, const bglml_layout_t* layout, bool ordered, bool is_reply,
                     bglml_done_t done);

/* Register the ports, once. */
void bglmpi_rma_init(void);

/* What comes. A packet; and the bytes of a long message: where they shall go, and that they have. */
void bglmpi_rma_serve(bglmpi_win_t* win, const bglmpi_rma_head_t* head, const bglmpi_strip_t* strips,
                      const uint8_t* bytes);
bglmpi_rma_t* bglmpi_rma_expected(bglmpi_win_t* win, int rank);
void bglmpi_rma_arrived(void* rma);
void bglmpi_rma_reply(bglmpi_rma_t* rma, const void* bytes); /* NULL: they are in their place, or in `packed` */
void bglmpi_rma_reply_arrived(void* rma);
/* A process wants this one's lock, or gives it back (win_locks.c). */
void bglmpi_rma_lock(bglmpi_win_t* win, int rank, int type);
void bglmpi_rma_unlock(bglmpi_win_t* win, int rank);

/* At the target: what a piece does to its strips, with or without bytes of its own; what was there before goes to
 * `before` unless that is NULL. */
void bglmpi_rma_apply(const bglmpi_rma_head_t* head, const bglmpi_strip_t* strips, const uint8_t* bytes,
                      uint8_t* before);

#endif
