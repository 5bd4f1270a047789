/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include "firmware/bgq/pami/collective/routes.h"

#include <string.h>

#include "firmware/bgq/pami/collective/class_route.h"
#include "firmware/bgq/pami/collective/route.h"
#include "firmware/hot.h"

/* Clocks until a node has to see that all others hold up the first state: a message takes longer than interrupts from
 * one end of the machine to the other. */
enum { kInterruptsTravel = 10000, kAttempts = 12 };

/* Clocks in which no other geometry of the node goes on: one whose member does not advance must not hold up those of
 * other contexts for ever. */
enum { kPatience = 160000000 };

/* In the first word of round 1, above the classes: it is the geometry's turn at the node, and no other one that has
 * begun there may give back what it holds. */
enum { kTurn = 1 << 29, kQuiet = 1 << 30, kClasses = 0xFFFF };

_Static_assert(sizeof((pami_route_bits_t){0}.word) == 2 * PAMI_CLASS_KINDS * sizeof(uint32_t),
               "two words for each kind");

/* Turns. A node offers its classes to one geometry at a time, the one with the lowest id of those that are being made
 * there. All nodes of the geometry with the lowest id of all do, so one goes on at any time. */

static struct pami_route* under_way;    /* of this process */
static uint32_t lowest_id = UINT32_MAX; /* of these; written with the lock, read without it */
static uint32_t settled;                /* how many have gone */
static uint32_t held;                   /* several threads may make geometries */

static void lock(void) {
  while (__atomic_exchange_n(&held, 1, __ATOMIC_ACQUIRE)) {
  }
}
static void unlock(void) {
  __atomic_store_n(&held, 0, __ATOMIC_RELEASE);
}

RARE static void arrive(struct pami_route* route) {
  lock();
  route->next = under_way;
  under_way = route;
  if (route->geometry < lowest_id) __atomic_store_n(&lowest_id, route->geometry, __ATOMIC_RELAXED);
  unlock();
}

RARE static void leave(struct pami_route* route) {
  lock();
  struct pami_route** at = &under_way;
  while (*at != route) at = &(*at)->next;
  *at = route->next;
  uint32_t lowest = UINT32_MAX;
  for (const struct pami_route* other = under_way; other != NULL; other = other->next) {
    if (other->geometry < lowest) lowest = other->geometry;
  }
  __atomic_store_n(&lowest_id, lowest, __ATOMIC_RELAXED);
  __atomic_store_n(&settled, settled + 1, __ATOMIC_RELAXED);
  unlock();
}

RARE static bool has_patience(struct pami_route* route) {
  const uint64_t now = GetTimeBase();
  const uint32_t gone = __atomic_load_n(&settled, __ATOMIC_RELAXED);
  if (route->waits_since == 0 || gone != route->seen_settled) {
    route->waits_since = now;
    route->seen_settled = gone;
  }
  return now - route->waits_since < kPatience;
}

/* The first task of each node waits, and the others wait for what it sends. */
RARE bool pami_route_begins(struct pami_route* route) {
  if (pami_job.local_place != 0) return true;
  if (__atomic_load_n(&lowest_id, __ATOMIC_RELAXED) == route->geometry) {
    lock();
    route->tries = route->geometry == lowest_id;
    unlock();
    if (route->tries) return true;
  }
  return !has_patience(route);
}

/* kTurn and kQuiet as this node sees them. */
RARE static uint32_t flags_of(const struct pami_route* route) {
  uint32_t flags = route->tries ? kTurn | kQuiet : kQuiet;
  lock();
  for (const struct pami_route* other = under_way; other != NULL; other = other->next) {
    if (other != route && other->tries) flags &= ~(uint32_t)kQuiet;
  }
  unlock();
  return flags;
}

/* A client that ends may leave geometries that have not been made. */
RARE void pami_routes_end(void) {
  under_way = NULL;
  lowest_id = UINT32_MAX;
}

/* Rounds ---------------------------------------------------------------------------------------------------------- */

RARE struct pami_route* pami_route_new(const pami_geometry_impl_t* geometry, bool* agree) {
  pami_rectangle_t rectangle;
  if (geometry->size < 2 || !pami_rectangle_of(geometry, &rectangle)) return NULL;
  void* memory = NULL;
  if (posix_memalign(&memory, 64, sizeof(struct pami_route)) != 0) pami_fatal("no memory for a geometry's class route");
  struct pami_route* route = memory;
  memset(route, 0, sizeof *route);
  memset(route->number, PAMI_NO_CLASS, sizeof route->number);
  route->rectangle = rectangle;
  route->geometry = geometry->id;
  route->network = *agree = pami_rectangle_nodes(&rectangle) > 1;
  route->combines = route->interrupts = !route->network;
  if (*agree) arrive(route);
  return route;
}

