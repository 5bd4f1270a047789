// SPDX-License-Identifier: Apache-2.0
// Atomic operations: done by the target's processor, one message at a time.
#include <string.h>

#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/receive.h"
#include "firmware/ospri/dcmf/send.h"

void ospri_rmw(unsigned target, const void* operand, void* result, void* place, unsigned bytes, unsigned operation,
               unsigned type, ospri_handle_t* handle) {
  if (ospri_bypasses(target)) {
    ospri_apply_rmw(place, operand, result, bytes, operation, type);
    return;
  }
  ospri_request_t* const request = ospri_take_request(handle);
  request->result = result;
  ospri_head_t head = {.kind = OSPRI_RMW,
                       .type = (uint8_t)type,
                       .operation = (uint8_t)operation,
                       .number = bytes,
                       .place = place,
                       .origin = request};
  memcpy(head.value, operand, bytes);
  ospri_send_head(target, &head, bytes);
}

void ospri_receive_rmw(unsigned asker, const ospri_head_t* head) {
  ospri_head_t answer = {.kind = OSPRI_RMW_RESULT, .number = head->number, .origin = head->origin};
  ospri_apply_rmw(head->place, head->value, answer.value, head->number, head->operation, head->type);
  ospri_send_head(asker, &answer, head->number);
}

void ospri_receive_rmw_result(const ospri_head_t* head) {
  ospri_request_t* const request = head->origin;
  memcpy(request->result, head->value, head->number);
  ospri_handle_t* const handle = request->handle;
  ospri_give_request(request);
  ospri_piece_done(handle);
}
