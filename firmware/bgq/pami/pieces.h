/* SPDX-License-Identifier: Apache-2.0 */
/* The contiguous pieces of an operation whose sides have types of their own. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_PIECES_H
#define TOROID_FIRMWARE_BGQ_PAMI_PIECES_H

#include "firmware/bgq/pami/types/walk.h"

typedef struct pami_side {
  pami_walk_t walk;
  bool contiguous;
  int64_t at; /* of what is left of a block */
  uint64_t left;
} pami_side_t;

typedef struct pami_pieces {
  pami_side_t local, remote;
  uint64_t left; /* bytes */
} pami_pieces_t;

/* PAMI_INVAL: a type is not complete, or has no data. */
pami_result_t pami_pieces_start(pami_pieces_t* pieces, const pami_rma_typed_t* types, uint64_t bytes);
/* The next piece that is contiguous on both sides, and its displacements; 0: there are no more. */
uint64_t pami_pieces_next(pami_pieces_t* pieces, int64_t* local, int64_t* remote);
/* How many there are; counting ends behind `most`. */
uint64_t pami_pieces_count(const pami_pieces_t* pieces, uint64_t most);

#endif
