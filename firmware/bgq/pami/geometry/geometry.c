/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making, changing and ending geometries. Each of these ends with a barrier of messages among the tasks that call, so
 * that a member never hears of a geometry that it does not have yet, and an id can be used again. Behind it classes of
 * the network are agreed on, or given back.
 */
#include "firmware/bgq/pami/geometry/geometry.h"

#include <string.h>

#include "firmware/bgq/pami/collective/attach.h"
#include "firmware/bgq/pami/collective/methods.h"
#include "firmware/bgq/pami/collective/network.h"
#include "firmware/bgq/pami/collective/routes.h"
#include "firmware/bgq/pami/collective/schedule.h"
#include "firmware/bgq/pami/geometry/agreement.h"
#include "firmware/hot.h"

pami_geometry_t PAMI_GEOMETRY_NULL = NULL;
pami_algorithm_t PAMI_ALGORITHM_NULL = 0;
size_t PAMI_ALL_CONTEXTS = (size_t)-1;

/* What the client keeps. The first geometry is the world's. */
typedef struct client_geometries {
  pami_geometry_impl_t* first;
  uint32_t lock;
  pami_geometry_impl_t world;
  pami_geometry_range_t everybody;
} client_geometries_t;

static void lock(client_geometries_t* geometries) {
  while (__atomic_exchange_n(&geometries->lock, 1, __ATOMIC_ACQUIRE)) {
  }
}
static void unlock(client_geometries_t* geometries) {
  __atomic_store_n(&geometries->lock, 0, __ATOMIC_RELEASE);
}

static void link_in(pami_geometry_impl_t* geometry) {
  client_geometries_t* geometries = geometry->client->collectives;
  lock(geometries);
  geometry->next = geometries->first;
  geometries->first = geometry;
  unlock(geometries);
}

static void take_out(pami_geometry_impl_t* geometry) {
  client_geometries_t* geometries = geometry->client->collectives;
  lock(geometries);
  pami_geometry_impl_t** at = &geometries->first;
  while (*at && *at != geometry) at = &(*at)->next;
  if (*at) *at = geometry->next;
  unlock(geometries);
}

pami_geometry_impl_t* pami_geometry_find(pami_client_impl_t* client, uint32_t id) {
  client_geometries_t* geometries = client->collectives;
  lock(geometries);
  pami_geometry_impl_t* geometry = geometries->first;
  while (geometry && geometry->id != id) geometry = geometry->next;
  unlock(geometries);
  return geometry;
}

/* The member that `task` has at a context, for each that it may use. */
static void find_ranks(pami_geometry_impl_t* geometry, pami_task_t task) {
  const bool any_context = geometry->endpoints == NULL && geometry->contexts == 0;
  for (unsigned offset = 0; offset < PAMI_CONTEXTS_MAX; ++offset) {
    if (offset && any_context) {
      geometry->rank[offset] = geometry->rank[0];
    } else if (offset < geometry->client->contexts || any_context) {
      geometry->rank[offset] = pami_rank(geometry, pami_endpoint_of(task, offset));
    } else {
      geometry->rank[offset] = PAMI_NO_RANK;
    }
  }
}

static bool is_world(const pami_geometry_impl_t* geometry) {
  return geometry == &((const client_geometries_t*)geometry->client->collectives)->world;
}

static void discard(pami_geometry_impl_t* geometry) {
  take_out(geometry);
  pami_route_free(geometry->route);
  free(geometry->choices);
  free(geometry);
}

/* Barriers of tasks --------------------------------------------------------------------------------------------------
 */

/* What is to happen behind a barrier of a geometry's tasks. */
typedef struct pending {
  pami_geometry_impl_t* geometry; /* that is made or ended; NULL: another's, in which this task has no part */
  pami_endpoint_t* peers;
  pami_context_impl_t* context; /* that the program called with */
  pami_context_impl_t* runs;    /* that has the barrier */
  pami_geometry_impl_t* of;
  uint32_t sequence, count;
  bool ends;
  pami_event_function fn;
  void* cookie;
  pami_work_t work;
} pending_t;

static pami_result_t tell(pami_context_t context, void* cookie) {
  pending_t* pending = cookie;
  const pami_event_function fn = pending->fn;
  void* theirs = pending->cookie;
  if (pending->ends) discard(pending->geometry);
  free(pending->peers);
  free(pending);
  if (fn) fn(context, theirs, PAMI_SUCCESS);
  return PAMI_SUCCESS;
}

