// SPDX-License-Identifier: Apache-2.0
/// Messages to the OSPRI of another process.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_SEND_H
#define TOROID_FIRMWARE_OSPRI_DCMF_SEND_H

#include "firmware/ospri/dcmf/pools.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sends a head that has `value_bytes` of value, and nothing else. Complete on return, as far as the caller is
/// concerned; also in callbacks.
void ospri_send_head(unsigned target, ospri_head_t* head, unsigned value_bytes);

/// Sends data from the program's memory, counted as something that a flush waits for.
void ospri_send_data(unsigned target, ospri_head_t* head, unsigned value_bytes, void* data, size_t bytes,
                     ospri_request_t* request);

/// Sends data that is one packet at most and stays where it is until an answer comes.
void ospri_send_steady(unsigned target, ospri_head_t* head, void* data, size_t bytes);

/// Sends the first bytes of a buffer, which comes back to its pool by itself. `handle` waits for that; NULL: nobody.
void ospri_send_buffer(unsigned target, ospri_head_t* head, unsigned value_bytes, ospri_buffer_t* buffer, size_t bytes,
                       ospri_handle_t* handle);

/// Sends a request of a library above. `request` is DCMF's until `done` is called; also in callbacks.
void ospri_send_request(unsigned target, ospri_head_t* head, unsigned value_bytes, const void* data, size_t bytes,
                        DCMF_Request_t* request, DCMF_Callback_t done);

/// Counts a message that changes the target's memory, and asks for a confirmation if the order is none. To be called
/// before it is sent.
void ospri_count_send(unsigned target, ospri_head_t* head);

/// Sends a control message; also in callbacks.
void ospri_send_control(unsigned target, ospri_kind_t kind, uint32_t number, void* origin);

/// Ends the process unless `result` is DCMF_SUCCESS.
void ospri_expect_success(DCMF_Result result, const char* call, unsigned target);

#ifdef __cplusplus
}
#endif

#endif
