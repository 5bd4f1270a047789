// SPDX-License-Identifier: Apache-2.0
// Accesses that the network performs without the target's processor.
#include "firmware/mpi/threads.h"
#include "firmware/mpi/win_call.h"

static mpii_rma_t* begin(mpii_win_t* win, const mpii_rma_call_t* call) {
  win->peers[call->target].replies += 1;
  win->peers[call->target].reaching += 1;
  return mpii_rma_new(win, call->target);
}

static void undo(mpii_rma_t* rma) {
  rma->win->peers[rma->rank].replies -= 1;
  rma->win->peers[rma->rank].reaching -= 1;
  mpii_rma_release(rma);
}

static void performed(void* context) {
  mpii_rma_t* rma = context;
  rma->win->peers[rma->rank].reaching -= 1;
  mpii_rma_replied(rma);
}

/// Copy what lies in one piece at both sides.
static bool copy(mpii_win_t* win, const mpii_rma_call_t* call, size_t bytes, mpii_request_t* request) {
  const bool puts = call->kind == MPII_RMA_PUT;
  const mpii_side_t *here = puts ? &call->origin : &call->result, *there = &call->there;
  if (!here->datatype->dense || !there->datatype->dense) return false;
  mpii_rma_t* rma = begin(win, call);
  mpit_place_t place;
  mpit_contiguous(&place, (const uint8_t*)here->at + here->datatype->blocks[0].offset, bytes);
  const uintptr_t address = (uintptr_t)there->at + (uintptr_t)there->datatype->blocks[0].offset;
  const uint32_t peer = mpii_world_rank(win->comm, call->target);
  if (!(puts ? mpit_put : mpit_get)(rma->state, peer, address, &place, performed, rma)) {
    undo(rma);
    return false;
  }
  mpii_rma_add_piece(rma, request);
  return true;
}

/// An element has been updated, and what was there before is here.
static void fetched(void* context) {
  mpii_rma_t* rma = context;
  mpii_walk_scatter(&rma->walk, rma->element, rma->bytes);
  performed(rma);
}

/// Update element by element. All elements of a kind get the same answer, so that the first one decides for all.
static bool update(mpii_win_t* win, const mpii_rma_call_t* call, size_t bytes, const void* compare,
                   mpii_request_t* request) {
  const mpii_basic_t basic = call->there.datatype->basic;
  const uint32_t size = mpii_basic_size(basic), peer = mpii_world_rank(win->comm, call->target);
  const bool sends = mpii_rma_has_origin(call), fetches = mpii_rma_has_result(call);
  uint8_t operand[MPIT_ATOMIC_MAX] __attribute__((aligned(8))) = {0};
  mpii_walk_t from, to, there;
  if (size > sizeof operand) return false;
  if (sends) mpii_walk_begin(&from, call->origin.at, (uint32_t)call->origin.count, call->origin.datatype);
  if (fetches) mpii_walk_begin(&to, call->result.at, (uint32_t)call->result.count, call->result.datatype);
  mpii_walk_begin(&there, call->there.at, (uint32_t)call->there.count, call->there.datatype);
  for (size_t done = 0; done < bytes; done += size) {
    uint8_t* address;
    while (mpii_rma_under_way() >= MPII_RMA_UNDER_WAY_MAX) mpii_turn();
    if (sends) mpii_walk_gather(&from, operand, size);
    mpii_walk_piece(&there, &address);
    mpii_walk_skip(&there, size);
    mpii_rma_t* rma = begin(win, call);
    rma->bytes = size;
    if (fetches) {
      rma->walk = to;
      mpii_walk_skip(&to, size);
    }
    mpii_rma_add_piece(rma, request);
    if (!mpit_atomic(rma->state, peer, (uintptr_t)address, basic, call->op, operand, compare,
                     fetches ? rma->element : NULL, fetches ? fetched : performed, rma)) {
      if (request != NULL) request->count -= 1;
      undo(rma);
      return false;
    }
  }
  return true;
}

bool mpii_rma_by_network(mpii_win_t* win, const mpii_rma_call_t* call, size_t bytes, const void* compare,
                         mpii_request_t* request) {
  if (bytes == 0) return false;
  if (win->flavor == MPI_WIN_FLAVOR_DYNAMIC) return false;  // the target checks what is attached
  if (call->kind <= MPII_RMA_GET) return copy(win, call, bytes, request);
  return update(win, call, bytes, compare, request);
}
