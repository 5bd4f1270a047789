/* SPDX-License-Identifier: Apache-2.0 */
/* Fences: what has been started at a context has taken place at its targets. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_FENCE_H
#define TOROID_FIRMWARE_BGQ_PAMI_FENCE_H

#include "firmware/bgq/pami/context.h"

pami_result_t pami_fence_open(pami_context_impl_t* context);
void pami_fence_close(pami_context_impl_t* context);

#endif
