// SPDX-License-Identifier: Apache-2.0
/// Injection FIFOs: rings of descriptors in memory, that DCMF fills and the DMA empties in order.
///
/// A descriptor's message has been read completely when the DMA's head has passed the descriptor. That is how local
/// completion is found out: each slot may have an owner, a request whose callback is then due. So it needs no counter,
/// and any number of messages can be on their way.
#ifndef TOROID_FIRMWARE_DCMF_RING_H
#define TOROID_FIRMWARE_DCMF_RING_H

#include "firmware/bgp/dcmf/operation.h"
#include "firmware/bgp/dcmf/spi.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  DCMF_RING_SLOTS = 256,  ///< descriptors of a ring
  /// Slots that stay empty: the SPI injects only if 34 quads are free.
  DCMF_RING_RESERVE = 18,
  DCMF_BOUNCE_BYTES = 256,  ///< of the buffer that each slot has, for what does not lie in the program's memory

  /// Rings of a process. The first six are for the six first directions of routes, so that messages to one rank keep
  /// their order; each feeds one torus FIFO.
  DCMF_RINGS_NORMAL = 6,
  DCMF_RING_CONTROL = 6,  ///< high priority
  DCMF_RING_LOCAL = 7,    ///< to the processes of this node
  DCMF_RING_LOCAL_CONTROL = 8,
  DCMF_RINGS,
};

typedef struct dcmf_stalled dcmf_stalled_t;

typedef struct dcmf_ring {
  uint32_t injected;  ///< descriptors so far, as the two below
  uint32_t finished;  ///< that the head had passed when it was looked at
  uint32_t settled;   ///< whose owners have been served, if they have one
  uint32_t owners;    ///< slots with an owner
  uint32_t id;        ///< FIFO of the group
  char* start;
  char* bounce;
  dcmf_stalled_t* first;  ///< operations that wait, in order
  dcmf_stalled_t* last;
  dcmf_request_t* owner[DCMF_RING_SLOTS];
} dcmf_ring_t;

/// `count` descriptors can be injected. Looks at the head only if it has to.
bool dcmf_ring_has(dcmf_ring_t* ring, unsigned count);
/// The buffer of the next descriptor: DCMF_BOUNCE_BYTES bytes, and where the DMA finds them.
char* dcmf_ring_bounce(dcmf_ring_t* ring, uint32_t* physical);
/// Injects a descriptor; `owner` (or NULL) is told when the DMA is done with it.
void dcmf_ring_inject(dcmf_ring_t* ring, DMA_InjDescriptor_t* descriptor, dcmf_request_t* owner);
/// The same with two descriptors, of which the DMA hears at once; `owner` is that of the first.
void dcmf_ring_inject_two(dcmf_ring_t* ring, DMA_InjDescriptor_t* first, DMA_InjDescriptor_t* second,
                          dcmf_request_t* owner);
/// Serves the owners of what has been sent. Returns how many.
unsigned dcmf_ring_settle(dcmf_ring_t* ring);
/// The descriptor that `request` owns has been sent, as is known from elsewhere: serve the request now.
void dcmf_ring_settle_request(dcmf_request_t* request);

#ifdef __cplusplus
}
#endif

#endif
