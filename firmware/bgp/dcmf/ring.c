// SPDX-License-Identifier: Apache-2.0
// Injection and local completion.
#include "firmware/bgp/dcmf/ring.h"

#include "firmware/bgp/dcmf/state.h"

enum { SLOT_BYTES = 32 };

static uint32_t room(const dcmf_ring_t* ring) {
  return DCMF_RING_SLOTS - DCMF_RING_RESERVE - (ring->injected - ring->settled);
}

// Finds out how far the DMA has come.
static void look(dcmf_ring_t* ring) {
  const char* head = DMA_InjFifoGetHeadById(&dcmf_instance->injection, (int)ring->id);
  const uint32_t slot = (uint32_t)(head - ring->start) / SLOT_BYTES;
  ring->finished += (slot - ring->finished) % DCMF_RING_SLOTS;
  while (ring->settled != ring->finished && ring->owner[ring->settled % DCMF_RING_SLOTS] == NULL) ++ring->settled;
}

bool dcmf_ring_has(dcmf_ring_t* ring, unsigned count) {
  if (room(ring) >= count) return true;
  look(ring);
  return room(ring) >= count;
}

char* dcmf_ring_bounce(dcmf_ring_t* ring, uint32_t* physical) {
  char* bounce = ring->bounce + (size_t)(ring->injected % DCMF_RING_SLOTS) * DCMF_BOUNCE_BYTES;
  *physical = dcmf_instance->bounce + (uint32_t)(bounce - dcmf_instance->rings[0].bounce);
  return bounce;
}

static uint32_t bit_of(const dcmf_ring_t* ring) {
  return 1u << (DCMF_FIFO_FIRST_RING - ring->id);
}

static void own(dcmf_ring_t* ring, dcmf_request_t* owner) {
  const uint32_t slot = ring->injected++ % DCMF_RING_SLOTS;
  ring->owner[slot] = owner;
  if (owner) {
    if (ring->owners++ == 0) dcmf_instance->rings_owned |= bit_of(ring);
    owner->ring = ring;
    owner->slot = slot;
  }
}

static void is_full(const dcmf_ring_t* ring) {
  dcmf_fatal("injection FIFO %u is full, though it should not be", (unsigned)ring->id);
}

void dcmf_ring_inject(dcmf_ring_t* ring, DMA_InjDescriptor_t* descriptor, dcmf_request_t* owner) {
  own(ring, owner);
  if (DMA_InjFifoInjectDescriptorById(&dcmf_instance->injection, (int)ring->id, descriptor) != 1) is_full(ring);
}

void dcmf_ring_inject_two(dcmf_ring_t* ring, DMA_InjDescriptor_t* first, DMA_InjDescriptor_t* second,
                          dcmf_request_t* owner) {
  DMA_InjDescriptor_t* both[] = {first, second};
  own(ring, owner);
  own(ring, NULL);
  if (DMA_InjFifoInjectDescriptorsById(&dcmf_instance->injection, (int)ring->id, 2, both) != 2) is_full(ring);
}

// Calls the callback of the request that owns a slot.
static void serve(dcmf_ring_t* ring, uint32_t slot) {
  dcmf_request_t* owner = ring->owner[slot];
  ring->owner[slot] = NULL;
  if (--ring->owners == 0) dcmf_instance->rings_owned &= ~bit_of(ring);
  owner->ring = NULL;
  dcmf_part_done(owner);
}

unsigned dcmf_ring_settle(dcmf_ring_t* ring) {
  look(ring);
  unsigned served = 0;
  while (ring->settled != ring->finished) {
    const uint32_t slot = ring->settled++ % DCMF_RING_SLOTS;
    if (ring->owner[slot]) {
      serve(ring, slot);
      ++served;
    }
  }
  return served;
}

void dcmf_ring_settle_request(dcmf_request_t* request) {
  if (request->ring) serve(request->ring, request->slot);
}
