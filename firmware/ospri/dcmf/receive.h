// SPDX-License-Identifier: Apache-2.0
/// What happens when messages arrive: DCMF's callbacks, and the parts of other files that they call.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_RECEIVE_H
#define TOROID_FIRMWARE_OSPRI_DCMF_RECEIVE_H

#include "firmware/ospri/dcmf/state.h"

#ifdef __cplusplus
extern "C" {
#endif

void ospri_register_protocols(void);
void ospri_free_receives(void);

/// Whether a message of `peer` that began to arrive before number `before` is not complete.
bool ospri_receives_from(unsigned peer, uint32_t before);

// strided_get.c
void ospri_receive_fetch(unsigned asker, const void* data);
void ospri_receive_fetched(const void* data);
/// Continues replies that had to wait for buffers.
void ospri_go_on_replying(void);

// rmw.c
void ospri_receive_rmw(unsigned asker, const ospri_head_t* head);
void ospri_receive_rmw_result(const ospri_head_t* head);

// mutex.c
void ospri_receive_lock(unsigned asker, const ospri_head_t* head);
void ospri_receive_unlock(const ospri_head_t* head);
void ospri_receive_locked(const ospri_head_t* head);

// flush.c
void ospri_receive_flush(unsigned asker, const ospri_head_t* head);
void ospri_receive_flushed(const ospri_head_t* head);
/// A message of `peer` is complete: confirms flushes that waited for it.
void ospri_go_on_flushing(unsigned peer);

// requests.c
/// One that need not wait for receptions from number `before` on.
void ospri_receive_request(unsigned source, uint32_t before, const ospri_head_t* head, const void* data, size_t bytes);
void ospri_go_on_with_requests(unsigned source);

// collective.c
void ospri_receive_shared(unsigned peer, const ospri_head_t* head);

#ifdef __cplusplus
}
#endif

#endif
