/* SPDX-License-Identifier: Apache-2.0 */
/* What creating and destroying clients and contexts calls on behalf of geometries and collective operations. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_ATTACH_H
#define TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_ATTACH_H

#include "firmware/bgq/pami/context.h"

/* After the job is known, before contexts: makes the world geometry. PAMI_ENOMEM. */
pami_result_t pami_collectives_start(pami_client_impl_t* client);
/* After all contexts have ended. */
void pami_collectives_end(pami_client_impl_t* client);

/* When the context can take dispatches and hooks, before any message can come for it. PAMI_ENOMEM. */
pami_result_t pami_collectives_attach(pami_context_impl_t* context);
/* The program must have ended its operations. */
void pami_collectives_detach(pami_context_impl_t* context);

#endif
