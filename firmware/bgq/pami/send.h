/* SPDX-License-Identifier: Apache-2.0 */
/* Sending, for all operations that are messages. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_SEND_H
#define TOROID_FIRMWARE_BGQ_PAMI_SEND_H

#include "firmware/bgq/pami/context.h"

/* Sends; the endpoint and the dispatch are good. rdma: ENABLE has the receiver fetch the data unless one packet holds
 * them, DISABLE never. PAMI_INVAL: data outside the process's memory. */
pami_result_t pami_send(pami_context_impl_t* context, pami_endpoint_t to, unsigned dispatch, const struct iovec* header,
                        const struct iovec* data, pami_hint_t rdma, const pami_send_event_t* events);

/* PAMI_INVAL: the endpoint, a dispatch that is not set, or a header longer than it allows. */
pami_result_t pami_check_send(const pami_context_impl_t* context, const pami_send_immediate_t* send, const char* call);

/* PAMI_INVAL: there is no such task, or it cannot have such a context. */
pami_result_t pami_check_endpoint(pami_endpoint_t endpoint, const char* call);

/* Has fences wait for what is on its way to the endpoint. */
void pami_fence_note(pami_context_impl_t* context, pami_endpoint_t to);

#endif
