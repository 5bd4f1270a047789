// SPDX-License-Identifier: Apache-2.0
// Injection FIFOs.
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include "firmware/bgq/pami/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/bgq/pami/resources.h"
#include "firmware/hot.h"

enum { kDescriptor = 64, kLine = 128, kDefaultBytes = 8 << 10 };

int pami_ring_open(pami_ring_t* ring, uint32_t* busy, uint32_t bit) {
  const uint64_t bytes = pami_bytes_of_environment("MUSPI_INJFIFOSIZE", kDefaultBytes, 2 * kDescriptor, kDescriptor);
  const uint64_t descriptors = bytes / kDescriptor;
  memset(ring, 0, sizeof *ring);
  ring->waiting_end = &ring->waiting;
  ring->busy = busy;
  ring->bit = bit;
  void* memory;
  void* slots;
  void* group;
  ring->injected = calloc(descriptors, sizeof *ring->injected);
  if (ring->injected == NULL || posix_memalign(&group, kLine, sizeof *ring->group) != 0 ||
      posix_memalign(&memory, kLine, bytes) != 0 || posix_memalign(&slots, kLine, descriptors * PAMI_PAYLOAD_MAX) != 0)
    return ENOMEM;
  ring->group = group;
  const int error = pami_take_injection_fifo(ring->group, &ring->number);
  if (error != 0) return error;
  pami_start_injection_fifo(ring->group, ring->number, memory, bytes);
  ring->fifo = &ring->group->_injfifos[ring->number];
  ring->slots = slots;
  ring->slots_pa = pami_physical(slots, "a context's FIFO");
  ring->descriptors = descriptors;
  return 0;
}

void pami_ring_close(pami_ring_t* ring) {
  void* memory = MUSPI_getStartVa(&ring->fifo->_fifo);
  Kernel_InjFifoActivate(ring->group, 1, &ring->number, KERNEL_INJ_FIFO_DEACTIVATE);
  Kernel_DeallocateInjFifos(ring->group, 1, &ring->number);
  for (pami_waiting_t* free_one = ring->waiting_free; free_one != NULL;) {
    pami_waiting_t* next = free_one->next;
    free(free_one);
    free_one = next;
  }
  free(memory);
  free(ring->slots);
  free(ring->injected);
  free(ring->group);
}

static bool fits(pami_ring_t* ring) {
  MUSPI_InjFifo_t* fifo = ring->fifo;
  // What an end is to be told of must not be overwritten.
  if (ring->asked != 0 && MUSPI_getNumInjected(fifo) - ring->settled >= ring->descriptors) return false;
  if (fifo->freeSpace == 0) fifo->freeSpace = MUSPI_getHwFreeSpace(fifo);
  return fifo->freeSpace != 0;
}

HOT bool pami_ring_has_room(pami_ring_t* ring) {
  return ring->waiting == NULL && fits(ring);
}

// There is room.
HOT static void put(pami_ring_t* ring, const MUHWI_Descriptor_t* descriptor, const void* payload, uint32_t copied,
                    pami_injected_t injected) {
  MUSPI_InjFifo_t* fifo = ring->fifo;
  MUHWI_Descriptor_t* slot = MUSPI_getTailVa(&fifo->_fifo);
  const uint64_t index = (uint64_t)(slot - (MUHWI_Descriptor_t*)MUSPI_getStartVa(&fifo->_fifo));
  *slot = *descriptor;
  if (copied > 0) {
    memcpy(ring->slots + index * PAMI_PAYLOAD_MAX, payload, copied);
    slot->Pa_Payload = ring->slots_pa + index * PAMI_PAYLOAD_MAX;
  }
  if (ring->asked == 0) ring->settled = MUSPI_getNumInjected(fifo);
  ring->injected[index] = injected;
  if (injected.fn != NULL) {
    ++ring->asked;
    *ring->busy |= ring->bit;
  }
  ppc_msync();  // the unit reads what has been written here
  MUSPI_InjFifoAdvanceDesc(fifo);
}

HOT void pami_ring_inject(pami_ring_t* ring, const MUHWI_Descriptor_t* descriptor, const void* payload, uint32_t copied,
                          pami_injected_t injected) {
  if (pami_ring_has_room(ring)) {
    put(ring, descriptor, payload, copied, injected);
    return;
  }
  pami_waiting_t* waiting = ring->waiting_free;
  if (waiting != NULL)
    ring->waiting_free = waiting->next;
  else if (posix_memalign((void**)&waiting, kDescriptor, sizeof *waiting) != 0)
    pami_fatal("there is no memory for messages that wait for room in an injection FIFO");
  waiting->next = NULL;
  waiting->injected = injected;
  waiting->copied = copied;
  waiting->descriptor = *descriptor;
  if (copied > 0) memcpy(waiting->payload, payload, copied);
  *ring->busy |= ring->bit;
  *ring->waiting_end = waiting;
  ring->waiting_end = &waiting->next;
}

static unsigned tell_ends(pami_ring_t* ring, struct pami_context* context) {
  const uint64_t done = MUSPI_getHwDescCount(ring->fifo);
  unsigned events = 0;
  while (ring->settled < done && ring->asked != 0) {
    pami_injected_t* injected = &ring->injected[ring->settled++ % ring->descriptors];
    if (injected->fn == NULL) continue;
    const pami_injected_t call = *injected;
    injected->fn = NULL;
    --ring->asked;
    ++events;
    call.fn(context, call.cookie, PAMI_SUCCESS);
  }
  return events;
}

HOT unsigned pami_ring_settle(pami_ring_t* ring, struct pami_context* context) {
  unsigned events = 0;
  if (ring->asked != 0) events = tell_ends(ring, context);
  while (ring->waiting != NULL && fits(ring)) {
    pami_waiting_t* first = ring->waiting;
    ring->waiting = first->next;
    if (first->next == NULL) ring->waiting_end = &ring->waiting;
    put(ring, &first->descriptor, first->payload, first->copied, first->injected);
    first->next = ring->waiting_free;
    ring->waiting_free = first;
    ++events;
  }
  if (ring->asked == 0 && ring->waiting == NULL) *ring->busy &= ~ring->bit;
  return events;
}
