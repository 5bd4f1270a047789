/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that end by the Messaging Unit's or another task's doing: a counter in memory that goes down to 0, or an
 * ARRIVED packet. And remote gets, which are started when the other node is sure to have room for them.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_OPERATION_H
#define TOROID_FIRMWARE_BGQ_PAMI_OPERATION_H

#include "firmware/bgq/pami/context.h"
#include "firmware/bgq/pami/spi.h"

typedef struct pami_operation {
  volatile uint64_t counter; /* bytes that are still to come; the unit counts them */
  struct pami_operation* next;
  /* Called when the counter is 0, or when the message has arrived. */
  void (*ended)(pami_context_impl_t* context, struct pami_operation* operation);
  pami_event_function local_fn;
  pami_event_function remote_fn;
  void* cookie;
  void* more;            /* of `ended` */
  pami_endpoint_t other; /* whom it is with */
  uint64_t arrival;      /* to be told to it */
  uint32_t node;         /* of a remote get: the one that serves it */
  uint64_t to;           /* of a remote get: physical address */
  uint64_t apart;        /* of a remote get: its last bytes that come over another link than those of `put` */
  bool is_get;
  MUHWI_Descriptor_t put __attribute__((aligned(32))); /* of a remote get: what the other node shall send */
} pami_operation_t;

typedef struct pami_operations {
  pami_operation_t* counting; /* whose counters are looked at */
  pami_operation_t* waiting;  /* remote gets that wait for room, in order */
  pami_operation_t** waiting_end;
  pami_operation_t* unused;
  uint64_t outstanding; /* of this context, whatever they wait for */
} pami_operations_t;

pami_result_t pami_operations_open(pami_context_impl_t* context);
void pami_operations_close(pami_context_impl_t* context);

/* One that has nothing set but the context's count. Its address does for `arrival`. */
pami_operation_t* pami_operation_begin(pami_context_impl_t* context, pami_endpoint_t other);
void pami_operation_end(pami_context_impl_t* context, pami_operation_t* operation);

/* Calls local_fn and remote_fn, and ends the operation. */
void pami_operation_tell(pami_context_impl_t* context, pami_operation_t* operation);

/* Looks at the counter in every advance from now on. */
void pami_operation_count(pami_context_impl_t* context, pami_operation_t* operation, uint64_t bytes);

/* Fetches `bytes` at physical address `from` of the other's node to `to` here; `ended` is called. */
void pami_remote_get(pami_context_impl_t* context, pami_operation_t* operation, uint64_t from, uint64_t to,
                     uint64_t bytes);

/* Sends `bytes` at physical address `from` to `to` at a peer's node, where `counter`, if it is not 0, counts them. */
void pami_put(pami_context_impl_t* context, const pami_peer_t* peer, uint64_t from, uint64_t to, uint64_t counter,
              uint64_t bytes, pami_injected_t injected);

unsigned pami_operations_settle(pami_context_impl_t* context);

#endif
