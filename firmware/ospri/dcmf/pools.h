// SPDX-License-Identifier: Apache-2.0
/// Pools of requests and of message buffers. Their sizes are what keeps a process from filling the network: whoever
/// finds a pool empty makes progress until something comes back.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_POOLS_H
#define TOROID_FIRMWARE_OSPRI_DCMF_POOLS_H

#include "firmware/ospri/dcmf/state.h"

#ifdef __cplusplus
extern "C" {
#endif

void ospri_make_pools(void);
void ospri_free_pools(void);

/// Waits for one; not in callbacks. Adds one to what `handle` waits for.
ospri_request_t* ospri_take_request(ospri_handle_t* handle);
void ospri_give_request(ospri_request_t* request);

/// Something that a handle waits for is over.
static inline void ospri_piece_done(ospri_handle_t* handle) {
  if (--handle->pending == 0 && handle->told) handle->told(handle->context);
}

/// DCMF's callback: the operation of a request is over, as far as its handle is concerned.
DCMF_Callback_t ospri_request_done(ospri_request_t* request);

/// Waits for one; not in callbacks.
ospri_buffer_t* ospri_take_buffer(ospri_pool_t* pool);

/// The same without waiting: NULL if there is none.
ospri_buffer_t* ospri_try_buffer(ospri_pool_t* pool);

/// DCMF's callback: a buffer has been sent.
DCMF_Callback_t ospri_buffer_sent(ospri_buffer_t* buffer);

#ifdef __cplusplus
}
#endif

#endif
