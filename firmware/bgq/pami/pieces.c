// SPDX-License-Identifier: Apache-2.0
// Pieces that are contiguous on both sides of an operation.
#include "firmware/bgq/pami/pieces.h"

static bool begin(pami_side_t* side, pami_type_t type) {
  const pami_layout_t* layout = pami_layout(type);
  if (layout == NULL || layout->header.size == 0) return false;
  *side = (pami_side_t){.contiguous = pami_type_contiguous(type)};
  pami_walk_start(&side->walk, type, 0);
  return true;
}

pami_result_t pami_pieces_start(pami_pieces_t* pieces, const pami_rma_typed_t* types, uint64_t bytes) {
  pieces->left = bytes;
  if (begin(&pieces->local, types->local) && begin(&pieces->remote, types->remote)) return PAMI_SUCCESS;
  return PAMI_INVAL;
}

static void look(pami_side_t* side, uint64_t most) {
  if (side->left > 0) return;
  if (side->contiguous) {
    side->left = most;  // all the rest
    return;
  }
  ptrdiff_t displacement;
  side->left = pami_walk_next(&side->walk, most, &displacement);
  side->at = displacement;
}

static int64_t take(pami_side_t* side, uint64_t bytes) {
  const int64_t at = side->at;
  side->at += (int64_t)bytes;
  side->left -= bytes;
  return at;
}

uint64_t pami_pieces_next(pami_pieces_t* pieces, int64_t* local, int64_t* remote) {
  if (pieces->left == 0) return 0;
  look(&pieces->local, pieces->left);
  look(&pieces->remote, pieces->left);
  const uint64_t bytes = pieces->local.left < pieces->remote.left ? pieces->local.left : pieces->remote.left;
  *local = take(&pieces->local, bytes);
  *remote = take(&pieces->remote, bytes);
  pieces->left -= bytes;
  return bytes;
}

uint64_t pami_pieces_count(const pami_pieces_t* pieces, uint64_t most) {
  pami_pieces_t walk = *pieces;
  uint64_t count = 0;
  for (int64_t local, remote; count <= most && pami_pieces_next(&walk, &local, &remote) > 0;) ++count;
  return count;
}