RARE static void offer(struct pami_route* route, pami_route_bits_t* bits) {
  memset(bits, 0xFF, sizeof *bits);
  if (pami_job.local_place != 0) return;
  const uint32_t flags = flags_of(route);
  for (unsigned kind = 0; kind < PAMI_CLASS_KINDS; ++kind) {
    uint32_t* word = &bits->word[2 * kind];
    word[0] = pami_classes_free((pami_class_kind_t)kind, &route->rectangle, &word[1]);
  }
  bits->word[0] = (bits->word[0] & kClasses) | flags;
}

/* Takes the class that the rectangle has already at all members; else the highest that is free at all. */
static bool take_one(struct pami_route* route, pami_class_kind_t kind, uint32_t is_free, uint32_t same) {
  route->found[kind] = (is_free | same) != 0;
  if (!route->found[kind]) return false;
  const unsigned number = 31u - (unsigned)__builtin_clz(same ? same : is_free);
  if (!pami_class_take(kind, number, &route->rectangle, same != 0)) return false;
  route->number[kind] = (uint8_t)number;
  return true;
}

static void take(struct pami_route* route, const pami_route_bits_t* all) {
  const uint32_t* word = all->word;
  route->turn = (word[0] & kTurn) != 0;
  memset(route->found, 0, sizeof route->found);
  if (!route->turn) return;
  route->quiet = (word[0] & kQuiet) != 0;
  if (!route->combines) {
    route->combines = take_one(route, PAMI_CLASS_COLLECTIVE, word[0] & kClasses, word[1] & kClasses);
    if (route->combines) pami_class_route_describe(&route->descriptor, route->number[PAMI_CLASS_COLLECTIVE]);
  }
  if (!route->interrupts) {
    route->interrupts = take_one(route, PAMI_CLASS_INTERRUPT, word[2] & kClasses, word[3] & kClasses);
    route->begins = route->interrupts && (word[3] & kClasses) == 0 && pami_job.local_place == 0;
    if (route->begins) MUSPI_GIBarrierInitMU1(route->number[PAMI_CLASS_INTERRUPT]);
  }
}

static void look(struct pami_route* route) {
  if (!route->interrupts || pami_job.local_place != 0) return;
  const uint32_t number = route->number[PAMI_CLASS_INTERRUPT];
  if (route->begins && MUSPI_GIBarrierInitMU2(number, kInterruptsTravel) != 0) route->interrupts = false;
  route->begins = false;
  MUSPI_GIBarrierInit(&route->barrier, number);
}

RARE void pami_route_give(struct pami_route* route, unsigned round, pami_route_bits_t* bits) {
  if (round == 0) {
    offer(route, bits);
  } else if (round == 1) {
    take(route, bits);
    memset(bits, 0, sizeof *bits);
  } else {
    look(route);
    bits->word[0] = route->combines;
    bits->word[1] = route->interrupts;
  }
}

static void drop(struct pami_route* route, pami_class_kind_t kind) {
  if (route->number[kind] != PAMI_NO_CLASS) pami_class_release(kind, route->number[kind]);
  route->number[kind] = PAMI_NO_CLASS;
}

RARE pami_route_result_t pami_route_settle(struct pami_route* route, const pami_route_bits_t* bits) {
  route->combines = bits->word[0] != 0;
  route->interrupts = bits->word[1] != 0;
  if (!route->combines) drop(route, PAMI_CLASS_COLLECTIVE);
  if (!route->interrupts) drop(route, PAMI_CLASS_INTERRUPT);
  route->tries = false;
  const bool lost = route->turn && ((!route->combines && (route->found[PAMI_CLASS_COLLECTIVE] || !route->quiet)) ||
                                    (!route->interrupts && (route->found[PAMI_CLASS_INTERRUPT] || !route->quiet)));
  if (lost && ++route->attempts < kAttempts) return PAMI_ROUTE_AGAIN;
  leave(route);
  return route->combines || route->interrupts ? PAMI_ROUTE_MADE : PAMI_ROUTE_NONE;
}

RARE void pami_route_free(struct pami_route* route) {
  if (route == NULL) return;
  drop(route, PAMI_CLASS_COLLECTIVE);
  drop(route, PAMI_CLASS_INTERRUPT);
  free(route);
}
