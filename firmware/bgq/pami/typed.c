// SPDX-License-Identifier: Apache-2.0
// Sends, puts and gets of data that types describe: they are gathered into a buffer, and the target, which gets the
// remote type with the message, scatters them.
#include <stdlib.h>
#include <string.h>

#include "firmware/bgq/pami/operation.h"
#include "firmware/bgq/pami/pieces.h"
#include "firmware/bgq/pami/rma.h"
#include "firmware/bgq/pami/send.h"

// Begins a message's header; the remote type in its serialized form follows.
typedef struct typed_request {
  pami_place_t place;
  uint64_t bytes;
  uint64_t operation;  // of a get: the origin's
} typed_request_t;

// A buffer that goes when its message has gone.
typedef struct gathered {
  pami_event_function local_fn;
  pami_event_function remote_fn;
  void* cookie;
  int waits_for;  // callbacks that use it
  uint8_t data[];
} gathered_t;

static void is_gone(pami_context_t context, gathered_t* gathered, pami_event_function fn, pami_result_t result) {
  void* cookie = gathered->cookie;
  if (--gathered->waits_for == 0) free(gathered);
  if (fn != NULL) fn(context, cookie, result);
}
static void has_gone(pami_context_t context, void* cookie, pami_result_t result) {
  is_gone(context, cookie, ((gathered_t*)cookie)->local_fn, result);
}
static void has_arrived(pami_context_t context, void* cookie, pami_result_t result) {
  is_gone(context, cookie, ((gathered_t*)cookie)->remote_fn, result);
}

// `header_room` bytes are left in front of the data. NULL: there is no memory, or the type is not complete.
static gathered_t* gather(const void* from, pami_type_t type, size_t offset, size_t bytes, pami_data_function data_fn,
                          void* data_cookie, size_t header_room) {
  gathered_t* gathered = malloc(sizeof *gathered + header_room + bytes);
  if (gathered == NULL) {
    pami_error(PAMI_ENOMEM, "there is no memory for %zu bytes of typed data", bytes);
    return NULL;
  }
  *gathered = (gathered_t){.waits_for = 1};
  if (bytes > 0 && PAMI_Type_transform_data((void*)from, type, offset, gathered->data + header_room, PAMI_TYPE_BYTE, 0,
                                            bytes, data_fn, data_cookie) != PAMI_SUCCESS) {
    free(gathered);
    return NULL;
  }
  return gathered;
}

pami_result_t PAMI_Send_typed(pami_context_t context, pami_send_typed_t* parameters) {
  const pami_send_immediate_t* send = &parameters->send;
  const pami_context_impl_t* from = context;
  const pami_result_t result = pami_check_send(from, send, "PAMI_Send_typed");
  if (result != PAMI_SUCCESS) return result;
  const pami_data_function data_fn = parameters->typed.data_fn != NULL ? parameters->typed.data_fn : PAMI_DATA_COPY;
  gathered_t* gathered = gather(send->data.iov_base, parameters->typed.type, parameters->typed.offset,
                                send->data.iov_len, data_fn, parameters->typed.data_cookie, 0);
  if (gathered == NULL) return PAMI_INVAL;
  gathered->local_fn = parameters->events.local_fn;
  gathered->remote_fn = parameters->events.remote_fn;
  gathered->cookie = parameters->events.cookie;
  gathered->waits_for = gathered->remote_fn != NULL ? 2 : 1;
  const struct iovec data = {.iov_base = gathered->data, .iov_len = send->data.iov_len};
  const pami_send_event_t events = {
      .cookie = gathered, .local_fn = has_gone, .remote_fn = gathered->remote_fn != NULL ? has_arrived : NULL};
  const pami_hint_t hard = from->dispatch[send->dispatch].hints.use_rdma;
  return pami_send(context, send->dest, (unsigned)send->dispatch, &send->header, &data,
                   hard != PAMI_HINT_DEFAULT ? hard : (pami_hint_t)send->hints.use_rdma, &events);
}

