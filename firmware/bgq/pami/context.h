/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clients and contexts, and what other parts of PAMI hang on them: functions that an advance calls, calls that are put
 * off to the next advance, and active messages of PAMI's own.
 *
 * All functions here are for the thread that has the context, unless they say otherwise.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_CONTEXT_H
#define TOROID_FIRMWARE_BGQ_PAMI_CONTEXT_H

#include "firmware/bgq/pami/job.h"
#include "firmware/bgq/pami/ring.h"

/* Dispatch numbers: the program's, then PAMI's own. */
enum {
  PAMI_DISPATCH_USER_MAX = 1023, /* PAMI_CONTEXT_DISPATCH_ID_MAX */
  PAMI_DISPATCH_INTERNAL = 1024, /* the first of PAMI's own */
  /* puts, gets and atomic operations: p2p.h */
  PAMI_DISPATCH_PUT = PAMI_DISPATCH_INTERNAL,
  PAMI_DISPATCH_PUT_TYPED,
  PAMI_DISPATCH_GET,
  PAMI_DISPATCH_GET_TYPED,
  PAMI_DISPATCH_GET_REPLY,
  PAMI_DISPATCH_RMW,
  PAMI_DISPATCH_RMW_REPLY,
  PAMI_DISPATCH_FENCE,
  /* collective operations have these to themselves */
  PAMI_DISPATCH_COLLECTIVE = PAMI_DISPATCH_INTERNAL + 16,
  PAMI_DISPATCHES = PAMI_DISPATCH_INTERNAL + 64,
  PAMI_CLIENTS_MAX = 4,
  PAMI_CONTEXTS_MAX = 64, /* of a client; an endpoint has six bits for them */
  PAMI_SEND_IMMEDIATE_MAX = 128,
  PAMI_RECV_IMMEDIATE_MAX = PAMI_PAYLOAD_MAX
};

typedef struct pami_context pami_context_impl_t;

/* What a message of a dispatch number gets. */
typedef struct pami_dispatch {
  pami_dispatch_callback_function fn; /* p2p NULL: not set */
  void* cookie;
  pami_dispatch_hint_t hints;
} pami_dispatch_t;

/* A function that each advance calls until it is taken out. It returns how many things have happened. One that finds
 * nothing must leave memory as it is, so that a simulator sees that the core waits. */
typedef struct pami_hook {
  struct pami_hook* next;
  unsigned (*poll)(pami_context_impl_t* context, void* cookie);
  void* cookie;
} pami_hook_t;

/* A call that the next advance makes, once. */
typedef struct pami_later {
  struct pami_later* next;
  pami_event_function fn;
  void* cookie;
  pami_result_t result;
} pami_later_t;

typedef struct pami_client_impl {
  char name[64];
  unsigned number;   /* of the process's clients, in the order of their creation */
  unsigned contexts; /* that exist */
  struct pami_context* context[PAMI_CONTEXTS_MAX];
  void* collectives; /* what collective operations keep: geometries */
} pami_client_impl_t;

struct pami_context {
  pami_client_impl_t* client;
  unsigned offset; /* among the client's contexts */
  pami_endpoint_t self;
  uint32_t lock_tickets; /* that threads have drawn for the lock */
  uint32_t lock_serving; /* the ticket whose thread has it, or of the next one */

  unsigned rings_used;
  uint32_t rings_busy; /* bits of those that are to be settled */
  pami_ring_t rings[PAMI_RINGS_MAX];
  uint8_t ring_of[PAMI_DIRECTIONS + 1]; /* by direction */
  struct pami_reception* reception;     /* reception.h */
  struct pami_operations* operations;   /* p2p.h */
  struct pami_fence* fence;
  struct pami_async* async; /* async.h; NULL: no thread has been asked for */

  pami_dispatch_t dispatch[PAMI_DISPATCHES];

  pami_hook_t* hooks;
  pami_later_t* later; /* calls put off, in order */
  pami_later_t** later_end;
  pami_later_t* later_free;
  struct pami_posted* volatile posted; /* work of any thread, the last one first; atomic */
  struct pami_posted* working;         /* work that is called in each advance, in order */

  void* collectives; /* what collective operations keep */
};

static inline pami_endpoint_t pami_endpoint_of(pami_task_t task, size_t offset) {
  return (pami_endpoint_t)(offset << 23 | task);
}
static inline pami_task_t pami_task_of(pami_endpoint_t endpoint) {
  return endpoint & 0x007FFFFF;
}
static inline unsigned pami_offset_of(pami_endpoint_t endpoint) {
  return endpoint >> 23 & 0x3F;
}

/* The client whose first context it is; NULL: it is no client's. */
pami_client_impl_t* pami_client_of(pami_context_t context);

/* PAMI_INVAL: an attribute of a client is asked for that it has not, or that has another value. */
pami_result_t pami_check_configuration(const pami_configuration_t* configuration, size_t num_configs, const char* call);

/* Whether an advance would find anything to do or to look for; for any thread. */
bool pami_has_something(pami_context_impl_t* context);

/* Hooks. Their memory is the caller's. Adding one twice is an error; a hook may take itself out while it is called. */
void pami_hook_add(pami_context_impl_t* context, pami_hook_t* hook);
void pami_hook_remove(pami_context_impl_t* context, pami_hook_t* hook);

/* Has the next advance call fn(context, cookie, result); without fn nothing. */
void pami_later_call(pami_context_impl_t* context, pami_event_function fn, void* cookie, pami_result_t result);

/* Active messages of PAMI's own. The dispatch function is called as a program's is; all tasks set it before messages
 * can come, at the creation of a context. */
void pami_internal_dispatch(pami_context_impl_t* context, unsigned dispatch, pami_dispatch_p2p_function fn,
                            void* cookie);

/* Sends: as PAMI_Send() with a dispatch of any number. Order among messages to the same endpoint is kept, dispatch
 * functions are called in it. Header and data of up to PAMI_PAYLOAD_MAX bytes together may be changed at once; else not
 * before local_fn. remote_fn: the target's local_fn has been called, or would have been. */
pami_result_t pami_internal_send(pami_context_impl_t* context, pami_endpoint_t to, unsigned dispatch,
                                 const void* header, size_t header_bytes, const void* data, size_t bytes,
                                 pami_event_function local_fn, pami_event_function remote_fn, void* cookie);

#endif