static void settled(pami_context_t context, void* cookie, pami_result_t result) {
  (void)result;
  pending_t* pending = cookie;
  if (pending->context == context) {
    tell(context, pending);
  } else {
    PAMI_Context_post(pending->context, &pending->work, tell, pending);
  }
}

static void passed(pami_context_t context, void* cookie, pami_result_t result) {
  pending_t* pending = cookie;
  pami_geometry_impl_t* geometry = pending->geometry;
  if (geometry == NULL || pending->ends || is_world(geometry)) {
    settled(context, cookie, result);
    return;
  }
  if (!geometry->optimized) {
    pami_route_free(geometry->route);
    geometry->route = NULL;
  }
  pami_geometry_agree(geometry, pending->context, context, settled, pending);
}

static pami_result_t start_barrier(pami_context_t context, void* cookie) {
  pending_t* pending = cookie;
  pami_schedule_t* schedule = pami_schedule_make(context, pending->of, pending->sequence, passed, pending);
  if (schedule == NULL) return PAMI_ENOMEM;
  schedule->peers = pending->peers;
  schedule->size = pending->count;
  schedule->rank = 0;
  const pami_task_t me = pami_task_of(pending->runs->self);
  while (pami_task_of(pending->peers[schedule->rank]) != me) ++schedule->rank;
  pami_dissemination(schedule);
  return pami_schedule_start(schedule);
}

/* Starts a barrier of the tasks of `of`, on the context that their first member here has. */
static pami_result_t barrier(pending_t request, pami_geometry_impl_t* of, uint32_t sequence) {
  pending_t* pending = malloc(sizeof *pending);
  if (pending == NULL) return PAMI_ENOMEM;
  *pending = request;
  pending->of = of;
  pending->sequence = sequence;
  pending->runs = request.context;
  pending->peers = pami_member_tasks(of, request.context->offset, &pending->count);
  if (pending->peers == NULL) {
    free(pending);
    return PAMI_ENOMEM;
  }
  const pami_task_t me = pami_task_of(request.context->self);
  for (uint32_t i = 0; i < pending->count; ++i) {
    if (pami_task_of(pending->peers[i]) != me) continue;
    const unsigned offset = pami_offset_of(pending->peers[i]);
    pending->runs = offset < of->client->contexts ? of->client->context[offset] : NULL;
    if (pending->runs == NULL) break;
    if (pending->runs == request.context) return start_barrier(pending->runs, pending);
    return PAMI_Context_post(pending->runs, &pending->work, start_barrier, pending);
  }
  free(pending->peers);
  free(pending);
  return pami_error(PAMI_INVAL, "task %u is no member of geometry %u", me, of->id);
}

/* Making -------------------------------------------------------------------------------------------------------------
 */

/* `optimized` stays as it is if the list does not name it. */
RARE static pami_result_t read_attributes(const pami_configuration_t* configuration, size_t count, bool* optimized) {
  for (size_t i = 0; i < count; ++i) {
    if (configuration[i].name != PAMI_GEOMETRY_OPTIMIZE) {
      return pami_error(PAMI_INVAL, "attribute %d is none that geometries can be given", (int)configuration[i].name);
    }
  }
  if (count > 0) *optimized = configuration[count - 1].value.intval != 0;
  return PAMI_SUCCESS;
}

/* `what` has the members. Behind the barrier the program's callback tells that all have the geometry. */
static pami_result_t create(pami_client_t client_, pami_geometry_impl_t what, pami_geometry_t* result,
                            pami_geometry_t parent_, pami_context_t context_, pami_event_function fn, void* cookie) {
  pami_client_impl_t* client = client_;
  pami_context_impl_t* context = context_;
  pami_geometry_impl_t* parent = parent_;
  if (client == NULL || context == NULL) return pami_error(PAMI_INVAL, "a geometry needs a client and a context");
  if (what.id == 0) return pami_error(PAMI_INVAL, "geometry 0 is the world");
  if (parent && what.contexts) return pami_error(PAMI_INVAL, "geometry %u: all contexts, and a parent", what.id);
  what.client = client;
  /* A task that is no member need not have the list. */
  const pami_result_t right =
      result == NULL && what.size == 0 ? PAMI_SUCCESS : pami_members_check(&what, pami_task_of(context->self));
  if (right != PAMI_SUCCESS) return right;
  pending_t pending = {.context = context, .fn = fn, .cookie = cookie};
  if (result == NULL) {
    if (parent) return barrier(pending, parent, parent->sequence[context->offset]++);
    return pami_error(PAMI_INVAL, "no geometry is to be made, and there is no parent to take part for");
  }
  pami_geometry_impl_t* geometry = malloc(sizeof *geometry);
  if (geometry == NULL) return PAMI_ENOMEM;
  *geometry = what;
  find_ranks(geometry, pami_task_of(context->self));
  if (!pami_geometry_choose(geometry)) {
    free(geometry);
    return PAMI_ENOMEM;
  }
  link_in(geometry);
  *result = geometry;
  pending.geometry = geometry;
  const pami_result_t started = parent ? barrier(pending, parent, parent->sequence[context->offset]++)
                                       : barrier(pending, geometry, PAMI_SEQUENCE_CREATE);
  if (started != PAMI_SUCCESS) {
    discard(geometry);
    *result = PAMI_GEOMETRY_NULL;
  }
  return started;
}

