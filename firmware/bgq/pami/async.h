/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that advance contexts in the background: EXT_async_progress. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_ASYNC_H
#define TOROID_FIRMWARE_BGQ_PAMI_ASYNC_H

#include "firmware/bgq/pami/context.h"

typedef void (*pami_async_function_t)(pami_context_t context, void* cookie);

/* What background progress is to serve; all that there is, whichever is asked for. */
typedef enum { PAMI_ASYNC_ALL = 0, PAMI_ASYNC_RECV_INTERRUPT = 1, PAMI_ASYNC_TIMER = 2 } pami_async_t;

/* Functions that the thread calls when it begins to advance the context, stops for a while, and goes on; any may be
 * NULL. */
pami_result_t pami_async_register(pami_context_t context, pami_async_function_t progress, pami_async_function_t suspend,
                                  pami_async_function_t resume, void* cookie);
/* PAMI_ENOMEM: there is no memory, or no hardware thread left and none that advances another context: contexts may
 * share one. The thread takes the context's lock while it advances. */
pami_result_t pami_async_enable(pami_context_t context, pami_async_t what);
/* Returns when the thread has left the context. PAMI_INVAL: that thread itself calls. */
pami_result_t pami_async_disable(pami_context_t context, pami_async_t what);

#endif