// A header with the remote type behind the request.
static size_t write_header(uint8_t* at, pami_place_t place, size_t bytes, pami_operation_t* operation, const void* type,
                           size_t type_bytes) {
  const typed_request_t request = {.place = place, .bytes = bytes, .operation = (uint64_t)operation};
  memcpy(at, &request, sizeof request);
  memcpy(at + sizeof request, type, type_bytes);
  return sizeof request + type_bytes;
}

static pami_type_t read_type(const void* header, size_t header_bytes, pami_endpoint_t origin) {
  pami_type_t type;
  // Deserializing may want words where they are.
  void* copy = malloc(header_bytes);
  if (copy == NULL) pami_fatal("there is no memory for a type");
  memcpy(copy, (const typed_request_t*)header + 1, header_bytes - sizeof(typed_request_t));
  if (PAMI_Type_deserialize(&type, copy, header_bytes - sizeof(typed_request_t)) != PAMI_SUCCESS)
    pami_fatal("a type from task %u cannot be read", pami_task_of(origin));
  free(copy);
  return type;
}

static void type_is_used(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  pami_type_t type = cookie;
  PAMI_Type_destroy(&type);
}

static void put_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* data,
                        size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)cookie;
  const typed_request_t* request = header;
  pami_type_t type = read_type(header, header_bytes, origin);
  void* at = pami_place_here(&request->place, origin);
  if (receiver != NULL) {
    *receiver =
        (pami_recv_t){.addr = at, .type = type, .data_fn = PAMI_DATA_COPY, .local_fn = type_is_used, .cookie = type};
    return;
  }
  PAMI_Type_transform_data((void*)data, PAMI_TYPE_BYTE, 0, at, type, 0, bytes, PAMI_DATA_COPY, NULL);
  type_is_used(context, type, PAMI_SUCCESS);
}

pami_result_t pami_put_typed(pami_context_impl_t* context, const pami_rma_t* rma, void* local, pami_place_t remote,
                             const pami_rma_typed_t* type, pami_event_function rdone_fn) {
  void* serialized;
  size_t type_bytes;
  pami_result_t result = PAMI_Type_serialize(type->remote, &serialized, &type_bytes);
  if (result != PAMI_SUCCESS) return result;
  const size_t header_room = sizeof(typed_request_t) + ((type_bytes + 7) & ~(size_t)7);
  gathered_t* gathered = gather(local, type->local, 0, rma->bytes, PAMI_DATA_COPY, NULL, header_room);
  if (gathered == NULL) return PAMI_INVAL;
  const size_t header_bytes = write_header(gathered->data, remote, rma->bytes, NULL, serialized, type_bytes);
  gathered->local_fn = rma->done_fn;
  gathered->remote_fn = rdone_fn;
  gathered->cookie = rma->cookie;
  gathered->waits_for = rdone_fn != NULL ? 2 : 1;
  return pami_internal_send(context, rma->dest, PAMI_DISPATCH_PUT_TYPED, gathered->data, header_bytes,
                            gathered->data + header_room, rma->bytes, has_gone, rdone_fn != NULL ? has_arrived : NULL,
                            gathered);
}

pami_result_t PAMI_Put_typed(pami_context_t context, pami_put_typed_t* parameters) {
  const pami_result_t result = pami_check_rma(&parameters->rma, "PAMI_Put_typed");
  if (result != PAMI_SUCCESS) return result;
  return pami_put_typed(context, &parameters->rma, parameters->addr.local,
                        (pami_place_t){.address = (uint64_t)parameters->addr.remote}, &parameters->type,
                        parameters->put.rdone_fn);
}

