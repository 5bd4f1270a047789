// SPDX-License-Identifier: Apache-2.0
/// Requests of one process on their way in, for bottoms whose messages begin to arrive in order, but end later than
/// those behind them where their payload is fetched: what cannot be handled yet waits, so that all are handled in
/// order.
#ifndef TOROID_FIRMWARE_ARMCI_ARRIVALS_H
#define TOROID_FIRMWARE_ARMCI_ARRIVALS_H

#include "firmware/armci/bottom.h"

/// One that has begun to arrive and cannot be handled yet.
typedef struct armcii_arrival armcii_arrival_t;

/// Of a process, in the order of its requests; zeros at the start.
typedef struct {
  armcii_arrival_t *first, *last;
} armcii_arrivals_t;

/// Handles a request. `place`: a number that the bottom has given with it, such as its context's.
typedef void (*armcii_arrival_handler_t)(unsigned place, uint32_t source, const void* header, size_t header_bytes,
                                         const void* payload, size_t bytes);

/// A request that is there as a whole.
void armcii_arrives(armcii_arrivals_t* arrivals, armcii_arrival_handler_t handle, unsigned place, uint32_t source,
                    const void* header, size_t header_bytes, const void* payload, size_t bytes);

/// A request whose payload is on its way; returns where it goes, and in `*arrival` what to name at its end.
void* armcii_arrival_begins(armcii_arrivals_t* arrivals, armcii_arrival_handler_t handle, unsigned place,
                            uint32_t source, const void* header, size_t header_bytes, size_t bytes,
                            armcii_arrival_t** arrival);
/// Its payload is there.
void armcii_arrival_ends(armcii_arrival_t* arrival);

#endif
