/* SPDX-License-Identifier: Apache-2.0 */
/* The reception FIFO of a context. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_RECEPTION_H
#define TOROID_FIRMWARE_BGQ_PAMI_RECEPTION_H

#include "firmware/bgq/pami/context.h"

/* PAMI_ERROR: the FIFO is not free; PAMI_ENOMEM. */
pami_result_t pami_reception_open(pami_context_impl_t* context);
void pami_reception_close(pami_context_impl_t* context);

/* The program has set a dispatch: the next advance handles packets that have waited for it (held.h). */
void pami_reception_release(pami_context_impl_t* context, unsigned dispatch);

/* Handles the packets that are there; returns how many. */
unsigned pami_receive(pami_context_impl_t* context);

/* Whether there are any; for any thread. */
bool pami_packets_wait(pami_context_impl_t* context);

#endif
