/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/collective/schedule.h"

#include <string.h>

#include "firmware/bgq/pami/types/operations.h"
#include "firmware/bgq/pami/types/walk.h"

/* A message whose receive has not begun yet. */
typedef struct pami_early {
  struct pami_early* next;
  pami_message_header_t header;
  size_t bytes;
  bool here; /* all of it */
  max_align_t data[];
} early_t;

static pami_collectives_t* of(pami_context_impl_t* context) {
  return context->collectives;
}

/* Describing ---------------------------------------------------------------------------------------------------------
 */

pami_schedule_t* pami_schedule_make(pami_context_impl_t* context, pami_geometry_impl_t* geometry, uint32_t sequence,
                                    pami_event_function done, void* cookie) {
  pami_collectives_t* collectives = of(context);
  pami_schedule_t* schedule = collectives->free;
  pami_step_t* steps = NULL;
  uint32_t room = 0;
  if (schedule) {
    collectives->free = schedule->next;
    steps = schedule->steps;
    room = schedule->step_room;
  } else {
    schedule = malloc(sizeof *schedule);
    if (schedule == NULL) return NULL;
  }
  *schedule = (pami_schedule_t){.context = context,
                                .geometry = geometry,
                                .sequence = sequence,
                                .rank = geometry->rank[context->offset],
                                .size = geometry->size,
                                .done = done,
                                .cookie = cookie,
                                .steps = steps,
                                .step_room = room};
  return schedule;
}

void pami_schedule_give(pami_schedule_t* schedule) {
  while (schedule->temporaries) {
    pami_temporary_t* memory = schedule->temporaries;
    schedule->temporaries = memory->next;
    free(memory);
  }
  pami_collectives_t* collectives = of(schedule->context);
  schedule->next = collectives->free;
  collectives->free = schedule;
}

static pami_step_t* add(pami_schedule_t* schedule, pami_step_kind_t kind) {
  static pami_step_t nowhere; /* takes what a schedule has no memory for; it is never started */
  if (schedule->step_count == schedule->step_room) {
    const uint32_t room = schedule->step_room ? 2 * schedule->step_room : 32;
    pami_step_t* moved = realloc(schedule->steps, room * sizeof *moved);
    if (moved == NULL) {
      schedule->result = PAMI_ENOMEM;
      return &nowhere;
    }
    schedule->steps = moved;
    schedule->step_room = room;
  }
  pami_step_t* step = &schedule->steps[schedule->step_count++];
  step->kind = kind;
  step->done = false;
  return step;
}

void pami_send_step(pami_schedule_t* schedule, uint32_t peer, uint32_t tag, const void* from, size_t bytes) {
  pami_step_t* step = add(schedule, PAMI_STEP_SEND);
  step->peer = peer;
  step->tag = tag;
  step->from = from;
  step->bytes = bytes;
}

void pami_receive_step(pami_schedule_t* schedule, uint32_t peer, uint32_t tag, void* to, size_t bytes) {
  pami_step_t* step = add(schedule, PAMI_STEP_RECEIVE);
  step->peer = peer;
  step->tag = tag;
  step->to = to;
  step->bytes = bytes;
}

void pami_wait_step(pami_schedule_t* schedule) {
  add(schedule, PAMI_STEP_WAIT);
}

void pami_copy_step(pami_schedule_t* schedule, void* to, const void* from, size_t bytes) {
  if (to == from || bytes == 0) return;
  pami_step_t* step = add(schedule, PAMI_STEP_COPY);
  step->to = to;
  step->from = from;
  step->bytes = bytes;
}

static void typed(pami_schedule_t* schedule, pami_step_kind_t kind, void* to, const void* from, pami_type_t type,
                  size_t offset, size_t bytes) {
  if (bytes == 0) return;
  pami_step_t* step = add(schedule, kind);
  step->to = to;
  step->from = from;
  step->type = type;
  step->offset = offset;
  step->bytes = bytes;
}

void pami_pack_step(pami_schedule_t* schedule, void* to, const void* from, pami_type_t type, size_t offset,
                    size_t bytes) {
  typed(schedule, PAMI_STEP_PACK, to, from, type, offset, bytes);
}

void pami_unpack_step(pami_schedule_t* schedule, void* to, pami_type_t type, size_t offset, const void* from,
                      size_t bytes) {
  typed(schedule, PAMI_STEP_UNPACK, to, from, type, offset, bytes);
}

void pami_combine_step(pami_schedule_t* schedule, void* to, const void* from, size_t bytes, pami_type_t type) {
  typed(schedule, PAMI_STEP_COMBINE, to, from, type, 0, bytes);
}

