// SPDX-License-Identifier: Apache-2.0
/// The messages of one-sided communication. Each is a packet: a head, strips that describe memory of the target, the
/// bytes. Many bytes follow in a message of their own. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_WIN_RMA_H
#define TOROID_FIRMWARE_MPI_WIN_RMA_H

#include "firmware/mpi/win.h"
#include "firmware/mpi/win_layout.h"

typedef enum {
  // Accesses.
  MPII_RMA_PUT,
  MPII_RMA_GET,
  MPII_RMA_ACCUMULATE,
  MPII_RMA_FETCH,  ///< MPI_Get_accumulate(), MPI_Fetch_and_op()
  MPII_RMA_SWAP,   ///< MPI_Compare_and_swap(): the element to compare with, then the new one
  MPII_RMA_REPLY,  ///< requested bytes
  // Synchronisation. Unlock, flush and complete take effect when all accesses before them are done.
  MPII_RMA_LOCK,  ///< `op` is the lock's type
  MPII_RMA_GRANT,
  MPII_RMA_UNLOCK,
  MPII_RMA_FLUSH,
  MPII_RMA_ANSWER,  ///< confirms unlock and flush
  MPII_RMA_POST,
  MPII_RMA_COMPLETE
} mpii_rma_kind_t;

struct mpii_rma;

typedef struct {
  uint32_t win;             ///< the window's number
  uint32_t rank;            ///< the sender's in the window
  uint32_t bytes;           ///< of data
  struct mpii_rma* origin;  ///< what a reply is for
  uint8_t kind;             ///< mpii_rma_kind_t
  uint8_t op;               ///< a predefined one, less MPI_OP_NULL
  uint8_t basic;            ///< mpii_basic_t of the elements
  uint8_t strips;
  uint8_t is_long;  ///< the bytes come, or are wanted, in a message of their own
} __attribute__((aligned(16))) mpii_rma_head_t;
_Static_assert(sizeof(mpii_rma_head_t) == 32, "what follows is aligned");

enum {
  MPII_RMA_ROOM = MPIT_SHORT_LEAST - sizeof(mpii_rma_head_t),  ///< for strips and bytes
  MPII_RMA_STRIPS = MPII_RMA_ROOM / sizeof(mpii_strip_t),
  MPII_RMA_LONG = 512,           ///< the least number of bytes for a message of their own
  MPII_RMA_LONG_MAX = 1 << 14,   ///< if they must be gathered, or combined, in memory
  MPII_RMA_UNDER_WAY_MAX = 128,  ///< pieces, before a call waits for the first ones
};

/// A piece, at its origin or at its target; or a message of its own with a piece's bytes.
typedef struct mpii_rma {
  struct mpii_rma* next;
  mpii_win_t* win;
  int rank;                 ///< the other process's in the window
  mpii_rma_head_t head;     ///< at the target: as it came
  mpii_request_t* request;  ///< whose piece it is; NULL: it belongs to no request
  mpii_walk_t walk;         ///< where a reply goes
  uint32_t bytes;
  uint8_t* packed;                                               ///< gathered bytes
  uint8_t element[MPIT_ATOMIC_MAX] __attribute__((aligned(8)));  ///< what the network has fetched
  mpii_strip_t strips[MPII_RMA_STRIPS];
  // The transport's, of mpit_state_bytes.
  uint8_t state[] __attribute__((aligned(16)));
} mpii_rma_t;

/// A piece from the pool.
mpii_rma_t* mpii_rma_new(mpii_win_t* win, int rank);
void mpii_rma_release(mpii_rma_t* rma);
/// The number of pieces in use.
uint32_t mpii_rma_under_way(void);

/// Write a packet: its head, but for the window and the own rank, and the strips. The bytes follow, at the address that
/// is returned.
uint8_t* mpii_rma_packet(mpii_rma_t* rma, const mpii_rma_head_t* head, const mpii_strip_t* strips);
/// Send it, with bytes up to `end`, and release it when it is sent.
void mpii_rma_send_packet(mpii_rma_t* rma, const uint8_t* end);
/// Without anything behind the head.
void mpii_rma_signal(mpii_win_t* win, int rank, mpii_rma_kind_t kind, int op);

/// A message of its own with rma->bytes bytes, in the order of the short ones if `ordered`; `done` is called when
/// they are sent. A reply names the piece at its origin.
void mpii_rma_send(mpii_rma_t* rma, const mpit_place_t* from, bool ordered, bool is_reply, mpit_done_t done);

/// Arrivals: a packet; the bytes of a long message, first their destination, then their completion.
void mpii_rma_serve(mpii_win_t* win, const mpii_rma_head_t* head, const mpii_strip_t* strips, const uint8_t* bytes);
mpii_rma_t* mpii_rma_expected(mpii_win_t* win, int rank);
void mpii_rma_arrived(void* rma);
void mpii_rma_reply(mpii_rma_t* rma, const void* bytes);  // NULL: they are in place, or in `packed`
void mpii_rma_reply_arrived(void* rma);
/// A process wants this one's lock, or gives it back (win_locks.c).
void mpii_rma_lock(mpii_win_t* win, int rank, int type);
void mpii_rma_unlock(mpii_win_t* win, int rank);

/// At the target: perform a piece on its strips, with or without bytes of its own; unless `before` is NULL the former
/// contents are copied there.
void mpii_rma_apply(const mpii_rma_head_t* head, const mpii_strip_t* strips, const uint8_t* bytes, uint8_t* before);

#endif
