/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets of messages whose dispatch the program has not set yet: they are kept until it is. All tasks have their
 * contexts before one of them can send, but not their dispatches.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_HELD_H
#define TOROID_FIRMWARE_BGQ_PAMI_HELD_H

#include "firmware/bgq/pami/packet.h"

typedef struct pami_held_packet {
  struct pami_held_packet* next;
  uint32_t bytes; /* of the packet, its header too */
  pami_packet_t packet __attribute__((aligned(32)));
} pami_held_packet_t;

/* In the order in which they came. */
typedef struct pami_held_queue {
  pami_held_packet_t *first, *last;
} pami_held_queue_t;

typedef struct pami_held {
  pami_held_queue_t waiting[PAMI_DISPATCH_USER_MAX + 1]; /* for each dispatch, until it is set */
  pami_held_queue_t due;                                 /* their dispatches have been set */
} pami_held_t;

/* Whether a packet must wait: its dispatch is not set, or others are due before it. */
bool pami_must_hold(const pami_held_t* held, const pami_context_impl_t* context, const pami_packet_t* packet);
void pami_hold(pami_held_t* held, const pami_context_impl_t* context, const pami_packet_t* packet, uint32_t bytes);

/* The program has set a dispatch. */
void pami_held_release(pami_held_t* held, unsigned dispatch);
/* Takes the first packet that is due; the caller frees it. NULL: there is none. */
pami_held_packet_t* pami_held_take(pami_held_t* held);

/* Frees what is left, and says on stderr for which dispatch it was. */
void pami_held_close(pami_held_t* held, const pami_context_impl_t* context);

#endif
