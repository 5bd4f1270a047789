// SPDX-License-Identifier: Apache-2.0
// Contexts: their creation, their locks, their dispatches.
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include "firmware/bgq/pami/context.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/bgq/pami/async.h"
#include "firmware/bgq/pami/collective/attach.h"
#include "firmware/bgq/pami/fence.h"
#include "firmware/bgq/pami/operation.h"
#include "firmware/bgq/pami/reception.h"
#include "firmware/bgq/pami/resources.h"
#include "firmware/bgq/pami/rma.h"
#include "firmware/hot.h"

// One FIFO for each direction where there are enough of them; a client leaves half of what it finds to later ones.
static pami_result_t open_rings(pami_context_impl_t* context, unsigned count) {
  for (; context->rings_used < count; ++context->rings_used)
    if (pami_ring_open(&context->rings[context->rings_used], &context->rings_busy, 1u << context->rings_used) != 0)
      return pami_error(PAMI_ENOMEM, "PAMI_Context_createv: no injection FIFO is free, or there is no memory for one");
  for (unsigned direction = 0; direction <= PAMI_LOCAL_DIRECTION; ++direction)
    context->ring_of[direction] = (uint8_t)(direction % count);
  return PAMI_SUCCESS;
}

static pami_result_t open_context(pami_client_impl_t* client, unsigned offset, unsigned rings) {
  pami_context_impl_t* context;
  if (posix_memalign((void**)&context, 128, sizeof *context) != 0)
    return pami_error(PAMI_ENOMEM, "PAMI_Context_createv: there is no memory");
  memset(context, 0, sizeof *context);
  context->client = client;
  context->offset = offset;
  context->self = pami_endpoint_of(pami_job.me, offset);
  context->later_end = &context->later;
  client->context[offset] = context;
  client->contexts = offset + 1;
  pami_result_t result = open_rings(context, rings);
  if (result == PAMI_SUCCESS) result = pami_operations_open(context);
  if (result == PAMI_SUCCESS) result = pami_fence_open(context);
  if (result == PAMI_SUCCESS) result = pami_collectives_attach(context);
  pami_rma_open(context);
  if (result == PAMI_SUCCESS) result = pami_reception_open(context);
  return result;
}

pami_result_t PAMI_Context_createv(pami_client_t client, pami_configuration_t configuration[], size_t num_configs,
                                   pami_context_t context[], size_t ncontexts) {
  pami_client_impl_t* owner = client;
  if (owner == NULL) return pami_error(PAMI_INVAL, "PAMI_Context_createv: no client");
  const pami_result_t possible = pami_check_configuration(configuration, num_configs, "PAMI_Context_createv");
  if (possible != PAMI_SUCCESS) return possible;
  if (owner->contexts != 0) return pami_error(PAMI_INVAL, "PAMI_Context_createv: the client has its contexts");
  if (ncontexts == 0 || ncontexts > pami_contexts_max())
    return pami_error(PAMI_INVAL, "PAMI_Context_createv: %zu contexts; from 1 to %u are possible", ncontexts,
                      pami_contexts_max());
  unsigned rings = pami_free_injection_fifos() / (2 * (unsigned)ncontexts);
  if (rings == 0) rings = 1;
  if (rings > PAMI_RINGS_MAX) rings = PAMI_RINGS_MAX;
  pami_result_t result = PAMI_SUCCESS;
  for (unsigned i = 0; i < ncontexts && result == PAMI_SUCCESS; ++i) result = open_context(owner, i, rings);
  if (result != PAMI_SUCCESS) return result;
  for (unsigned i = 0; i < ncontexts; ++i) context[i] = owner->context[i];
  // Who returns may send to any context.
  pami_job_barrier();
  return PAMI_SUCCESS;
}

static void close_context(pami_context_impl_t* context) {
  pami_async_disable(context, PAMI_ASYNC_ALL);
  free(context->async);
  pami_reception_close(context);
  pami_collectives_detach(context);
  pami_fence_close(context);
  pami_operations_close(context);
  for (unsigned i = 0; i < context->rings_used; ++i) pami_ring_close(&context->rings[i]);
  while (context->later_free != NULL) {
    pami_later_t* gone = context->later_free;
    context->later_free = gone->next;
    free(gone);
  }
  free(context);
}

