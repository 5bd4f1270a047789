/* SPDX-License-Identifier: Apache-2.0 */
/* What each member sends or receives of a program's buffer: equal parts behind each other, or by lists of counts and
 * displacements, which are of size_t or of int. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_VECTORS_H
#define TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_VECTORS_H

#include "firmware/bgq/pami/collective/methods.h"
#include "firmware/bgq/pami/types/layout.h"

typedef struct pami_vector {
  char* base;
  pami_type_t type;
  size_t count; /* of each part, without lists */
  const size_t *counts, *displacements;
  const int *int_counts, *int_displacements;
} pami_vector_t;

static inline size_t pami_part_count(const pami_vector_t* vector, uint32_t rank) {
  if (vector->counts) return vector->counts[rank];
  if (vector->int_counts) return vector->int_counts[rank] > 0 ? (size_t)vector->int_counts[rank] : 0;
  return vector->count;
}

static inline char* pami_part_at(const pami_vector_t* vector, uint32_t rank) {
  ptrdiff_t elements = (ptrdiff_t)(rank * vector->count);
  if (vector->counts) elements = (ptrdiff_t)vector->displacements[rank];
  if (vector->int_counts) elements = vector->int_displacements[rank];
  return vector->base + elements * pami_type_extent(vector->type);
}

/* Whether the vector's type can be used by all members. */
static inline bool pami_vector_usable(const pami_vector_t* vector, uint32_t members) {
  if (pami_layout(vector->type)) return true;
  for (uint32_t rank = 0; rank < members; ++rank) {
    if (pami_part_count(vector, rank)) return false;
  }
  return true;
}

static inline size_t pami_part_bytes(const pami_vector_t* vector, uint32_t rank) {
  const size_t count = pami_part_count(vector, rank);
  return count ? count * pami_type_size(vector->type) : 0;
}

/* Steps that send a part to a member, and that receive one: behind the next wait pami_part_arrived() has it put where
 * the program wants it. */
static inline void pami_send_part(pami_schedule_t* schedule, const pami_vector_t* vector, uint32_t part, uint32_t peer,
                                  uint32_t tag) {
  const size_t bytes = pami_part_bytes(vector, part);
  const void* from = bytes ? pami_outgoing(schedule, pami_part_at(vector, part), vector->type, bytes) : NULL;
  pami_send_step(schedule, peer, tag, from, bytes);
}

static inline void* pami_receive_part(pami_schedule_t* schedule, const pami_vector_t* vector, uint32_t part,
                                      uint32_t peer, uint32_t tag) {
  const size_t bytes = pami_part_bytes(vector, part);
  void* to = bytes ? pami_incoming(schedule, pami_part_at(vector, part), vector->type, bytes) : NULL;
  pami_receive_step(schedule, peer, tag, to, bytes);
  return to;
}

static inline void pami_part_arrived(pami_schedule_t* schedule, const pami_vector_t* vector, uint32_t part,
                                     const void* place) {
  const size_t bytes = pami_part_bytes(vector, part);
  if (bytes) pami_deliver(schedule, pami_part_at(vector, part), vector->type, place, bytes);
}

/* A part goes from one of this member's buffers to another. */
static inline void pami_own_part(pami_schedule_t* schedule, const pami_vector_t* from, uint32_t from_part,
                                 const pami_vector_t* to, uint32_t to_part) {
  const size_t bytes = pami_part_bytes(to, to_part);
  if (bytes == 0 || pami_part_bytes(from, from_part) == 0) return;
  if (pami_part_at(from, from_part) == pami_part_at(to, to_part)) return;
  pami_part_arrived(schedule, to, to_part, pami_outgoing(schedule, pami_part_at(from, from_part), from->type, bytes));
}

#endif
