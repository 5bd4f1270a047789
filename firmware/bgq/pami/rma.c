// SPDX-License-Identifier: Apache-2.0
// Puts and gets of memory of which only the target knows the physical address: a put is a message that the target's
// advance takes to its place, a get a message that has the target's advance put.
#include "firmware/bgq/pami/rma.h"

#include <string.h>

#include "firmware/bgq/pami/operation.h"
#include "firmware/bgq/pami/send.h"
#include "firmware/hot.h"

typedef struct get_request {
  uint64_t from;  // an address of the target
  uint64_t to;    // physical addresses of the origin
  uint64_t counter;
  uint64_t bytes;
} get_request_t;

HOT_OF_RMA pami_result_t pami_check_rma(const pami_rma_t* rma, const char* call) {
  if (rma->bytes == 0) return pami_error(PAMI_INVAL, "%s: 0 bytes", call);
  return pami_check_endpoint(rma->dest, call);
}

void* pami_place_here(const pami_place_t* place, pami_endpoint_t origin) {
  void* at = place->is_physical ? pami_virtual(place->address) : (void*)place->address;
  uint64_t pa;
  if (at == NULL || pami_physical_bytes(at, &pa) == 0)
    pami_fatal("task %u asks for memory at %#llx, where there is none", pami_task_of(origin),
               (unsigned long long)place->address);
  return at;
}

static void put_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* data,
                        size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header_bytes;
  void* at = pami_place_here(header, origin);
  if (receiver != NULL)
    receiver->addr = at;
  else
    memcpy(at, data, bytes);
}

pami_result_t PAMI_Put(pami_context_t context, pami_put_simple_t* parameters) {
  const pami_result_t result = pami_check_rma(&parameters->rma, "PAMI_Put");
  if (result != PAMI_SUCCESS) return result;
  const pami_place_t place = {.address = (uint64_t)parameters->addr.remote};
  const struct iovec header = {.iov_base = (void*)&place, .iov_len = sizeof place};
  const struct iovec data = {.iov_base = parameters->addr.local, .iov_len = parameters->rma.bytes};
  const pami_send_event_t events = {
      .cookie = parameters->rma.cookie, .local_fn = parameters->rma.done_fn, .remote_fn = parameters->put.rdone_fn};
  return pami_send(context, parameters->rma.dest, PAMI_DISPATCH_PUT, &header, &data,
                   (pami_hint_t)parameters->rma.hints.use_rdma, &events);
}

static void get_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* data,
                        size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)cookie, (void)header_bytes, (void)data, (void)bytes, (void)receiver;
  const get_request_t* request = header;
  const pami_place_t place = {.address = request->from};
  pami_put(context, pami_peer(pami_task_of(origin)), pami_physical(pami_place_here(&place, origin), "a get"),
           request->to, request->counter, request->bytes, (pami_injected_t){0});
}

pami_result_t PAMI_Get(pami_context_t context, pami_get_simple_t* parameters) {
  const pami_rma_t* rma = &parameters->rma;
  const pami_result_t result = pami_check_rma(rma, "PAMI_Get");
  if (result != PAMI_SUCCESS) return result;
  uint64_t to;
  if (pami_physical_bytes(parameters->addr.local, &to) < rma->bytes)
    return pami_error(PAMI_INVAL, "PAMI_Get: %zu bytes at %p are no memory of this process", rma->bytes,
                      parameters->addr.local);
  pami_operation_t* operation = pami_operation_begin(context, rma->dest);
  operation->ended = pami_operation_tell;
  operation->local_fn = rma->done_fn;
  operation->cookie = rma->cookie;
  pami_operation_count(context, operation, rma->bytes);
  const get_request_t request = {.from = (uint64_t)parameters->addr.remote,
                                 .to = to,
                                 .counter = pami_physical(&operation->counter, "a counter"),
                                 .bytes = rma->bytes};
  return pami_internal_send(context, rma->dest, PAMI_DISPATCH_GET, &request, sizeof request, NULL, 0, NULL, NULL, NULL);
}

void pami_rma_open(pami_context_impl_t* context) {
  pami_internal_dispatch(context, PAMI_DISPATCH_PUT, put_arrives, NULL);
  pami_internal_dispatch(context, PAMI_DISPATCH_GET, get_arrives, NULL);
  pami_typed_open(context);
  pami_rmw_open(context);
}
