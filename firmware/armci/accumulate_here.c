// SPDX-License-Identifier: Apache-2.0
// Accumulates that this process carries out on the memory of another: it locks the target's accumulates, gets the data,
// adds to them, and puts the sums. Its target computes nothing, but serves the lock.
#include <stdlib.h>

#include "firmware/armci/accumulate.h"
#include "firmware/armci/transfer.h"

armcii_accumulates_t armcii_accumulates;

enum { CHUNKS = 2, CHUNK_BYTES = 16384, PIECES = 64, QUAD = 32 };

/// A row, or a part of one.
typedef struct {
  const uint8_t* from;
  uintptr_t to;
  uint8_t* sum;  ///< in the chunk's buffer
  size_t bytes;
} piece_t;

/// What is under way together.
typedef struct {
  armcii_completion_t gets, puts;
  uint32_t count;
  piece_t pieces[PIECES];
  uint8_t buffer[CHUNK_BYTES] __attribute__((aligned(QUAD)));
} chunk_t;

/// What of the patch has not been taken into chunks.
typedef struct {
  armcii_walk_t walk;
  uint32_t row;
  size_t done;  ///< of this row
} rest_t;

/// Takes the next pieces and starts their gets. False: there are no more.
static bool begin(uint32_t target, rest_t* rest, chunk_t* chunk) {
  const armcii_patch_t* const patch = rest->walk.patch;
  size_t used = 0;
  for (chunk->count = 0; rest->row < patch->rows && chunk->count < PIECES; ++chunk->count) {
    const uint8_t* const from = rest->walk.local + rest->done;
    // At the same place in a quadword of doubles as the source, so that quads can be added.
    used += ((uintptr_t)from - used) % QUAD;
    if (used + 16 > CHUNK_BYTES) break;
    const size_t room = (CHUNK_BYTES - used) & ~(size_t)15, left = patch->bytes - rest->done;
    const size_t bytes = left < room ? left : room;
    chunk->pieces[chunk->count] =
        (piece_t){.from = from, .to = rest->walk.remote + rest->done, .sum = chunk->buffer + used, .bytes = bytes};
    used += bytes;
    rest->done += bytes;
    if (rest->done != patch->bytes) continue;
    rest->done = 0;
    ++rest->row;
    armcii_walk_next(&rest->walk);
  }
  chunk->gets.pending = 0;
  for (uint32_t i = 0; i < chunk->count; ++i) {
    const piece_t* const piece = &chunk->pieces[i];
    armcii_get_piece(target, piece->sum, piece->to, piece->bytes, &chunk->gets);
  }
  return chunk->count != 0;
}

static void finish(uint32_t target, int operation, const void* scale, chunk_t* chunk) {
  armcii_wait_for(&chunk->gets);
  chunk->puts.pending = 0;
  for (uint32_t i = 0; i < chunk->count; ++i) {
    const piece_t* const piece = &chunk->pieces[i];
    armcii_accumulate(operation, scale, piece->sum, piece->from, piece->bytes);
    armcii_put_piece(target, piece->sum, piece->to, piece->bytes, &chunk->puts);
  }
}

static void add(uint32_t target, int operation, const void* scale, const armcii_patch_t* patch) {
  // A block for itself: where puts read late, nothing else may be there.
  chunk_t* const chunks = aligned_alloc(QUAD, CHUNKS * sizeof *chunks);
  if (chunks == NULL) armcii_fail("there is no memory for accumulates");
  for (unsigned i = 0; i < CHUNKS; ++i) {
    chunks[i].gets = (armcii_completion_t){.pending = 0};
    chunks[i].puts = (armcii_completion_t){.pending = 0};
  }
  rest_t rest = {.walk = armcii_walk_from(patch, 0)};
  bool more = begin(target, &rest, &chunks[0]);
  for (unsigned turn = 0; more; turn = (turn + 1) % CHUNKS) {
    chunk_t* const next = &chunks[(turn + 1) % CHUNKS];
    if (armcii_accumulates == ARMCII_PIPELINED) {
      armcii_wait_for(&next->puts);
      more = begin(target, &rest, next);
      finish(target, operation, scale, &chunks[turn]);
    } else {
      finish(target, operation, scale, &chunks[turn]);
      armcii_wait_for(&chunks[turn].puts);
      more = begin(target, &rest, next);
    }
  }
  for (unsigned i = 0; i < CHUNKS; ++i) armcii_wait_for(&chunks[i].puts);
  free(chunks);
}

void armcii_acc_here(uint32_t target, int operation, const void* scale, const armcii_patch_t* patch) {
  armcii_lock_accumulates(target);
  if (target == armcii_self) {
    armcii_walk_t walk = armcii_walk_from(patch, 0);
    for (uint32_t row = 0; row < patch->rows; ++row, armcii_walk_next(&walk)) {
      armcii_accumulate(operation, scale, (void*)walk.remote, walk.local, patch->bytes);
    }
  } else {
    // Of two rows that share bytes, the second must find what the first has put.
    const uint32_t together = armcii_patch_is_apart(patch) ? patch->rows : 1;
    armcii_walk_t walk = armcii_walk_from(patch, 0);
    for (uint32_t row = 0; row < patch->rows; row += together, armcii_walk_next(&walk)) {
      armcii_patch_t line;
      armcii_patch_line(&line, walk.local, (void*)walk.remote, patch->bytes);
      const armcii_patch_t* const part = together == 1 ? &line : patch;
      // Looked up anew: another thread may have freed memory meanwhile.
      armcii_order_get(target, armcii_region_of(target, part));
      add(target, operation, scale, part);
      armcii_region_written(target, armcii_region_of(target, part), ARMCII_BY_PUT);
    }
  }
  armcii_unlock_accumulates(target);
}
