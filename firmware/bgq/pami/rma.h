/* SPDX-License-Identifier: Apache-2.0 */
/* Puts, gets and atomic operations by messages. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_RMA_H
#define TOROID_FIRMWARE_BGQ_PAMI_RMA_H

#include "firmware/bgq/pami/context.h"

/* Sets the dispatches of a context. */
void pami_rma_open(pami_context_impl_t* context);
void pami_rmw_open(pami_context_impl_t* context);
void pami_typed_open(pami_context_impl_t* context);

/* PAMI_INVAL: the endpoint, or no bytes. */
pami_result_t pami_check_rma(const pami_rma_t* rma, const char* call);

/* Where an operation's remote side is. */
typedef struct pami_place {
  uint64_t address;
  uint64_t is_physical; /* else an address of the process */
} pami_place_t;

/* In the process whose place it is. Ends the program if it is no memory. */
void* pami_place_here(const pami_place_t* place, pami_endpoint_t origin);

/* Typed operations. `local` is an address of this process. */
pami_result_t pami_put_typed(pami_context_impl_t* context, const pami_rma_t* rma, void* local, pami_place_t remote,
                             const pami_rma_typed_t* type, pami_event_function rdone_fn);
pami_result_t pami_get_typed(pami_context_impl_t* context, const pami_rma_t* rma, void* local, pami_place_t remote,
                             const pami_rma_typed_t* type);

/* Whether a thread advances the context in the background. */
bool pami_async_progress_runs(pami_context_impl_t* context);

#endif
