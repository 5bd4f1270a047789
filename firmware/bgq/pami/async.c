// SPDX-License-Identifier: Apache-2.0
// A thread for each context that is to make progress in the background. It looks for packets without the context's
// lock, so that one that waits leaves memory as it is.
#include "firmware/bgq/pami/async.h"

#include <pthread.h>
#include <stdlib.h>

#include "firmware/bgq/pami/rma.h"

typedef struct pami_async {
  pami_async_function_t progress;
  pami_async_function_t suspend;
  pami_async_function_t resume;
  void* cookie;
  pthread_t thread;
  uint32_t enabled;  // 1: a thread is to advance the context
} pami_async_state_t;

static pami_async_state_t* state_of(pami_context_impl_t* context) {
  if (context->async == NULL) context->async = calloc(1, sizeof *context->async);
  return context->async;
}

bool pami_async_progress_runs(pami_context_impl_t* context) {
  return context->async != NULL && context->async->enabled;
}

static void* run(void* argument) {
  pami_context_impl_t* context = argument;
  pami_async_state_t* async = context->async;
  if (async->progress != NULL) async->progress(context, async->cookie);
  while (__atomic_load_n(&async->enabled, __ATOMIC_ACQUIRE)) {
    if (!pami_has_something(context) || PAMI_Context_trylock(context) != PAMI_SUCCESS) continue;
    PAMI_Context_advance(context, 1);
    PAMI_Context_unlock(context);
  }
  if (async->suspend != NULL) async->suspend(context, async->cookie);
  return NULL;
}

pami_result_t pami_async_register(pami_context_t context, pami_async_function_t progress, pami_async_function_t suspend,
                                  pami_async_function_t resume, void* cookie) {
  if (context == NULL) return pami_error(PAMI_INVAL, "async progress: no context");
  pami_async_state_t* async = state_of(context);
  if (async == NULL) return pami_error(PAMI_ENOMEM, "async progress: there is no memory");
  async->progress = progress;
  async->suspend = suspend;
  async->resume = resume;
  async->cookie = cookie;
  return PAMI_SUCCESS;
}

pami_result_t pami_async_enable(pami_context_t context, pami_async_t what) {
  (void)what;
  if (context == NULL) return pami_error(PAMI_INVAL, "async progress: no context");
  pami_async_state_t* async = state_of(context);
  if (async == NULL) return pami_error(PAMI_ENOMEM, "async progress: there is no memory");
  if (async->enabled) return PAMI_SUCCESS;
  async->enabled = 1;
  if (pthread_create(&async->thread, NULL, run, context) == 0) return PAMI_SUCCESS;
  async->enabled = 0;
  return pami_error(PAMI_ENOMEM, "async progress: the process has no hardware thread left");
}

pami_result_t pami_async_disable(pami_context_t context, pami_async_t what) {
  (void)what;
  pami_context_impl_t* of = context;
  if (of == NULL) return pami_error(PAMI_INVAL, "async progress: no context");
  if (!pami_async_progress_runs(of)) return PAMI_SUCCESS;
  __atomic_store_n(&of->async->enabled, 0, __ATOMIC_RELEASE);
  pthread_join(of->async->thread, NULL);
  return PAMI_SUCCESS;
}
