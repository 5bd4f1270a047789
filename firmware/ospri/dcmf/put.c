// SPDX-License-Identifier: Apache-2.0
// Contiguous puts: the network writes the target's memory without its processor. Without any order they are messages
// instead, which may take any route and which the target confirms.
#include <string.h>

#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/send.h"

static const DCMF_Callback_t kNobody = {NULL, NULL};

static void put_by_message(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle) {
  ospri_head_t head = {.kind = OSPRI_PUT, .place = place};
  ospri_request_t* const request = ospri_take_request(handle);
  ospri_count_send(target, &head);
  ospri_send_data(target, &head, 0, source, bytes, request);
}

void ospri_put_remote(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle) {
  if (ospri.settings.order == OSPRI_ORDER_NONE) {
    put_by_message(target, source, place, bytes, handle);
    return;
  }
  ospri_request_t* const request = ospri_take_request(handle);
  ospri.targets[target].puts += 1;
  ospri_expect_success(
      DCMF_Put(&ospri.put, &request->dcmf, ospri_request_done(request), DCMF_SEQUENTIAL_CONSISTENCY, target, bytes,
               &ospri.region, &ospri.regions[target], (size_t)source, (size_t)place, kNobody),
      "DCMF_Put", target);
}

bool ospri_copy_here(unsigned target, const void* source, void* place, size_t bytes, const ospri_handle_t* handle) {
  if (!ospri_bypasses(target) || bytes > ospri.settings.bypass_contiguous) return false;
  ospri_keep_order(target, handle, OSPRI_HERE);
  memmove(place, source, bytes);
  return true;
}

void ospri_put(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle) {
  if (bytes == 0 || ospri_copy_here(target, source, place, bytes, handle)) return;
  ospri_keep_order(target, handle, OSPRI_DIRECT);
  ospri_put_remote(target, source, place, bytes, handle);
}