void* pami_temporary(pami_schedule_t* schedule, size_t bytes) {
  if (bytes == 0) return NULL;
  pami_temporary_t* memory = malloc(sizeof *memory + bytes);
  if (memory == NULL) {
    schedule->result = PAMI_ENOMEM;
    return NULL;
  }
  memory->next = schedule->temporaries;
  schedule->temporaries = memory;
  return memory->memory;
}

/* Walking ------------------------------------------------------------------------------------------------------------
 */

static void walk(pami_schedule_t* schedule);

static void ended(pami_schedule_t* schedule) {
  --schedule->outstanding;
  if (!schedule->walking) walk(schedule);
}

static void sent(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  ended(cookie);
}

static pami_endpoint_t peer(const pami_schedule_t* schedule, uint32_t rank) {
  return schedule->peers ? schedule->peers[rank] : pami_member(schedule->geometry, rank, schedule->context->offset);
}

static void begin_send(pami_schedule_t* schedule, const pami_step_t* step) {
  const pami_message_header_t header = {schedule->geometry->id, schedule->sequence, schedule->rank, step->tag};
  const pami_endpoint_t to = peer(schedule, step->peer);
  if (sizeof header + step->bytes <= PAMI_PAYLOAD_MAX) {
    pami_internal_send(schedule->context, to, PAMI_DISPATCH_COLLECTIVE, &header, sizeof header, step->from, step->bytes,
                       NULL, NULL, NULL);
    return;
  }
  pami_message_header_t* kept = pami_temporary(schedule, sizeof *kept);
  if (kept == NULL) pami_fatal("no memory for a collective operation's message");
  *kept = header;
  ++schedule->outstanding;
  pami_internal_send(schedule->context, to, PAMI_DISPATCH_COLLECTIVE, kept, sizeof *kept, step->from, step->bytes, sent,
                     NULL, schedule);
}

static void must_fit(const pami_schedule_t* schedule, const pami_step_t* step, size_t bytes) {
  if (bytes == step->bytes) return;
  pami_fatal(
      "operation %u of geometry %u: rank %u sends %zu bytes where rank %u receives %zu; do all members call the "
      "same collective operation with matching counts?",
      schedule->sequence, schedule->geometry->id, step->peer, bytes, schedule->rank, step->bytes);
}

static bool is_for(const pami_message_header_t* header, const pami_schedule_t* schedule) {
  return header->geometry == schedule->geometry->id && header->sequence == schedule->sequence;
}

static void begin_receive(pami_schedule_t* schedule, pami_step_t* step) {
  pami_collectives_t* collectives = of(schedule->context);
  for (early_t** at = &collectives->early; *at; at = &(*at)->next) {
    early_t* message = *at;
    if (message->header.rank != step->peer || message->header.tag != step->tag) continue;
    if (!is_for(&message->header, schedule)) continue;
    if (!message->here) break; /* its end finds the step */
    must_fit(schedule, step, message->bytes);
    if (step->bytes) memcpy(step->to, message->data, step->bytes);
    *at = message->next;
    if (*at == NULL) collectives->early_end = at;
    free(message);
    step->done = true;
    return;
  }
  ++schedule->outstanding;
}

static void on_memory(pami_schedule_t* schedule, const pami_step_t* step) {
  switch (step->kind) {
    case PAMI_STEP_COPY:
      memmove(step->to, step->from, step->bytes);
      break;
    case PAMI_STEP_PACK:
      pami_type_pack(step->to, step->from, step->type, step->offset, step->bytes);
      break;
    case PAMI_STEP_UNPACK:
      pami_type_unpack(step->to, step->type, step->offset, step->from, step->bytes);
      break;
    default:
      pami_combine(step->to, step->from, step->bytes, step->type, schedule->function, schedule->function_cookie);
  }
}

static void finish(pami_schedule_t* schedule) {
  pami_schedule_t** at = &of(schedule->context)->active;
  while (*at != schedule) at = &(*at)->next;
  *at = schedule->next;
  pami_context_impl_t* context = schedule->context;
  const pami_event_function done = schedule->done;
  void* cookie = schedule->cookie;
  const bool starting = schedule->starting;
  pami_schedule_give(schedule);
  /* The program's callbacks come from an advance alone. */
  if (done && starting) {
    pami_later_call(context, done, cookie, PAMI_SUCCESS);
  } else if (done) {
    done(context, cookie, PAMI_SUCCESS);
  }
}

