/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collective operation by messages is a list of steps that a member has made when it starts: sends and receives,
 * which begin when the list gets to them, waits for all that have begun, and work on memory. Advancing the context
 * walks on.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_SCHEDULE_H
#define TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_SCHEDULE_H

#include "firmware/bgq/pami/geometry/geometry.h"

typedef enum {
  PAMI_STEP_SEND,    /* `bytes` bytes at `from` to `peer` */
  PAMI_STEP_RECEIVE, /* as many to `to` */
  PAMI_STEP_WAIT,    /* for all sends and receives before */
  PAMI_STEP_COPY,
  PAMI_STEP_PACK,   /* bytes `offset`... of the data at `from` as `type` has them, to `to` */
  PAMI_STEP_UNPACK, /* the other way: `to` is of `type` */
  PAMI_STEP_COMBINE /* to = to (op) from, of elements of `type` */
} pami_step_kind_t;

typedef struct pami_step {
  uint8_t kind;
  bool done; /* receives */
  uint32_t peer, tag;
  void* to;
  const void* from;
  size_t bytes, offset;
  pami_type_t type;
} pami_step_t;

typedef struct pami_message_header {
  uint32_t geometry, sequence;
  uint32_t rank; /* of the sender */
  uint32_t tag;  /* one message of a rank to another in an operation has it */
} pami_message_header_t;

typedef struct pami_schedule {
  struct pami_schedule* next; /* of the context's */
  pami_context_impl_t* context;
  pami_geometry_impl_t* geometry;
  const pami_endpoint_t* peers; /* instead of the geometry's members: those of pami_member_tasks() */
  uint32_t sequence;
  uint32_t rank, size; /* of this member, among how many */
  pami_event_function done;
  void* cookie;
  pami_result_t result; /* not PAMI_SUCCESS: the operation cannot be started */

  pami_data_function function; /* of combinations */
  void* function_cookie;

  pami_step_t* steps;
  uint32_t step_count, step_room;
  uint32_t at;          /* step to begin next */
  uint32_t round;       /* first step since the last wait */
  uint32_t outstanding; /* sends and receives since then that have not ended */
  bool walking;
  bool starting; /* within the program's call */
  struct pami_temporary* temporaries;
} pami_schedule_t;

typedef struct pami_temporary {
  struct pami_temporary* next;
  max_align_t memory[];
} pami_temporary_t;

/* What collective operations keep at a context. */
typedef struct pami_collectives {
  pami_schedule_t* active; /* in work */
  pami_schedule_t* free;
  struct pami_early* early; /* messages that no receive has waited for yet, in order */
  struct pami_early** early_end;
  struct pami_active_dispatch* dispatches; /* of active-message collectives */
} pami_collectives_t;

/* Begins to describe an operation. NULL: no memory. */
pami_schedule_t* pami_schedule_make(pami_context_impl_t* context, pami_geometry_impl_t* geometry, uint32_t sequence,
                                    pami_event_function done, void* cookie);

void pami_send_step(pami_schedule_t* schedule, uint32_t peer, uint32_t tag, const void* from, size_t bytes);
void pami_receive_step(pami_schedule_t* schedule, uint32_t peer, uint32_t tag, void* to, size_t bytes);
void pami_wait_step(pami_schedule_t* schedule);
void pami_copy_step(pami_schedule_t* schedule, void* to, const void* from, size_t bytes);
void pami_pack_step(pami_schedule_t* schedule, void* to, const void* from, pami_type_t type, size_t offset,
                    size_t bytes);
void pami_unpack_step(pami_schedule_t* schedule, void* to, pami_type_t type, size_t offset, const void* from,
                      size_t bytes);
void pami_combine_step(pami_schedule_t* schedule, void* to, const void* from, size_t bytes, pami_type_t type);

/* Memory that lives as long as the operation. NULL with 0 bytes, or without memory: then the operation fails. */
void* pami_temporary(pami_schedule_t* schedule, size_t bytes);

/* Starts what has been described. If it could not be, it is given back, and the result is an error. */
pami_result_t pami_schedule_start(pami_schedule_t* schedule);
void pami_schedule_give(pami_schedule_t* schedule);

/* Frees what a context keeps of schedules and messages. */
void pami_schedules_free(pami_collectives_t* collectives);

/* The dispatch function of messages between members. */
void pami_schedule_message(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                           const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* recv);

#endif
