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

/* In the first word of round 1, above the classes: the node makes no other geometry, which may give back what it holds.
 */
enum { kQuiet = 1 << 30, kClasses = 0xFFFF };
static uint32_t under_way; /* agreements; atomic */

_Static_assert(sizeof((pami_route_bits_t){0}.word) == 2 * PAMI_CLASS_KINDS * sizeof(uint32_t),
               "two words for each kind");

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
  if (*agree) __atomic_add_fetch(&under_way, 1, __ATOMIC_RELAXED);
  return route;
}

static void offer(const struct pami_route* route, pami_route_bits_t* bits) {
  for (unsigned kind = 0; kind < PAMI_CLASS_KINDS; ++kind) {
    bits->word[2 * kind] = pami_classes_free((pami_class_kind_t)kind, &route->rectangle, &bits->word[2 * kind + 1]);
  }
  const bool quiet = __atomic_load_n(&under_way, __ATOMIC_RELAXED) == 1;
  bits->word[0] = quiet ? bits->word[0] | kQuiet : bits->word[0] & ~(uint32_t)kQuiet;
}

/* One of several classes: the highest; in further attempts the first from one on by which geometries differ, so that
 * those that are made at the same time do not meet again. */
static unsigned pick(const struct pami_route* route, uint32_t bits) {
  unsigned number = 31u - (unsigned)__builtin_clz(bits);
  if (route->attempts == 0) return number;
  number = (route->geometry + 5 * route->attempts) % BGQ_COLL_CLASS_MAX_CLASSROUTES;
  while ((bits >> number & 1) == 0) number = (number + 1) % BGQ_COLL_CLASS_MAX_CLASSROUTES;
  return number;
}

/* Takes the class that the rectangle has already at all members; else one that is free at all. */
static bool take_one(struct pami_route* route, pami_class_kind_t kind, uint32_t is_free, uint32_t same) {
  route->found[kind] = (is_free | same) != 0;
  if (!route->found[kind]) return false;
  const unsigned number = pick(route, same ? same : is_free);
  if (!pami_class_take(kind, number, &route->rectangle, same != 0)) return false;
  route->number[kind] = (uint8_t)number;
  return true;
}

static void take(struct pami_route* route, const pami_route_bits_t* all) {
  const uint32_t* word = all->word;
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
  const bool lost = (!route->combines && (route->found[PAMI_CLASS_COLLECTIVE] || !route->quiet)) ||
                    (!route->interrupts && (route->found[PAMI_CLASS_INTERRUPT] || !route->quiet));
  if (lost && ++route->attempts < kAttempts) return PAMI_ROUTE_AGAIN;
  __atomic_sub_fetch(&under_way, 1, __ATOMIC_RELAXED);
  return route->combines || route->interrupts ? PAMI_ROUTE_MADE : PAMI_ROUTE_NONE;
}

RARE void pami_route_free(struct pami_route* route) {
  if (route == NULL) return;
  drop(route, PAMI_CLASS_COLLECTIVE);
  drop(route, PAMI_CLASS_INTERRUPT);
  free(route);
}
