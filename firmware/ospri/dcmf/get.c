// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/send.h"

void ospri_get_remote(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle) {
  ospri_request_t* const request = ospri_take_request(handle);
  ospri_expect_success(DCMF_Get(&ospri.get, &request->dcmf, ospri_request_done(request), ospri.consistency, target,
                                bytes, &ospri.regions[target], &ospri.region, (size_t)source, (size_t)place),
                       "DCMF_Get", target);
}

void ospri_get(unsigned target, void* source, void* place, size_t bytes, ospri_handle_t* handle) {
  if (bytes == 0 || ospri_copy_here(target, source, place, bytes, handle)) return;
  ospri_keep_order(target, handle, OSPRI_BY_MESSAGE);
  ospri_get_remote(target, source, place, bytes, handle);
}
