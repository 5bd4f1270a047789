// SPDX-License-Identifier: Apache-2.0
// Accumulates: the network cannot add, so the target's processor does, when the message arrives.
#include <string.h>

#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/send.h"

/// Sends from a buffer, so that the program's memory is free at once, if the mode says so and the data fit.
static void send(unsigned target, ospri_head_t* head, unsigned value_bytes, void* source, size_t bytes,
                 ospri_handle_t* handle) {
  ospri_pool_t* const pool = &ospri.accumulate_pool;
  if (ospri.settings.handoff && bytes <= pool->bytes) {
    ospri_buffer_t* const buffer = ospri_take_buffer(pool);
    memcpy(buffer->data, source, bytes);
    ospri_count_send(target, head);
    ospri_send_buffer(target, head, value_bytes, buffer, bytes, NULL);
  } else {
    ospri_request_t* const request = ospri_take_request(handle);
    ospri_count_send(target, head);
    ospri_send_data(target, head, value_bytes, source, bytes, request);
  }
}

void ospri_accumulate_now(unsigned target, void* source, void* place, size_t bytes, const ospri_scaling_t* scaling,
                          ospri_handle_t* handle) {
  if (ospri_bypasses(target)) {
    ospri_add_scaled(place, source, bytes, scaling->type, scaling->value);
    return;
  }
  ospri_head_t head = {.kind = OSPRI_ACCUMULATE, .type = (uint8_t)scaling->type, .place = place};
  memcpy(head.value, scaling->value, sizeof scaling->value);
  send(target, &head, sizeof scaling->value, source, bytes, handle);
}

void ospri_accumulate(unsigned target, void* source, void* place, size_t bytes, const ospri_scaling_t* scaling,
                      ospri_handle_t* handle) {
  if (bytes == 0) return;
  const bool here = ospri_bypasses(target);
  ospri_keep_order(target, handle, here ? OSPRI_HERE : OSPRI_BY_MESSAGE);
  ospri_accumulate_now(target, source, place, bytes, scaling, handle);
}

void ospri_combine(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle) {
  if (bytes == 0) return;
  const bool here = ospri_bypasses(target);
  ospri_keep_order(target, handle, here ? OSPRI_HERE : OSPRI_BY_MESSAGE);
  if (here) {
    ospri_xor(place, source, bytes);
    return;
  }
  ospri_head_t head = {.kind = OSPRI_COMBINE, .place = place};
  send(target, &head, 0, source, bytes, handle);
}
