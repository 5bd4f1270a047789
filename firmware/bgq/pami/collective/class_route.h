/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The collective unit of the network, and global interrupts, by classes whose routes hold nodes of the job: all of them
 * by class 0 of both from the start, rectangles by others (routes.h; facts: nic/bgq/README.md,
 * torus/collective/README.md). One task of the node drives them, an operation of one class at a time.
 *
 * Operations are all-reductions by direct put, so that the result comes only when each node has said where it shall go.
 * The counter and the result's base address are slots 7 and 6 of subgroup 65 for all classes, the same on each node:
 * which node's header a result has is the network's matter.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_CLASS_ROUTE_H
#define TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_CLASS_ROUTE_H

#include "firmware/bgq/pami/context.h"

/* Takes what it needs of the Messaging Unit. false: it is not free. */
bool pami_class_route_open(void);
void pami_class_route_close(void);

/* Prepares a descriptor of packets of a class. */
void pami_class_route_describe(MUHWI_Descriptor_t* descriptor, unsigned class_route);

/* Combines `bytes` bytes, whole words of `word` bytes (4 or 8), of each node by an opcode of the packet header into
 * `to` of each. Without `from` the node contributes zeros. One operation at a time. */
void pami_class_route_start(MUHWI_Descriptor_t* descriptor, unsigned opcode, unsigned word, const void* from, void* to,
                            size_t bytes);
/* Whether the result is there; moves on what waits for room. */
bool pami_class_route_done(pami_context_impl_t* context);

/* A barrier of the nodes of the class that it has been made for by MUSPI_GIBarrierInit(), one at a time. */
void pami_interrupt_barrier_enter(MUSPI_GIBarrier_t* barrier);
bool pami_interrupt_barrier_done(MUSPI_GIBarrier_t* barrier);

#endif
