// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/dcmf/send.h"

#include "firmware/ospri/dcmf/fatal.h"

_Static_assert(sizeof(ospri_head_t) <= OSPRI_HEAD_QUADS * sizeof(DCQuad), "a head is msginfo");
_Static_assert(sizeof(ospri_head_t) <= sizeof(DCMF_Control_t), "a head is a control message");
_Static_assert(sizeof(DCMF_Memregion_t) <= OSPRI_VALUE_BYTES, "a region is a value");

static const DCMF_Callback_t kNobody = {NULL, NULL};

void ospri_expect_success(DCMF_Result result, const char* call, unsigned target) {
  if (result != DCMF_SUCCESS) ospri_fatal("%s to rank %u failed with %d", call, target, (int)result);
}

static unsigned head_quads(unsigned value_bytes) {
  return (unsigned)((OSPRI_HEAD_BYTES + value_bytes + sizeof(DCQuad) - 1) / sizeof(DCQuad));
}

static void post(DCMF_Protocol_t* protocol, DCMF_Request_t* request, DCMF_Callback_t done, unsigned target, void* data,
                 size_t bytes, ospri_head_t* head, unsigned value_bytes) {
  ospri_expect_success(DCMF_Send(protocol, request, done, ospri.consistency, target, bytes, data, (DCQuad*)head,
                                 head_quads(value_bytes)),
                       "DCMF_Send", target);
}

void ospri_send_head(unsigned target, ospri_head_t* head, unsigned value_bytes) {
  DCMF_Request_t request;  // without a callback, nobody looks at it after the call
  post(&ospri.send, &request, kNobody, target, NULL, 0, head, value_bytes);
}

void ospri_send_steady(unsigned target, ospri_head_t* head, void* data, size_t bytes) {
  DCMF_Request_t request;
  post(&ospri.send, &request, kNobody, target, data, bytes, head, 0);
}

void ospri_send_data(unsigned target, ospri_head_t* head, unsigned value_bytes, void* data, size_t bytes,
                     ospri_request_t* request) {
  post(&ospri.send, &request->dcmf, ospri_request_done(request), target, data, bytes, head, value_bytes);
}

void ospri_send_buffer(unsigned target, ospri_head_t* head, unsigned value_bytes, ospri_buffer_t* buffer, size_t bytes,
                       ospri_handle_t* handle) {
  buffer->handle = handle;
  if (handle) handle->pending += 1;
  post(&ospri.packet_send, &buffer->dcmf, ospri_buffer_sent(buffer), target, buffer->data, bytes, head, value_bytes);
}

void ospri_send_request(unsigned target, ospri_head_t* head, unsigned value_bytes, const void* data, size_t bytes,
                        DCMF_Request_t* request, DCMF_Callback_t done) {
  post(&ospri.send, request, done, target, (void*)(uintptr_t)data, bytes, head, value_bytes);
}

void ospri_count_send(unsigned target, ospri_head_t* head) {
  ospri_target_t* const state = &ospri.targets[target];
  state->sends += 1;
  if (head->kind == OSPRI_PUT_BLOCKS) state->sends |= OSPRI_PACKED_PUTS;
  head->acknowledge = ospri.settings.order == OSPRI_ORDER_NONE;
}

void ospri_send_control(unsigned target, ospri_kind_t kind, uint32_t number, void* origin) {
  union {
    DCMF_Control_t control;
    ospri_head_t head;
  } message;
  message.head.kind = (uint8_t)kind;
  message.head.number = number;
  message.head.origin = origin;
  ospri_expect_success(DCMF_Control(&ospri.control, ospri.consistency, target, &message.control), "DCMF_Control",
                       target);
}
