/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include "firmware/bgq/pami/collective/routes.h"

#include <string.h>

#include "firmware/bgq/pami/collective/class_route.h"
#include "firmware/bgq/pami/collective/route.h"

/* Clocks until a node has to see that all others hold up the first state: a message takes longer than interrupts from
 * one end of the machine to the other. */
enum { kInterruptsTravel = 10000 };

_Static_assert(sizeof((pami_route_bits_t){0}.word) == 2 * PAMI_CLASS_KINDS * sizeof(uint32_t),
               "two words for each kind");

struct pami_route* pami_route_new(const pami_geometry_impl_t* geometry, bool* agree) {
  pami_rectangle_t rectangle;
  if (geometry->size < 2 || !pami_rectangle_of(geometry, &rectangle)) return NULL;
  void* memory = NULL;
  if (posix_memalign(&memory, 64, sizeof(struct pami_route)) != 0) pami_fatal("no memory for a geometry's class route");
  struct pami_route* route = memory;
  memset(route, 0, sizeof *route);
  memset(route->number, PAMI_NO_CLASS, sizeof route->number);
  route->rectangle = rectangle;
  route->network = *agree = pami_rectangle_nodes(&rectangle) > 1;
  route->combines = route->interrupts = !route->network;
  return route;
}

static void offer(const struct pami_route* route, pami_route_bits_t* bits) {
  for (unsigned kind = 0; kind < PAMI_CLASS_KINDS; ++kind) {
    bits->word[2 * kind] = pami_classes_free((pami_class_kind_t)kind, &route->rectangle, &bits->word[2 * kind + 1]);
  }
}

/* Takes the class that the rectangle has already at all members; else the highest that is free at all. */
static void take(struct pami_route* route, const pami_route_bits_t* all) {
  for (unsigned kind = 0; kind < PAMI_CLASS_KINDS; ++kind) {
    const uint32_t same = all->word[2 * kind + 1], found = same ? same : all->word[2 * kind];
    if (found == 0) continue;
    const unsigned number = 31u - (unsigned)__builtin_clz(found);
    route->number[kind] = (uint8_t)number;
    const bool taken = pami_class_take((pami_class_kind_t)kind, number, &route->rectangle);
    if (kind == PAMI_CLASS_COLLECTIVE) {
      route->combines = taken;
      pami_class_route_describe(&route->descriptor, number);
    } else {
      route->interrupts = taken;
      /* Nobody is in a barrier of a class that one of the nodes does not have yet. */
      route->begins = same == 0;
      if (route->begins && pami_job.local_place == 0) MUSPI_GIBarrierInitMU1(number);
    }
  }
}

static void look(struct pami_route* route) {
  if (!route->interrupts || pami_job.local_place != 0) return;
  const uint32_t number = route->number[PAMI_CLASS_INTERRUPT];
  if (route->begins && MUSPI_GIBarrierInitMU2(number, kInterruptsTravel) != 0) route->interrupts = false;
  MUSPI_GIBarrierInit(&route->barrier, number);
}

void pami_route_give(struct pami_route* route, unsigned round, pami_route_bits_t* bits) {
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

bool pami_route_settle(struct pami_route* route, const pami_route_bits_t* bits) {
  route->combines = bits->word[0] != 0;
  route->interrupts = bits->word[1] != 0;
  if (!route->combines) drop(route, PAMI_CLASS_COLLECTIVE);
  if (!route->interrupts) drop(route, PAMI_CLASS_INTERRUPT);
  return route->combines || route->interrupts;
}

void pami_route_free(struct pami_route* route) {
  if (route == NULL) return;
  drop(route, PAMI_CLASS_COLLECTIVE);
  drop(route, PAMI_CLASS_INTERRUPT);
  free(route);
}
