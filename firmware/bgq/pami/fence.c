// SPDX-License-Identifier: Apache-2.0
// A fence sends a message behind all others to each endpoint to which something has gone since the last fence, and
// waits for its arrival, and for the end of all operations that end by counters and answers.
#include "firmware/bgq/pami/fence.h"

#include <stdlib.h>

#include "firmware/bgq/pami/operation.h"
#include "firmware/bgq/pami/send.h"
#include "firmware/hot.h"

typedef struct pami_fence {
  bool open;
  uint64_t* offsets;   // of each task: contexts to which something has gone
  pami_task_t* tasks;  // those with any
  uint32_t task_count;
} pami_fence_t;

typedef struct waiting_fence {
  pami_hook_t hook;
  pami_event_function fn;
  void* cookie;
  uint64_t missing;  // messages whose arrival has not been told
} waiting_fence_t;

// The messages of fences say nothing.
static void arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* data,
                    size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header, (void)header_bytes, (void)data, (void)bytes, (void)origin, (void)receiver;
}

pami_result_t pami_fence_open(pami_context_impl_t* context) {
  pami_internal_dispatch(context, PAMI_DISPATCH_FENCE, arrives, NULL);
  context->fence = calloc(1, sizeof *context->fence);
  return context->fence == NULL ? PAMI_ENOMEM : PAMI_SUCCESS;
}

static void forget(pami_fence_t* fence) {
  free(fence->offsets);
  free(fence->tasks);
  fence->offsets = NULL;
  fence->tasks = NULL;
}

void pami_fence_close(pami_context_impl_t* context) {
  forget(context->fence);
  free(context->fence);
}

HOT_OF_RMA void pami_fence_note(pami_context_impl_t* context, pami_endpoint_t to) {
  pami_fence_t* fence = context->fence;
  if (!fence->open) return;
  uint64_t* offsets = &fence->offsets[pami_task_of(to)];
  if (*offsets == 0) fence->tasks[fence->task_count++] = pami_task_of(to);
  *offsets |= (uint64_t)1 << pami_offset_of(to);
}

pami_result_t PAMI_Fence_begin(pami_context_t context) {
  pami_fence_t* fence = ((pami_context_impl_t*)context)->fence;
  if (fence->offsets != NULL) return pami_error(PAMI_INVAL, "PAMI_Fence_begin: a fence region has begun already");
  fence->offsets = calloc(pami_job.tasks, sizeof *fence->offsets);
  fence->tasks = malloc(pami_job.tasks * sizeof *fence->tasks);
  if (fence->offsets == NULL || fence->tasks == NULL) {
    forget(fence);
    return pami_error(PAMI_ENOMEM, "PAMI_Fence_begin: there is no memory");
  }
  fence->task_count = 0;
  fence->open = true;
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Fence_end(pami_context_t context) {
  pami_fence_t* fence = ((pami_context_impl_t*)context)->fence;
  if (fence->offsets == NULL) return pami_error(PAMI_INVAL, "PAMI_Fence_end: no fence region has begun");
  fence->open = false;
  forget(fence);
  return PAMI_SUCCESS;
}

static void has_arrived(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  --((waiting_fence_t*)cookie)->missing;
}

static unsigned look(pami_context_impl_t* context, void* cookie) {
  waiting_fence_t* waiting = cookie;
  if (waiting->missing != 0 || context->operations->outstanding != 0) return 0;
  const waiting_fence_t call = *waiting;
  pami_hook_remove(context, &waiting->hook);
  free(waiting);
  if (call.fn != NULL) call.fn(context, call.cookie, PAMI_SUCCESS);
  return 1;
}

static void send_behind(pami_context_impl_t* context, waiting_fence_t* waiting, pami_task_t task, uint64_t offsets) {
  for (; offsets != 0; offsets &= offsets - 1) {
    ++waiting->missing;
    pami_internal_send(context, pami_endpoint_of(task, (size_t)__builtin_ctzll(offsets)), PAMI_DISPATCH_FENCE, NULL, 0,
                       NULL, 0, NULL, has_arrived, waiting);
  }
}

static pami_result_t start(pami_context_impl_t* context, pami_event_function fn, void* cookie, const char* call,
                           waiting_fence_t** made) {
  if (context->fence->offsets == NULL) return pami_error(PAMI_INVAL, "%s: outside of a fence region", call);
  waiting_fence_t* waiting = calloc(1, sizeof *waiting);
  if (waiting == NULL) return pami_error(PAMI_ENOMEM, "%s: there is no memory", call);
  *waiting = (waiting_fence_t){.hook = {.poll = look, .cookie = waiting}, .fn = fn, .cookie = cookie};
  *made = waiting;
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Fence_all(pami_context_t context, pami_event_function done_fn, void* cookie) {
  pami_fence_t* fence = ((pami_context_impl_t*)context)->fence;
  waiting_fence_t* waiting;
  const pami_result_t result = start(context, done_fn, cookie, "PAMI_Fence_all", &waiting);
  if (result != PAMI_SUCCESS) return result;
  fence->open = false;  // the fence's own messages do not count
  for (uint32_t i = 0; i < fence->task_count; ++i) {
    uint64_t* offsets = &fence->offsets[fence->tasks[i]];
    send_behind(context, waiting, fence->tasks[i], *offsets);
    *offsets = 0;
  }
  fence->task_count = 0;
  fence->open = true;
  pami_hook_add(context, &waiting->hook);
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Fence_endpoint(pami_context_t context, pami_event_function done_fn, void* cookie,
                                  pami_endpoint_t target) {
  pami_result_t result = pami_check_endpoint(target, "PAMI_Fence_endpoint");
  if (result != PAMI_SUCCESS) return result;
  pami_fence_t* fence = ((pami_context_impl_t*)context)->fence;
  waiting_fence_t* waiting;
  result = start(context, done_fn, cookie, "PAMI_Fence_endpoint", &waiting);
  if (result != PAMI_SUCCESS) return result;
  // What has gone to the endpoint stays noted: a fence more costs a message, and changes nothing.
  fence->open = false;
  send_behind(context, waiting, pami_task_of(target), (uint64_t)1 << pami_offset_of(target));
  fence->open = true;
  pami_hook_add(context, &waiting->hook);
  return PAMI_SUCCESS;
}
