/* SPDX-License-Identifier: Apache-2.0 */
/* How the members of a geometry agree on what it has of the network. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_GEOMETRY_AGREEMENT_H
#define TOROID_FIRMWARE_BGQ_PAMI_GEOMETRY_AGREEMENT_H

#include "firmware/bgq/pami/geometry/geometry.h"

/* Gives a geometry that is to be optimized a route, if it can have one and has none; all its tasks call, in `now`'s
 * advance, behind a call of the program with `context`. Then calls fn(a context, cookie), in this call or in a later
 * advance. */
void pami_geometry_agree(pami_geometry_impl_t* geometry, pami_context_impl_t* context, pami_context_impl_t* now,
                         pami_event_function fn, void* cookie);

#endif