pami_result_t PAMI_Context_destroyv(pami_context_t* contexts, size_t ncontexts) {
  pami_client_impl_t* owner = contexts == NULL || ncontexts == 0 ? NULL : pami_client_of(contexts[0]);
  if (owner == NULL) return pami_error(PAMI_INVAL, "PAMI_Context_destroyv: the first one is no client's first context");
  if (ncontexts != owner->contexts)
    return pami_error(PAMI_INVAL, "PAMI_Context_destroyv: %zu contexts of %u; all go at once", ncontexts,
                      owner->contexts);
  // Nobody sends to them any more.
  pami_job_barrier();
  for (unsigned i = 0; i < ncontexts; ++i) {
    close_context(owner->context[i]);
    owner->context[i] = NULL;
    contexts[i] = NULL;
  }
  owner->contexts = 0;
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Context_query(pami_context_t context, pami_configuration_t configuration[], size_t num_configs) {
  if (context == NULL) return pami_error(PAMI_INVAL, "PAMI_Context_query: no context");
  for (size_t i = 0; i < num_configs; ++i) {
    if (configuration[i].name != PAMI_CONTEXT_DISPATCH_ID_MAX)
      return pami_error(PAMI_INVAL, "PAMI_Context_query: a context has no attribute %d", configuration[i].name);
    configuration[i].value.intval = PAMI_DISPATCH_USER_MAX;
  }
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Context_update(pami_context_t context, pami_configuration_t configuration[], size_t num_configs) {
  (void)context;
  if (num_configs == 0) return PAMI_SUCCESS;
  return pami_error(PAMI_INVAL, "PAMI_Context_update: attribute %d is fixed", configuration[0].name);
}

// Locks ---------------------------------------------------------------------------------------------------------------

// Threads draw tickets and get the lock in their order: one that takes it again and again, as a thread does that
// advances for others, could otherwise keep it from them for ever.

HOT pami_result_t PAMI_Context_trylock(pami_context_t context) {
  if (context == NULL) return pami_error(PAMI_INVAL, "PAMI_Context_trylock: no context");
  pami_context_impl_t* of = context;
  uint32_t ticket = __atomic_load_n(&of->lock_serving, __ATOMIC_ACQUIRE);
  if (__atomic_load_n(&of->lock_tickets, __ATOMIC_RELAXED) != ticket ||
      !__atomic_compare_exchange_n(&of->lock_tickets, &ticket, ticket + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return PAMI_EAGAIN;
  return PAMI_SUCCESS;
}

HOT pami_result_t PAMI_Context_lock(pami_context_t context) {
  if (context == NULL) return pami_error(PAMI_INVAL, "PAMI_Context_lock: no context");
  pami_context_impl_t* of = context;
  const uint32_t ticket = __atomic_fetch_add(&of->lock_tickets, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(&of->lock_serving, __ATOMIC_ACQUIRE) != ticket) continue;
  return PAMI_SUCCESS;
}

HOT pami_result_t PAMI_Context_unlock(pami_context_t context) {
  if (context == NULL) return pami_error(PAMI_INVAL, "PAMI_Context_unlock: no context");
  pami_context_impl_t* of = context;
  if (__atomic_load_n(&of->lock_tickets, __ATOMIC_RELAXED) == of->lock_serving)
    return pami_error(PAMI_INVAL, "PAMI_Context_unlock: no thread has locked the context");
  __atomic_store_n(&of->lock_serving, of->lock_serving + 1, __ATOMIC_RELEASE);
  return PAMI_SUCCESS;
}

// Dispatches ----------------------------------------------------------------------------------------------------------

pami_result_t PAMI_Dispatch_set(pami_context_t context, size_t dispatch, pami_dispatch_callback_function fn,
                                void* cookie, pami_dispatch_hint_t options) {
  if (context == NULL || fn.p2p == NULL) return pami_error(PAMI_INVAL, "PAMI_Dispatch_set: no context, or no function");
  if (dispatch > PAMI_DISPATCH_USER_MAX)
    return pami_error(PAMI_INVAL, "PAMI_Dispatch_set: dispatch %zu; %d is the greatest", dispatch,
                      PAMI_DISPATCH_USER_MAX);
  if (options.buffer_registered == PAMI_HINT_ENABLE && options.use_rdma == PAMI_HINT_DISABLE)
    return pami_error(PAMI_INVAL, "PAMI_Dispatch_set: registered buffers, but no remote gets");
  if (options.use_shmem == PAMI_HINT_ENABLE && pami_job.processes < 2)
    return pami_error(PAMI_INVAL, "PAMI_Dispatch_set: a node has one process, which shares no memory");
  if (options.remote_async_progress == PAMI_HINT_ENABLE && !pami_async_progress_runs(context))
    return pami_error(PAMI_INVAL, "PAMI_Dispatch_set: no thread advances the context in the background");
  ((pami_context_impl_t*)context)->dispatch[dispatch] = (pami_dispatch_t){.fn = fn, .cookie = cookie, .hints = options};
  pami_reception_release(context, (unsigned)dispatch);
  return PAMI_SUCCESS;
}

void pami_internal_dispatch(pami_context_impl_t* context, unsigned dispatch, pami_dispatch_p2p_function fn,
                            void* cookie) {
  context->dispatch[dispatch] = (pami_dispatch_t){.fn.p2p = fn, .cookie = cookie};
}

pami_result_t PAMI_Dispatch_query(pami_context_t context, size_t dispatch, pami_configuration_t configuration[],
                                  size_t num_configs) {
  if (context == NULL || dispatch > PAMI_DISPATCH_USER_MAX)
    return pami_error(PAMI_INVAL, "PAMI_Dispatch_query: no context, or no dispatch");
  for (size_t i = 0; i < num_configs; ++i) switch (configuration[i].name) {
      case PAMI_DISPATCH_RECV_IMMEDIATE_MAX:
        configuration[i].value.intval = PAMI_RECV_IMMEDIATE_MAX;
        break;
      case PAMI_DISPATCH_SEND_IMMEDIATE_MAX:
        configuration[i].value.intval = PAMI_SEND_IMMEDIATE_MAX;
        break;
      case PAMI_DISPATCH_ATOM_SIZE_MAX:
        configuration[i].value.intval = SIZE_MAX;
        break;
      default:
        return pami_error(PAMI_INVAL, "PAMI_Dispatch_query: a dispatch has no attribute %d", configuration[i].name);
    }
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Dispatch_update(pami_context_t context, size_t dispatch, pami_configuration_t configuration[],
                                   size_t num_configs) {
  (void)context, (void)dispatch;
  if (num_configs == 0) return PAMI_SUCCESS;
  return pami_error(PAMI_INVAL, "PAMI_Dispatch_update: attribute %d is fixed", configuration[0].name);
}
