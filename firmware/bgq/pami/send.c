// SPDX-License-Identifier: Apache-2.0
// Messages: in one packet, in several that follow at once, or fetched by the receiver.
#include "firmware/bgq/pami/send.h"

#include <string.h>

#include "firmware/bgq/pami/operation.h"
#include "firmware/bgq/pami/packet.h"
#include "firmware/bgq/pami/resources.h"
#include "firmware/hot.h"

enum { kEagerMax = 2048 };

typedef struct message {
  pami_context_impl_t* context;
  pami_endpoint_t to;
  const pami_peer_t* peer;
  pami_ring_t* ring;
  unsigned dispatch;
  const uint8_t* header;
  size_t header_bytes;
  const uint8_t* data;
  size_t bytes;
} message_t;

static pami_packet_t software_bytes(const message_t* message, uint8_t kind) {
  return (pami_packet_t){.kind = kind, .origin = message->context->self, .dispatch = (uint16_t)message->dispatch};
}

static void inject(const message_t* message, const pami_packet_t* packet, const void* payload, uint32_t copied) {
  MUHWI_Descriptor_t descriptor;
  pami_describe_packets(&descriptor, message->context, message->to, message->peer, 0, copied, packet);
  pami_ring_inject(message->ring, &descriptor, payload, copied, (pami_injected_t){0});
}

// `arrival`: 0, or what shall come back.
static void send_short(const message_t* message, uint64_t arrival) {
  uint8_t payload[PAMI_PAYLOAD_MAX] __attribute__((aligned(32)));
  pami_packet_t packet = software_bytes(message, PAMI_SHORT);
  uint8_t* at = payload;
  if (arrival != 0) {
    packet.wants_arrival = 1;
    memcpy(at, &arrival, sizeof arrival);
    at += sizeof arrival;
  }
  packet.header_bytes = (uint16_t)message->header_bytes;
  packet.data_bytes = (uint16_t)message->bytes;
  memcpy(at, message->header, message->header_bytes);
  memcpy(at + message->header_bytes, message->data, message->bytes);
  inject(message, &packet, payload, (uint32_t)(at - payload + message->header_bytes + message->bytes));
}

HOT_OF_SENDS static void send_pieces(const message_t* message, uint8_t kind, uint64_t pa, uint64_t bytes,
                                     pami_injected_t injected) {
  const pami_packet_t packet = software_bytes(message, kind);
  MUHWI_Descriptor_t descriptor;
  pami_describe_packets(&descriptor, message->context, message->to, message->peer, pa, bytes, &packet);
  pami_ring_inject(message->ring, &descriptor, NULL, 0, injected);
}

// START or REQUEST, then a header that does not fit there.
HOT_OF_SENDS static void send_start(const message_t* message, uint8_t kind, uint64_t arrival, uint64_t source,
                                    pami_injected_t header_sent) {
  uint8_t payload[PAMI_PAYLOAD_MAX] __attribute__((aligned(32)));
  pami_start_t* start = (pami_start_t*)payload;
  *start = (pami_start_t){
      .data_bytes = message->bytes, .header_bytes = message->header_bytes, .arrival = arrival, .source = source};
  const pami_packet_t packet = software_bytes(message, kind);
  const bool fits = message->header_bytes <= PAMI_START_HEADER_MAX;
  if (fits) memcpy(start + 1, message->header, message->header_bytes);
  inject(message, &packet, payload, (uint32_t)(sizeof *start + (fits ? message->header_bytes : 0)));
  if (!fits)
    send_pieces(message, PAMI_HEADER, pami_physical(message->header, "a message's header"), message->header_bytes,
                header_sent);
}

static pami_operation_t* operation_of(const message_t* message, pami_event_function local_fn,
                                      pami_event_function remote_fn, void* cookie) {
  pami_operation_t* operation = pami_operation_begin(message->context, message->to);
  operation->ended = pami_operation_tell;
  operation->local_fn = local_fn;
  operation->remote_fn = remote_fn;
  operation->cookie = cookie;
  return operation;
}

