/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Injection FIFOs of a context. What does not fit into the FIFO waits in a queue behind it, so nothing fails for want
 * of room.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_RING_H
#define TOROID_FIRMWARE_BGQ_PAMI_RING_H

#include "firmware/bgq/pami/job.h"
#include "firmware/bgq/pami/spi.h"

enum { PAMI_RINGS_MAX = PAMI_DIRECTIONS + 1 };

struct pami_context;

/* Called by an advance when the Messaging Unit has read all of a message. */
typedef struct pami_injected {
  pami_event_function fn; /* NULL: nobody asks */
  void* cookie;
} pami_injected_t;

/* A descriptor that waits for room. */
typedef struct pami_waiting {
  struct pami_waiting* next;
  pami_injected_t injected;
  uint32_t copied; /* bytes of payload below; the descriptor's address is set when there is a slot */
  MUHWI_Descriptor_t descriptor;
  uint8_t payload[PAMI_PAYLOAD_MAX];
} pami_waiting_t;

typedef struct pami_ring {
  MUSPI_InjFifoSubGroup_t* group;
  uint32_t number; /* of the FIFO in its subgroup */
  MUSPI_InjFifo_t* fifo;
  uint8_t* slots; /* PAMI_PAYLOAD_MAX bytes for each descriptor's payload that is not in the program's memory */
  uint64_t slots_pa;
  uint64_t descriptors;      /* that the FIFO holds, one more than it takes */
  pami_injected_t* injected; /* of each descriptor in the FIFO */
  uint64_t settled;          /* descriptors whose end has been told */
  uint32_t asked;            /* that somebody wants to be told of */
  uint32_t bit;              /* of the ring in `busy` */
  uint32_t* busy;            /* rings in which somebody waits for anything */
  pami_waiting_t* waiting;
  pami_waiting_t** waiting_end;
  pami_waiting_t* waiting_free;
} pami_ring_t;

/* Opens a FIFO of this process, the last one that is free. `busy` gets `bit` while the ring is to be settled. EAGAIN:
 * there is none but those left for others. */
int pami_ring_open(pami_ring_t* ring, uint32_t* busy, uint32_t bit);
void pami_ring_close(pami_ring_t* ring);

/* Injects a descriptor. `copied` bytes at `payload`, up to PAMI_PAYLOAD_MAX, are copied and sent from the copy; without
 * them the descriptor has an address. */
void pami_ring_inject(pami_ring_t* ring, const MUHWI_Descriptor_t* descriptor, const void* payload, uint32_t copied,
                      pami_injected_t injected);

/* Whether a descriptor would go into the FIFO at once. */
bool pami_ring_has_room(pami_ring_t* ring);

/* Tells the end of messages and moves what waits into the FIFO; returns how many of both. */
unsigned pami_ring_settle(pami_ring_t* ring, struct pami_context* context);

#endif
