// SPDX-License-Identifier: Apache-2.0
// Progress. Where nothing has happened, an advance leaves memory and registers as they were: so a simulator sees that a
// core waits.
#include <stdlib.h>

#include "firmware/bgq/pami/context.h"
#include "firmware/bgq/pami/operation.h"
#include "firmware/bgq/pami/reception.h"
#include "firmware/hot.h"

// However often a call may poll, it does so a few times: a count that goes on for long would look like work.
enum { kPollsMax = 8 };

static size_t polls(size_t maximum) {
  return maximum < kPollsMax ? maximum : kPollsMax;
}

// What a pami_work_t has.
typedef struct pami_posted {
  struct pami_posted* next;
  pami_work_function fn;
  void* cookie;
} posted_t;

_Static_assert(sizeof(posted_t) <= sizeof(pami_work_t), "room for work");

HOT_OF_COLLECTIVES void pami_hook_add(pami_context_impl_t* context, pami_hook_t* hook) {
  hook->next = context->hooks;
  context->hooks = hook;
}

HOT_OF_COLLECTIVES void pami_hook_remove(pami_context_impl_t* context, pami_hook_t* hook) {
  pami_hook_t** link = &context->hooks;
  while (*link != NULL && *link != hook) link = &(*link)->next;
  if (*link != NULL) *link = hook->next;
}

HOT_OF_SENDS void pami_later_call(pami_context_impl_t* context, pami_event_function fn, void* cookie,
                                  pami_result_t result) {
  if (fn == NULL) return;
  pami_later_t* later = context->later_free;
  if (later != NULL)
    context->later_free = later->next;
  else if ((later = malloc(sizeof *later)) == NULL)
    pami_fatal("there is no memory for calls that are due");
  *later = (pami_later_t){.fn = fn, .cookie = cookie, .result = result};
  *context->later_end = later;
  context->later_end = &later->next;
}

// Those that are due now; what they put off is for the next advance.
static unsigned call_later(pami_context_impl_t* context) {
  pami_later_t* due = context->later;
  context->later = NULL;
  context->later_end = &context->later;
  unsigned events = 0;
  while (due != NULL) {
    const pami_later_t call = *due;
    due->next = context->later_free;
    context->later_free = due;
    due = call.next;
    call.fn(context, call.cookie, call.result);
    ++events;
  }
  return events;
}

pami_result_t PAMI_Context_post(pami_context_t context, pami_work_t* work, pami_work_function fn, void* cookie) {
  if (context == NULL || work == NULL || fn == NULL)
    return pami_error(PAMI_INVAL, "PAMI_Context_post: no context, no work, or no function");
  struct pami_posted* volatile* head = &((pami_context_impl_t*)context)->posted;
  posted_t* posted = (posted_t*)work;
  posted->fn = fn;
  posted->cookie = cookie;
  posted->next = *head;
  while (!__atomic_compare_exchange_n(head, &posted->next, posted, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) continue;
  return PAMI_SUCCESS;
}

// Work that is not done yet stays in front of what comes later.
static unsigned work(pami_context_impl_t* context) {
  if (context->posted != NULL) {
    posted_t* come = __atomic_exchange_n(&context->posted, NULL, __ATOMIC_ACQUIRE);
    posted_t* in_order = NULL;
    while (come != NULL) {
      posted_t* next = come->next;
      come->next = in_order;
      in_order = come;
      come = next;
    }
    posted_t** end = &context->working;
    while (*end != NULL) end = &(*end)->next;
    *end = in_order;
  }
  unsigned events = 0;
  for (posted_t** link = &context->working; *link != NULL;) {
    posted_t* first = *link;
    posted_t* next = first->next;
    // Its memory may be used anew as soon as it has succeeded.
    if (first->fn(context, first->cookie) == PAMI_EAGAIN) {
      link = &first->next;
    } else {
      *link = next;
      ++events;
    }
  }
  return events;
}

HOT static unsigned advance(pami_context_impl_t* context) {
  unsigned events = pami_receive(context);
  for (uint32_t busy = context->rings_busy; busy != 0; busy &= busy - 1)
    events += pami_ring_settle(&context->rings[__builtin_ctz(busy)], context);
  const pami_operations_t* operations = context->operations;
  if (operations->counting != NULL || operations->waiting != NULL) events += pami_operations_settle(context);
  if (context->later != NULL) events += call_later(context);
  if (context->posted != NULL || context->working != NULL) events += work(context);
  for (pami_hook_t *hook = context->hooks, *next; hook != NULL; hook = next) {
    next = hook->next;
    events += hook->poll(context, hook->cookie);
  }
  return events;
}

HOT_OF_SENDS bool pami_has_something(pami_context_impl_t* context) {
  if (context->posted != NULL || context->working != NULL || context->later != NULL || context->hooks != NULL)
    return true;
  const pami_operations_t* operations = context->operations;
  if (operations->counting != NULL || operations->waiting != NULL) return true;
  if (context->rings_busy != 0) return true;
  return pami_packets_wait(context);
}

HOT pami_result_t PAMI_Context_advance(pami_context_t context, size_t maximum) {
  if (context == NULL) return pami_error(PAMI_INVAL, "PAMI_Context_advance: no context");
  for (size_t i = polls(maximum); i > 0; --i)
    if (advance(context) != 0) return PAMI_SUCCESS;
  return PAMI_EAGAIN;
}

HOT pami_result_t PAMI_Context_advancev(pami_context_t context[], size_t count, size_t maximum) {
  for (size_t i = polls(maximum); i > 0; --i) {
    unsigned events = 0;
    for (size_t c = 0; c < count; ++c) events += advance(context[c]);
    if (events != 0) return PAMI_SUCCESS;
  }
  return PAMI_EAGAIN;
}

pami_result_t PAMI_Context_trylock_advancev(pami_context_t context[], size_t count, size_t maximum) {
  for (size_t i = polls(maximum); i > 0; --i) {
    unsigned events = 0;
    for (size_t c = 0; c < count; ++c) {
      if (!pami_has_something(context[c]) || PAMI_Context_trylock(context[c]) != PAMI_SUCCESS) continue;
      events += advance(context[c]);
      PAMI_Context_unlock(context[c]);
    }
    if (events != 0) return PAMI_SUCCESS;
  }
  return PAMI_EAGAIN;
}