static uint64_t arrival_of(const message_t* message, pami_event_function remote_fn, void* cookie) {
  return remote_fn == NULL ? 0 : (uint64_t)operation_of(message, NULL, remote_fn, cookie);
}

HOT_OF_SENDS pami_result_t pami_send(pami_context_impl_t* context, pami_endpoint_t to, unsigned dispatch,
                                     const struct iovec* header, const struct iovec* data, pami_hint_t rdma,
                                     const pami_send_event_t* events) {
  message_t message = {.context = context,
                       .to = to,
                       .peer = pami_peer(pami_task_of(to)),
                       .dispatch = dispatch,
                       .header = header->iov_base,
                       .header_bytes = header->iov_len,
                       .data = data->iov_base,
                       .bytes = data->iov_len};
  message.ring = pami_ring_to(context, message.peer);
  pami_fence_note(context, to);
  const size_t all = message.header_bytes + message.bytes;
  if (all + (events->remote_fn != NULL ? sizeof(uint64_t) : 0) <= PAMI_PAYLOAD_MAX) {
    send_short(&message, arrival_of(&message, events->remote_fn, events->cookie));
    pami_later_call(context, events->local_fn, events->cookie, PAMI_SUCCESS);
    return PAMI_SUCCESS;
  }
  uint64_t pa = 0;
  if (message.bytes > 0 && pami_physical_bytes(message.data, &pa) < message.bytes)
    return pami_error(PAMI_INVAL, "a message's %zu bytes at %p are no memory of this process", message.bytes,
                      data->iov_base);
  const bool by_request =
      message.bytes > 0 && (rdma == PAMI_HINT_ENABLE || (message.bytes > kEagerMax && rdma != PAMI_HINT_DISABLE));
  if (by_request) {
    pami_operation_t* operation = operation_of(&message, events->local_fn, events->remote_fn, events->cookie);
    send_start(&message, PAMI_REQUEST, (uint64_t)operation, pa, (pami_injected_t){0});
    return PAMI_SUCCESS;
  }
  const pami_injected_t sent = {.fn = events->local_fn, .cookie = events->cookie};
  const uint64_t arrival = arrival_of(&message, events->remote_fn, events->cookie);
  send_start(&message, PAMI_START, arrival, 0, message.bytes == 0 ? sent : (pami_injected_t){0});
  if (message.bytes > 0) send_pieces(&message, PAMI_DATA, pa, message.bytes, sent);
  return PAMI_SUCCESS;
}

HOT_OF_SENDS pami_result_t pami_internal_send(pami_context_impl_t* context, pami_endpoint_t to, unsigned dispatch,
                                              const void* header, size_t header_bytes, const void* data, size_t bytes,
                                              pami_event_function local_fn, pami_event_function remote_fn,
                                              void* cookie) {
  const struct iovec headers = {.iov_base = (void*)header, .iov_len = header_bytes};
  const struct iovec contents = {.iov_base = (void*)data, .iov_len = bytes};
  const pami_send_event_t events = {.cookie = cookie, .local_fn = local_fn, .remote_fn = remote_fn};
  return pami_send(context, to, dispatch, &headers, &contents, PAMI_HINT_DEFAULT, &events);
}

// The program's messages ---------------------------------------------------------------------------------------------

// Out of the way of messages: the first level of the caches hardly holds their code.
__attribute__((cold, noinline)) static pami_result_t refuse_other_node(const pami_send_immediate_t* send,
                                                                       const char* call) {
  return pami_error(PAMI_INVAL, "%s: dispatch %zu is for shared memory, and task %u is on another node", call,
                    send->dispatch, pami_task_of(send->dest));
}