static void walk(pami_schedule_t* schedule) {
  schedule->walking = true;
  for (; schedule->at < schedule->step_count; ++schedule->at) {
    pami_step_t* step = &schedule->steps[schedule->at];
    if (step->kind == PAMI_STEP_SEND) {
      begin_send(schedule, step);
    } else if (step->kind == PAMI_STEP_RECEIVE) {
      begin_receive(schedule, step);
    } else if (step->kind == PAMI_STEP_WAIT) {
      if (schedule->outstanding) break;
      schedule->round = schedule->at + 1;
    } else {
      on_memory(schedule, step);
    }
  }
  schedule->walking = false;
  if (schedule->at == schedule->step_count && schedule->outstanding == 0) finish(schedule);
}

pami_result_t pami_schedule_start(pami_schedule_t* schedule) {
  const pami_result_t result = schedule->result;
  if (result != PAMI_SUCCESS) {
    pami_schedule_give(schedule);
    return result;
  }
  pami_collectives_t* collectives = of(schedule->context);
  schedule->next = collectives->active;
  collectives->active = schedule;
  schedule->starting = true;
  walk(schedule);
  schedule->starting = false;
  return PAMI_SUCCESS;
}

/* Messages -----------------------------------------------------------------------------------------------------------
 */

/* The step that has begun to wait for the message; NULL: none has. */
static pami_step_t* waiting(pami_context_impl_t* context, const pami_message_header_t* header,
                            pami_schedule_t** schedule) {
  for (pami_schedule_t* one = of(context)->active; one; one = one->next) {
    if (!is_for(header, one)) continue;
    *schedule = one;
    for (uint32_t s = one->round; s < one->at; ++s) {
      pami_step_t* step = &one->steps[s];
      if (step->kind == PAMI_STEP_RECEIVE && !step->done && step->peer == header->rank && step->tag == header->tag) {
        return step;
      }
    }
    return NULL;
  }
  return NULL;
}

static void received(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  ended(cookie);
}

/* All of an early message is there, or of none: then its step has begun meanwhile, or will find it. */
static void early_here(pami_context_t context_, void* cookie, pami_result_t result) {
  (void)result;
  pami_context_impl_t* context = context_;
  pami_collectives_t* collectives = of(context);
  early_t* message = cookie;
  message->here = true;
  pami_schedule_t* schedule = NULL;
  pami_step_t* step = waiting(context, &message->header, &schedule);
  if (step == NULL) return;
  must_fit(schedule, step, message->bytes);
  if (step->bytes) memcpy(step->to, message->data, step->bytes);
  early_t** at = &collectives->early;
  while (*at != message) at = &(*at)->next;
  *at = message->next;
  if (*at == NULL) collectives->early_end = at;
  free(message);
  step->done = true;
  ended(schedule);
}

static void receive_into(pami_recv_t* recv, void* memory, pami_event_function then, void* cookie) {
  *recv = (pami_recv_t){
      .cookie = cookie, .local_fn = then, .addr = memory, .type = PAMI_TYPE_BYTE, .data_fn = PAMI_DATA_COPY};
}

void pami_schedule_message(pami_context_t context_, void* cookie, const void* header_, size_t header_bytes,
                           const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)cookie, (void)header_bytes, (void)origin;
  pami_context_impl_t* context = context_;
  pami_message_header_t header;
  memcpy(&header, header_, sizeof header);
  pami_schedule_t* schedule = NULL;
  pami_step_t* step = waiting(context, &header, &schedule);
  if (step) {
    must_fit(schedule, step, bytes);
    step->done = true;
    if (data == NULL) {
      receive_into(recv, step->to, received, schedule);
      return;
    }
    if (bytes) memcpy(step->to, data, bytes);
    ended(schedule);
    return;
  }
  early_t* message = malloc(sizeof *message + bytes);
  if (message == NULL) pami_fatal("no memory for a message of %zu bytes that no collective operation waits for", bytes);
  *message = (early_t){.header = header, .bytes = bytes, .here = data != NULL};
  pami_collectives_t* collectives = of(context);
  *collectives->early_end = message;
  collectives->early_end = &message->next;
  if (data) {
    if (bytes) memcpy(message->data, data, bytes);
  } else {
    receive_into(recv, message->data, early_here, message);
  }
}

void pami_schedules_free(pami_collectives_t* collectives) {
  while (collectives->free) {
    pami_schedule_t* schedule = collectives->free;
    collectives->free = schedule->next;
    free(schedule->steps);
    free(schedule);
  }
  while (collectives->early) {
    early_t* message = collectives->early;
    collectives->early = message->next;
    free(message);
  }
}
