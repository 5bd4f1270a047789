// SPDX-License-Identifier: Apache-2.0
// Packets that wait for a dispatch. Those of one dispatch stay in order; those of others pass them, so that a task can
// take part in collective operations before it sets its dispatches.
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include "firmware/bgq/pami/held.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/hot.h"

static bool is_set(const pami_context_impl_t* context, unsigned dispatch) {
  return context->dispatch[dispatch].fn.p2p != NULL;
}

static void append(pami_held_queue_t* queue, const pami_held_queue_t* more) {
  if (queue->first == NULL)
    queue->first = more->first;
  else
    queue->last->next = more->first;
  queue->last = more->last;
}

HOT bool pami_must_hold(const pami_held_t* held, const pami_context_impl_t* context, const pami_packet_t* packet) {
  if (packet->kind == PAMI_ARRIVED || packet->dispatch > PAMI_DISPATCH_USER_MAX) return false;
  return !is_set(context, packet->dispatch) || held->due.first != NULL;
}

void pami_hold(pami_held_t* held, const pami_context_impl_t* context, const pami_packet_t* packet, uint32_t bytes) {
  pami_held_packet_t* kept;
  if (posix_memalign((void**)&kept, _Alignof(pami_held_packet_t), sizeof *kept + bytes - sizeof *packet) != 0)
    pami_fatal("there is no memory for messages to dispatch %u, which is not set", packet->dispatch);
  kept->next = NULL;
  kept->bytes = bytes;
  memcpy(&kept->packet, packet, bytes);
  append(is_set(context, packet->dispatch) ? &held->due : &held->waiting[packet->dispatch],
         &(pami_held_queue_t){.first = kept, .last = kept});
}

void pami_held_release(pami_held_t* held, unsigned dispatch) {
  pami_held_queue_t* queue = &held->waiting[dispatch];
  if (queue->first != NULL) append(&held->due, queue);
  *queue = (pami_held_queue_t){0};
}

pami_held_packet_t* pami_held_take(pami_held_t* held) {
  pami_held_packet_t* first = held->due.first;
  if (first != NULL) held->due.first = first->next;
  return first;
}

static void discard(pami_held_queue_t* queue, const pami_context_impl_t* context) {
  if (queue->first == NULL) return;
  fprintf(stderr,
          "PAMI, task %u: messages to dispatch %u of context %u that came before it was set, the first one from "
          "task %u, have not been taken\n",
          pami_job.me, queue->first->packet.dispatch, context->offset, pami_task_of(queue->first->packet.origin));
  while (queue->first != NULL) {
    pami_held_packet_t* gone = queue->first;
    queue->first = gone->next;
    free(gone);
  }
}

void pami_held_close(pami_held_t* held, const pami_context_impl_t* context) {
  discard(&held->due, context);
  for (unsigned dispatch = 0; dispatch <= PAMI_DISPATCH_USER_MAX; ++dispatch)
    discard(&held->waiting[dispatch], context);
}