__attribute__((cold, noinline)) static pami_result_t refuse_long(const pami_send_immediate_t* send, const char* call) {
  return pami_error(PAMI_INVAL,
                    "%s: dispatch %zu is received at once, and takes no more than %d bytes of header and data", call,
                    send->dispatch, PAMI_RECV_IMMEDIATE_MAX);
}

HOT_OF_SENDS pami_result_t pami_check_send(const pami_context_impl_t* context, const pami_send_immediate_t* send,
                                           const char* call) {
  const pami_result_t result = pami_check_endpoint(send->dest, call);
  if (result != PAMI_SUCCESS) return result;
  if (send->dispatch > PAMI_DISPATCH_USER_MAX || context->dispatch[send->dispatch].fn.p2p == NULL)
    return pami_error(PAMI_INVAL, "%s: dispatch %zu is not set", call, send->dispatch);
  const pami_dispatch_hint_t hints = context->dispatch[send->dispatch].hints;
  if (hints.use_shmem == PAMI_HINT_ENABLE && pami_peer(pami_task_of(send->dest))->direction != PAMI_LOCAL_DIRECTION)
    return refuse_other_node(send, call);
  if (hints.recv_immediate == PAMI_HINT_ENABLE && (send->header.iov_len > PAMI_RECV_IMMEDIATE_MAX ||
                                                   send->data.iov_len > PAMI_RECV_IMMEDIATE_MAX - send->header.iov_len))
    return refuse_long(send, call);
  if (send->header.iov_len > PAMI_PAYLOAD_MAX && hints.long_header == PAMI_HINT_DISABLE)
    return pami_error(PAMI_INVAL, "%s: a header of %zu bytes, and dispatch %zu has no long headers", call,
                      send->header.iov_len, send->dispatch);
  return PAMI_SUCCESS;
}

// A dispatch's hint counts; one of the message may be left aside.
static pami_hint_t rdma_of(const pami_context_impl_t* context, const pami_send_immediate_t* send) {
  const pami_hint_t hard = context->dispatch[send->dispatch].hints.use_rdma;
  return hard != PAMI_HINT_DEFAULT ? hard : (pami_hint_t)send->hints.use_rdma;
}

HOT_OF_SENDS pami_result_t PAMI_Send(pami_context_t context, pami_send_t* parameters) {
  const pami_send_immediate_t* send = &parameters->send;
  const pami_result_t result = pami_check_send(context, send, "PAMI_Send");
  if (result != PAMI_SUCCESS) return result;
  return pami_send(context, send->dest, (unsigned)send->dispatch, &send->header, &send->data, rdma_of(context, send),
                   &parameters->events);
}

HOT_OF_SENDS pami_result_t PAMI_Send_immediate(pami_context_t context, pami_send_immediate_t* parameters) {
  pami_context_impl_t* from = context;
  const pami_result_t result = pami_check_send(from, parameters, "PAMI_Send_immediate");
  if (result != PAMI_SUCCESS) return result;
  const size_t header = parameters->header.iov_len, data = parameters->data.iov_len;
  if (header > PAMI_SEND_IMMEDIATE_MAX || data > PAMI_SEND_IMMEDIATE_MAX - header)
    return pami_error(PAMI_INVAL, "PAMI_Send_immediate: %zu and %zu bytes; %d are the most together", header, data,
                      PAMI_SEND_IMMEDIATE_MAX);
  if (from->dispatch[parameters->dispatch].hints.queue_immediate == PAMI_HINT_DISABLE &&
      !pami_ring_has_room(pami_ring_to(from, pami_peer(pami_task_of(parameters->dest)))))
    return pami_error(PAMI_EAGAIN, "PAMI_Send_immediate: the injection FIFO is full");
  const pami_send_event_t nothing = {0};
  return pami_send(from, parameters->dest, (unsigned)parameters->dispatch, &parameters->header, &parameters->data,
                   PAMI_HINT_DEFAULT, &nothing);
}