// Gets: the target gathers and sends.
static void get_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* data,
                        size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)cookie, (void)data, (void)bytes, (void)receiver;
  const typed_request_t* request = header;
  pami_type_t type = read_type(header, header_bytes, origin);
  gathered_t* gathered =
      gather(pami_place_here(&request->place, origin), type, 0, request->bytes, PAMI_DATA_COPY, NULL, 0);
  PAMI_Type_destroy(&type);
  if (gathered == NULL)
    pami_fatal("task %u gets %llu bytes by a type: there is no memory for them", pami_task_of(origin),
               (unsigned long long)request->bytes);
  pami_internal_send(context, origin, PAMI_DISPATCH_GET_REPLY, &request->operation, sizeof request->operation,
                     gathered->data, request->bytes, has_gone, NULL, gathered);
}

// Of the origin, until the data are there.
typedef struct wanted {
  void* local;
  pami_type_t type;
} wanted_t;

static void is_scattered(pami_context_t context, void* cookie, pami_result_t result) {
  (void)result;
  pami_operation_t* operation = cookie;
  free(operation->more);
  pami_operation_tell(context, operation);
}

static void reply_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                          const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)cookie, (void)header_bytes, (void)origin;
  pami_operation_t* operation = *(pami_operation_t* const*)header;
  const wanted_t* wanted = operation->more;
  if (receiver != NULL) {
    *receiver = (pami_recv_t){.addr = wanted->local,
                              .type = wanted->type,
                              .data_fn = PAMI_DATA_COPY,
                              .local_fn = is_scattered,
                              .cookie = operation};
    return;
  }
  PAMI_Type_transform_data((void*)data, PAMI_TYPE_BYTE, 0, wanted->local, wanted->type, 0, bytes, PAMI_DATA_COPY, NULL);
  is_scattered(context, operation, PAMI_SUCCESS);
}

pami_result_t pami_get_typed(pami_context_impl_t* context, const pami_rma_t* rma, void* local, pami_place_t remote,
                             const pami_rma_typed_t* type) {
  void* serialized;
  size_t type_bytes;
  const pami_result_t result = PAMI_Type_serialize(type->remote, &serialized, &type_bytes);
  if (result != PAMI_SUCCESS) return result;
  gathered_t* header = gather(NULL, PAMI_TYPE_BYTE, 0, 0, PAMI_DATA_COPY, NULL, sizeof(typed_request_t) + type_bytes);
  wanted_t* wanted = malloc(sizeof *wanted);
  if (header == NULL || wanted == NULL) return PAMI_ENOMEM;
  *wanted = (wanted_t){.local = local, .type = type->local};
  pami_operation_t* operation = pami_operation_begin(context, rma->dest);
  operation->local_fn = rma->done_fn;
  operation->cookie = rma->cookie;
  operation->more = wanted;
  const size_t header_bytes = write_header(header->data, remote, rma->bytes, operation, serialized, type_bytes);
  return pami_internal_send(context, rma->dest, PAMI_DISPATCH_GET_TYPED, header->data, header_bytes, NULL, 0, has_gone,
                            NULL, header);
}

pami_result_t PAMI_Get_typed(pami_context_t context, pami_get_typed_t* parameters) {
  const pami_result_t result = pami_check_rma(&parameters->rma, "PAMI_Get_typed");
  if (result != PAMI_SUCCESS) return result;
  pami_pieces_t pieces;
  if (pami_pieces_start(&pieces, &parameters->type, parameters->rma.bytes) != PAMI_SUCCESS)
    return pami_error(PAMI_INVAL, "PAMI_Get_typed: a type that is not complete, or has no data");
  return pami_get_typed(context, &parameters->rma, parameters->addr.local,
                        (pami_place_t){.address = (uint64_t)parameters->addr.remote}, &parameters->type);
}

void pami_typed_open(pami_context_impl_t* context) {
  pami_internal_dispatch(context, PAMI_DISPATCH_PUT_TYPED, put_arrives, NULL);
  pami_internal_dispatch(context, PAMI_DISPATCH_GET_TYPED, get_arrives, NULL);
  pami_internal_dispatch(context, PAMI_DISPATCH_GET_REPLY, reply_arrives, NULL);
}
