// SPDX-License-Identifier: Apache-2.0
// Packets that wait for a dispatch. Those of one dispatch stay in order; those of others pass them, so that a task can
// take part in collective operations before it sets its dispatches.
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include "firmware/bgq/pami/held.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_set(const pami_context_impl_t* context, unsigned dispatch) {
  return context->dispatch[dispatch].fn.p2p != NULL;
}

bool pami_must_hold(const pami_held_t* held, const pami_context_impl_t* context, const pami_packet_t* packet) {
  if (packet->kind == PAMI_ARRIVED || packet->dispatch > PAMI_DISPATCH_USER_MAX) return false;
  if (!is_set(context, packet->dispatch)) return true;
  for (const pami_held_packet_t* other = held->first; other != NULL; other = other->next)
    if (other->packet.dispatch == packet->dispatch) return true;
  return false;
}

void pami_hold(pami_held_t* held, const pami_packet_t* packet, uint32_t bytes) {
  pami_held_packet_t* kept;
  if (posix_memalign((void**)&kept, _Alignof(pami_held_packet_t), sizeof *kept + bytes - sizeof *packet) != 0)
    pami_fatal("there is no memory for messages to dispatch %u, which is not set", packet->dispatch);
  kept->next = NULL;
  kept->bytes = bytes;
  memcpy(&kept->packet, packet, bytes);
  pami_held_packet_t** end = &held->first;
  while (*end != NULL) end = &(*end)->next;
  *end = kept;
}

void pami_held_release(pami_held_t* held, unsigned dispatch) {
  for (const pami_held_packet_t* kept = held->first; kept != NULL; kept = kept->next)
    if (kept->packet.dispatch == dispatch) held->due = true;
}

pami_held_packet_t* pami_held_take(pami_held_t* held, const pami_context_impl_t* context) {
  for (pami_held_packet_t** link = &held->first; *link != NULL; link = &(*link)->next) {
    pami_held_packet_t* kept = *link;
    if (!is_set(context, kept->packet.dispatch)) continue;
    *link = kept->next;
    return kept;
  }
  held->due = false;
  return NULL;
}

void pami_held_close(pami_held_t* held, const pami_context_impl_t* context) {
  if (held->first != NULL)
    fprintf(stderr,
            "PAMI, task %u: messages to dispatch %u of context %u that came before it was set, the first one from "
            "task %u, have not been taken\n",
            pami_job.me, held->first->packet.dispatch, context->offset, pami_task_of(held->first->packet.origin));
  while (held->first != NULL) {
    pami_held_packet_t* gone = held->first;
    held->first = gone->next;
    free(gone);
  }
}
