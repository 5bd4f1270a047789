// SPDX-License-Identifier: Apache-2.0
// Threads that advance contexts in the background: one for each context while the process has hardware threads for
// them; then contexts share them. A thread looks for packets without a context's lock, so that one that waits leaves
// memory as it is.
#include "firmware/bgq/pami/async.h"

#include <pthread.h>
#include <stdlib.h>

#include "firmware/bgq/pami/rma.h"

typedef struct helper {
  struct helper* next;
  pthread_t thread;
  pami_context_impl_t* first;  // of those that it advances
  unsigned contexts;
} helper_t;

typedef struct pami_async {
  pami_async_function_t progress;
  pami_async_function_t suspend;
  pami_async_function_t resume;
  void* cookie;
  helper_t* helper;           // NULL: no thread advances the context
  pami_context_impl_t* next;  // of those of the thread
  uint32_t enabled;           // 1: the thread is to advance the context
  uint32_t begun;             // 1: it has begun to
  uint32_t left;              // 1: it does so no longer
} pami_async_state_t;

// Of the list of threads and what they have. A thread reads and shortens its own list without it.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static helper_t* helpers;

static pami_async_state_t* state_of(pami_context_impl_t* context) {
  if (context->async == NULL) context->async = calloc(1, sizeof *context->async);
  return context->async;
}

bool pami_async_progress_runs(pami_context_impl_t* context) {
  return context->async != NULL && context->async->enabled;
}

static void serve(pami_context_impl_t* context) {
  if (!pami_has_something(context) || PAMI_Context_trylock(context) != PAMI_SUCCESS) return;
  PAMI_Context_advance(context, 1);
  PAMI_Context_unlock(context);
}

// Takes a context off the thread's own list, to whose front others may add.
static void leave(helper_t* helper, pami_context_impl_t* context) {
  pami_async_state_t* async = context->async;
  pami_context_impl_t* expected = context;
  if (!__atomic_compare_exchange_n(&helper->first, &expected, async->next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    pami_context_impl_t* before = expected;
    while (before->async->next != context) before = before->async->next;
    before->async->next = async->next;
  }
  if (async->begun && async->suspend != NULL) async->suspend(context, async->cookie);
  __atomic_store_n(&async->left, 1, __ATOMIC_RELEASE);
}

static void* run(void* argument) {
  helper_t* helper = argument;
  for (pami_context_impl_t* context; (context = __atomic_load_n(&helper->first, __ATOMIC_ACQUIRE)) != NULL;)
    for (pami_context_impl_t* next; context != NULL; context = next) {
      pami_async_state_t* async = context->async;
      next = async->next;
      if (!__atomic_load_n(&async->enabled, __ATOMIC_ACQUIRE)) {
        leave(helper, context);
        continue;
      }
      if (!async->begun) {
        async->begun = 1;
        if (async->progress != NULL) async->progress(context, async->cookie);
      }
      serve(context);
    }
  return NULL;
}

// Has a new thread advance the context; if there can be none, the one that has fewest. NULL: there is none at all.
static helper_t* find_helper(pami_context_impl_t* context) {
  helper_t* helper = calloc(1, sizeof *helper);
  if (helper == NULL) return NULL;
  helper->first = context;
  if (pthread_create(&helper->thread, NULL, run, helper) == 0) {
    helper->next = helpers;
    return helpers = helper;
  }
  free(helper);
  helper = helpers;
  for (helper_t* other = helpers; other != NULL; other = other->next)
    if (other->contexts < helper->contexts) helper = other;
  if (helper == NULL) return NULL;
  context->async->next = __atomic_load_n(&helper->first, __ATOMIC_ACQUIRE);
  while (!__atomic_compare_exchange_n(&helper->first, &context->async->next, context, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))
    continue;
  return helper;
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
  async->next = NULL;
  async->begun = async->left = 0;
  async->enabled = 1;
  pthread_mutex_lock(&mutex);
  async->helper = find_helper(context);
  if (async->helper != NULL) ++async->helper->contexts;
  pthread_mutex_unlock(&mutex);
  if (async->helper != NULL) return PAMI_SUCCESS;
  async->enabled = 0;
  return pami_error(PAMI_ENOMEM, "async progress: the process has no hardware thread left, nor one to share");
}

static void end(helper_t* helper) {
  helper_t** link = &helpers;
  while (*link != helper) link = &(*link)->next;
  *link = helper->next;
  pthread_join(helper->thread, NULL);
  free(helper);
}

pami_result_t pami_async_disable(pami_context_t context, pami_async_t what) {
  (void)what;
  pami_context_impl_t* of = context;
  if (of == NULL) return pami_error(PAMI_INVAL, "async progress: no context");
  if (!pami_async_progress_runs(of)) return PAMI_SUCCESS;
  pthread_mutex_lock(&mutex);
  helper_t* helper = of->async->helper;
  if (pthread_equal(helper->thread, pthread_self())) {
    pthread_mutex_unlock(&mutex);
    return pami_error(PAMI_INVAL, "async progress: a function that the thread itself calls cannot stop it");
  }
  __atomic_store_n(&of->async->enabled, 0, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&of->async->left, __ATOMIC_ACQUIRE)) continue;
  if (--helper->contexts == 0) end(helper);
  pthread_mutex_unlock(&mutex);
  return PAMI_SUCCESS;
}
