// SPDX-License-Identifier: Apache-2.0
// Memory regions, and puts and gets between them, which the Messaging Units perform without the target's software: in
// one piece, or by types in as many as their contiguous parts are long enough for.
#include <stdlib.h>

#include "firmware/bgq/pami/operation.h"
#include "firmware/bgq/pami/pieces.h"
#include "firmware/bgq/pami/rma.h"
#include "firmware/bgq/pami/send.h"
#include "firmware/hot.h"

// A region is the physical address of its first byte, marked, so that 0 is none.
#define PAMI_REGION_MARK 0x8000000000000000ull

pami_result_t PAMI_Memregion_create(pami_context_t context, void* address, size_t bytes_in, size_t* bytes_out,
                                    pami_memregion_t* memregion) {
  if (context == NULL || memregion == NULL || bytes_in == 0)
    return pami_error(PAMI_INVAL, "PAMI_Memregion_create: no context, no region, or no bytes");
  uint64_t pa;
  const uint64_t bytes = pami_physical_bytes(address, &pa);
  if (bytes == 0)
    return pami_error(PAMI_INVAL, "PAMI_Memregion_create: there is no memory of this process at %p", address);
  if (bytes_out != NULL) *bytes_out = bytes < bytes_in ? bytes : bytes_in;
  (*memregion)[0] = pa | PAMI_REGION_MARK;
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Memregion_destroy(pami_context_t context, pami_memregion_t* memregion) {
  if (context == NULL || memregion == NULL || !((*memregion)[0] & PAMI_REGION_MARK))
    return pami_error(PAMI_INVAL, "PAMI_Memregion_destroy: no context, or no region");
  (*memregion)[0] = 0;
  return PAMI_SUCCESS;
}

static pami_result_t check(const pami_rma_t* rma, const pami_rdma_t* rdma, const char* call) {
  if (!((*rdma->local.mr)[0] & PAMI_REGION_MARK) || !((*rdma->remote.mr)[0] & PAMI_REGION_MARK))
    return pami_error(PAMI_INVAL, "%s: a memory region that has not been created", call);
  return pami_check_rma(rma, call);
}

static uint64_t address(const pami_rma_mr_t* place) {
  return ((*place->mr)[0] & ~PAMI_REGION_MARK) + place->offset;
}

// A byte fetched behind puts, on the same way, tells that they are there. `to`: where the last one went.
static void tell_when_there(pami_context_impl_t* context, const pami_rma_t* rma, uint64_t to, pami_event_function fn) {
  if (fn == NULL) return;
  pami_operation_t* operation = pami_operation_begin(context, rma->dest);
  operation->ended = pami_operation_tell;
  operation->remote_fn = fn;
  operation->cookie = rma->cookie;
  pami_remote_get(context, operation, to, pami_physical(&operation->arrival, "an answer"), 1);
}

HOT_OF_PUTS pami_result_t PAMI_Rput(pami_context_t context, pami_rput_simple_t* parameters) {
  const pami_rma_t* rma = &parameters->rma;
  const pami_result_t result = check(rma, &parameters->rdma, "PAMI_Rput");
  if (result != PAMI_SUCCESS) return result;
  const uint64_t to = address(&parameters->rdma.remote);
  pami_fence_note(context, rma->dest);
  pami_put(context, pami_peer(pami_task_of(rma->dest)), address(&parameters->rdma.local), to, 0, rma->bytes,
           (pami_injected_t){.fn = rma->done_fn, .cookie = rma->cookie});
  tell_when_there(context, rma, to, parameters->put.rdone_fn);
  return PAMI_SUCCESS;
}

HOT_OF_GETS pami_result_t PAMI_Rget(pami_context_t context, pami_rget_simple_t* parameters) {
  const pami_rma_t* rma = &parameters->rma;
  const pami_result_t result = check(rma, &parameters->rdma, "PAMI_Rget");
  if (result != PAMI_SUCCESS) return result;
  pami_operation_t* operation = pami_operation_begin(context, rma->dest);
  operation->ended = pami_operation_tell;
  operation->local_fn = rma->done_fn;
  operation->cookie = rma->cookie;
  pami_remote_get(context, operation, address(&parameters->rdma.remote), address(&parameters->rdma.local), rma->bytes);
  return PAMI_SUCCESS;
}

// By types ------------------------------------------------------------------------------------------------------------

// Whether pieces fill packets on the average: shorter ones are gathered into a message.
static bool are_long(const pami_pieces_t* pieces, uint64_t bytes) {
  const uint64_t most = bytes / PAMI_PAYLOAD_MAX;
  return most > 0 && pami_pieces_count(pieces, most) <= most;
}

pami_result_t PAMI_Rput_typed(pami_context_t context, pami_rput_typed_t* parameters) {
  const pami_rma_t* rma = &parameters->rma;
  const pami_result_t result = check(rma, &parameters->rdma, "PAMI_Rput_typed");
  if (result != PAMI_SUCCESS) return result;
  const uint64_t from = address(&parameters->rdma.local), to = address(&parameters->rdma.remote);
  pami_pieces_t pieces;
  if (pami_pieces_start(&pieces, &parameters->type, rma->bytes) != PAMI_SUCCESS)
    return pami_error(PAMI_INVAL, "PAMI_Rput_typed: a type that is not complete, or has no data");
  if (!are_long(&pieces, rma->bytes))
    return pami_put_typed(context, rma, pami_virtual(from), (pami_place_t){.address = to, .is_physical = 1},
                          &parameters->type, parameters->put.rdone_fn);
  pami_fence_note(context, rma->dest);
  // The unit reads one after the other: the end of the last one is the end of all.
  uint64_t there = to;
  for (int64_t local, remote; pieces.left > 0;) {
    const uint64_t bytes = pami_pieces_next(&pieces, &local, &remote);
    there = to + (uint64_t)remote;
    const pami_injected_t told = {.fn = pieces.left == 0 ? rma->done_fn : NULL, .cookie = rma->cookie};
    pami_put(context, pami_peer(pami_task_of(rma->dest)), from + (uint64_t)local, there, 0, bytes, told);
  }
  tell_when_there(context, rma, there, parameters->put.rdone_fn);
  return PAMI_SUCCESS;
}

// Of gets of several pieces.
typedef struct gets {
  uint64_t missing;
  pami_event_function done_fn;
  void* cookie;
} gets_t;

static void piece_is_there(pami_context_impl_t* context, pami_operation_t* operation) {
  gets_t* gets = operation->more;
  pami_operation_end(context, operation);
  if (--gets->missing > 0) return;
  const gets_t call = *gets;
  free(gets);
  if (call.done_fn != NULL) call.done_fn(context, call.cookie, PAMI_SUCCESS);
}

pami_result_t PAMI_Rget_typed(pami_context_t context, pami_rget_typed_t* parameters) {
  const pami_rma_t* rma = &parameters->rma;
  const pami_result_t result = check(rma, &parameters->rdma, "PAMI_Rget_typed");
  if (result != PAMI_SUCCESS) return result;
  const uint64_t to = address(&parameters->rdma.local), from = address(&parameters->rdma.remote);
  pami_pieces_t pieces;
  if (pami_pieces_start(&pieces, &parameters->type, rma->bytes) != PAMI_SUCCESS)
    return pami_error(PAMI_INVAL, "PAMI_Rget_typed: a type that is not complete, or has no data");
  if (!are_long(&pieces, rma->bytes))
    return pami_get_typed(context, rma, pami_virtual(to), (pami_place_t){.address = from, .is_physical = 1},
                          &parameters->type);
  gets_t* gets = malloc(sizeof *gets);
  if (gets == NULL) return pami_error(PAMI_ENOMEM, "PAMI_Rget_typed: there is no memory");
  *gets = (gets_t){.done_fn = rma->done_fn, .cookie = rma->cookie};
  gets->missing = pami_pieces_count(&pieces, rma->bytes);
  for (int64_t local, remote; pieces.left > 0;) {
    const uint64_t bytes = pami_pieces_next(&pieces, &local, &remote);
    pami_operation_t* operation = pami_operation_begin(context, rma->dest);
    operation->ended = piece_is_there;
    operation->more = gets;
    pami_remote_get(context, operation, from + (uint64_t)remote, to + (uint64_t)local, bytes);
  }
  return PAMI_SUCCESS;
}

// Endpoints need no setting up, and nothing is kept of them.
pami_result_t PAMI_Purge(pami_context_t context, pami_endpoint_t* dest, size_t count) {
  return PAMI_Resume(context, dest, count);
}

pami_result_t PAMI_Resume(pami_context_t context, pami_endpoint_t* dest, size_t count) {
  if (context == NULL) return pami_error(PAMI_INVAL, "PAMI_Resume: no context");
  for (size_t i = 0; i < count; ++i) {
    const pami_result_t result = pami_check_endpoint(dest[i], "PAMI_Resume");
    if (result != PAMI_SUCCESS) return result;
  }
  return PAMI_SUCCESS;
}