/* Sets how many members a task has: 0 for one that any context may be. */
RARE static pami_result_t read_contexts(pami_geometry_impl_t* what, pami_client_t client, size_t context_offset) {
  const uint32_t contexts = ((pami_client_impl_t*)client)->contexts;
  if (context_offset == PAMI_ALL_CONTEXTS) {
    what->contexts = contexts;
  } else if (context_offset >= contexts) {
    return pami_error(PAMI_INVAL, "geometry %u: the client has no context %zu", what->id, context_offset);
  }
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Geometry_create_taskrange(pami_client_t client, size_t context_offset,
                                             pami_configuration_t configuration[], size_t num_configs,
                                             pami_geometry_t* geometry, pami_geometry_t parent, unsigned id,
                                             pami_geometry_range_t* task_slices, size_t slice_count,
                                             pami_context_t context, pami_event_function fn, void* cookie) {
  if (client == NULL) return pami_error(PAMI_INVAL, "no client");
  pami_geometry_impl_t what = {.id = id, .ranges = task_slices, .range_count = (uint32_t)slice_count};
  pami_result_t right = read_attributes(configuration, num_configs, &what.optimized);
  if (right == PAMI_SUCCESS) right = read_contexts(&what, client, context_offset);
  if (right != PAMI_SUCCESS) return right;
  for (size_t i = 0; i < slice_count; ++i) what.size += task_slices[i].hi - task_slices[i].lo + 1;
  if (what.contexts) what.size *= what.contexts;
  return create(client, what, geometry, parent, context, fn, cookie);
}

pami_result_t PAMI_Geometry_create_tasklist(pami_client_t client, size_t context_offset,
                                            pami_configuration_t configuration[], size_t num_configs,
                                            pami_geometry_t* geometry, pami_geometry_t parent, unsigned id,
                                            pami_task_t* tasks, size_t task_count, pami_context_t context,
                                            pami_event_function fn, void* cookie) {
  if (client == NULL) return pami_error(PAMI_INVAL, "no client");
  pami_geometry_impl_t what = {.id = id, .tasks = tasks, .size = (uint32_t)task_count};
  pami_result_t right = read_attributes(configuration, num_configs, &what.optimized);
  if (right == PAMI_SUCCESS) right = read_contexts(&what, client, context_offset);
  if (right != PAMI_SUCCESS) return right;
  if (what.contexts) what.size *= what.contexts;
  return create(client, what, geometry, parent, context, fn, cookie);
}

pami_result_t PAMI_Geometry_create_endpointlist(pami_client_t client, pami_configuration_t configuration[],
                                                size_t num_configs, pami_geometry_t* geometry, unsigned id,
                                                pami_endpoint_t* endpoints, size_t endpoint_count,
                                                pami_context_t context, pami_event_function fn, void* cookie) {
  pami_geometry_impl_t what = {.id = id, .endpoints = endpoints, .size = (uint32_t)endpoint_count};
  const pami_result_t right = read_attributes(configuration, num_configs, &what.optimized);
  if (right != PAMI_SUCCESS) return right;
  return create(client, what, geometry, PAMI_GEOMETRY_NULL, context, fn, cookie);
}

pami_result_t PAMI_Geometry_world(pami_client_t client, pami_geometry_t* world_geometry) {
  if (client == NULL || world_geometry == NULL) return pami_error(PAMI_INVAL, "no client, or nowhere to put the world");
  client_geometries_t* geometries = ((pami_client_impl_t*)client)->collectives;
  *world_geometry = &geometries->world;
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Geometry_destroy(pami_client_t client, pami_geometry_t* geometry, pami_context_t context,
                                    pami_event_function fn, void* cookie) {
  if (client == NULL || geometry == NULL || *geometry == NULL || context == NULL) {
    return pami_error(PAMI_INVAL, "no geometry to destroy");
  }
  pami_geometry_impl_t* ending = *geometry;
  const client_geometries_t* geometries = ((pami_client_impl_t*)client)->collectives;
  if (ending == &geometries->world) return pami_error(PAMI_INVAL, "the world geometry ends with its client");
  const pami_result_t result =
      barrier((pending_t){.geometry = ending, .context = context, .ends = true, .fn = fn, .cookie = cookie}, ending,
              PAMI_SEQUENCE_DESTROY);
  if (result == PAMI_SUCCESS) *geometry = PAMI_GEOMETRY_NULL;
  return result;
}

/* Attributes ---------------------------------------------------------------------------------------------------------
 */

pami_result_t PAMI_Geometry_query(pami_geometry_t geometry, pami_configuration_t configuration[], size_t num_configs) {
  if (geometry == NULL) return pami_error(PAMI_INVAL, "no geometry");
  for (size_t i = 0; i < num_configs; ++i) {
    if (configuration[i].name != PAMI_GEOMETRY_OPTIMIZE) {
      return pami_error(PAMI_INVAL, "attribute %d is none of geometries", (int)configuration[i].name);
    }
    configuration[i].value.intval = ((pami_geometry_impl_t*)geometry)->optimized;
  }
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Geometry_update(pami_geometry_t geometry_, pami_configuration_t configuration[], size_t num_configs,
                                   pami_context_t context, pami_event_function fn, void* cookie) {
  pami_geometry_impl_t* geometry = geometry_;
  if (geometry == NULL || context == NULL) return pami_error(PAMI_INVAL, "no geometry, or no context");
  const pami_result_t right = read_attributes(configuration, num_configs, &geometry->optimized);
  if (right != PAMI_SUCCESS) return right;
  if (!pami_geometry_choose(geometry)) return PAMI_ENOMEM;
  return barrier((pending_t){.geometry = geometry, .context = context, .fn = fn, .cookie = cookie}, geometry,
                 PAMI_SEQUENCE_UPDATE);
}

/* Clients and contexts -----------------------------------------------------------------------------------------------
 */

pami_result_t pami_collectives_start(pami_client_impl_t* client) {
  client_geometries_t* geometries = calloc(1, sizeof *geometries);
  if (geometries == NULL) return PAMI_ENOMEM;
  client->collectives = geometries;
  geometries->everybody.hi = pami_job.tasks - 1;
  pami_geometry_impl_t* world = &geometries->world;
  world->client = client;
  world->size = pami_job.tasks;
  world->ranges = &geometries->everybody;
  world->range_count = 1;
  world->optimized = true;
  geometries->first = world;
  if (client->number == 0) world->route = pami_network_start();
  return pami_geometry_choose(world) ? PAMI_SUCCESS : PAMI_ENOMEM;
}

void pami_collectives_end(pami_client_impl_t* client) {
  client_geometries_t* geometries = client->collectives;
  if (geometries == NULL) return;
  while (geometries->first != &geometries->world) discard(geometries->first);
  if (geometries->world.route) pami_network_end();
  if (client->number == 0) pami_routes_end();
  free(geometries->world.choices);
  free(geometries);
  client->collectives = NULL;
}

pami_result_t pami_collectives_attach(pami_context_impl_t* context) {
  pami_collectives_t* collectives = calloc(1, sizeof *collectives);
  if (collectives == NULL) return PAMI_ENOMEM;
  collectives->early_end = &collectives->early;
  context->collectives = collectives;
  find_ranks(&((client_geometries_t*)context->client->collectives)->world, pami_task_of(context->self));
  pami_internal_dispatch(context, PAMI_DISPATCH_COLLECTIVE, pami_schedule_message, NULL);
  pami_active_attach(context);
  return PAMI_SUCCESS;
}

void pami_collectives_detach(pami_context_impl_t* context) {
  pami_collectives_t* collectives = context->collectives;
  if (collectives == NULL) return;
  pami_active_detach(collectives);
  pami_schedules_free(collectives);
  free(collectives);
  context->collectives = NULL;
}
