/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Geometries: who performs collective operations together. Members are endpoints and have ranks, in the order of the
 * program's list.
 *
 * A geometry of tasks has one member a task, whose context is the one that the operation is started at; all tasks use
 * the same. With PAMI_ALL_CONTEXTS each task has as many members as contexts, next to each other. A geometry of
 * endpoints has those that the program lists.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_GEOMETRY_H
#define TOROID_FIRMWARE_BGQ_PAMI_GEOMETRY_H

#include "firmware/bgq/pami/context.h"

#define PAMI_NO_RANK UINT32_MAX
/* Sequence numbers of operations that belong to the geometry itself; the program's count from 0. */
#define PAMI_SEQUENCE_CREATE UINT32_MAX
#define PAMI_SEQUENCE_DESTROY (UINT32_MAX - 1)
#define PAMI_SEQUENCE_UPDATE (UINT32_MAX - 2)
#define PAMI_SEQUENCE_ROUTE (UINT32_MAX - 3) /* and those below, one for each round */
#define PAMI_SEQUENCES (UINT32_MAX - 15)

/* The algorithm of a geometry that a pami_algorithm_t points to. */
typedef struct pami_choice {
  struct pami_geometry* geometry;
  const struct pami_method* method;
} pami_choice_t;

typedef struct pami_geometry {
  struct pami_geometry* next; /* of the client's */
  pami_client_impl_t* client;
  uint32_t id;
  uint32_t size;
  /* One of these three lists names the members; it stays the program's. */
  const pami_geometry_range_t* ranges;
  uint32_t range_count;
  const pami_task_t* tasks;
  const pami_endpoint_t* endpoints;
  uint32_t contexts; /* members of each task; 0: one, whose context is that of the operation */
  bool optimized;
  struct pami_route* route;             /* the network's part for this geometry; NULL: none */
  pami_choice_t* choices;               /* of all operations, in the order of the table of methods */
  uint32_t sequence[PAMI_CONTEXTS_MAX]; /* next operation of the member at each context */
  uint32_t rank[PAMI_CONTEXTS_MAX];     /* of that member; PAMI_NO_RANK: it is none */
} pami_geometry_impl_t;

/* PAMI_INVAL, with a message: there are no members, or the program's list has a task that the job has not, a context
 * that this task, `me`, has not, a range that ends before it begins, or a member twice. PAMI_ENOMEM: no memory. */
pami_result_t pami_members_check(const pami_geometry_impl_t* geometry, pami_task_t me);

/* The member with this rank; `offset` is the context of the operation, for geometries of tasks. */
pami_endpoint_t pami_member(const pami_geometry_impl_t* geometry, uint32_t rank, unsigned offset);
/* The other way round; PAMI_NO_RANK: not a member. */
uint32_t pami_rank(const pami_geometry_impl_t* geometry, pami_endpoint_t endpoint);

/* Tasks that have members, each once, in the order of their first members, with that member's offset; a geometry of
 * tasks has `offset`. Sets the number of them. The caller frees; NULL: no memory. */
pami_endpoint_t* pami_member_tasks(const pami_geometry_impl_t* geometry, unsigned offset, uint32_t* count);

/* The client's geometry with this id that `context` is a member of; NULL: none. */
pami_geometry_impl_t* pami_geometry_find(pami_client_impl_t* client, uint32_t id);

/* Makes a geometry's list of algorithms anew; false: no memory. */
bool pami_geometry_choose(pami_geometry_impl_t* geometry);

#endif
