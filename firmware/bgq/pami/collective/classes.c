/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bgq/pami/collective/classes.h"

#include <spi/include/kernel/collective.h>
#include <spi/include/mu/Classroute_inlines.h>
#include <string.h>

#include "firmware/bgq/pami/spi.h"
#include "firmware/hot.h"

enum { kClasses = BGQ_COLL_CLASS_MAX_CLASSROUTES };
_Static_assert(BGQ_COLL_CLASS_MAX_CLASSROUTES == BGQ_GI_CLASS_MAX_CLASSROUTES, "both kinds have as many");

/* Who has a class of this node. */
static struct {
  uint32_t geometries; /* 0: it is not PAMI's */
  pami_rectangle_t rectangle;
} classes[PAMI_CLASS_KINDS][kClasses];

/* Several threads may make geometries, each with a context of its own. */
static uint32_t held;

static void lock(void) {
  while (__atomic_exchange_n(&held, 1, __ATOMIC_ACQUIRE)) {
  }
}
static void unlock(void) {
  __atomic_store_n(&held, 0, __ATOMIC_RELEASE);
}

static CR_RECT_T of(const pami_rectangle_t* rectangle) {
  CR_RECT_T made;
  memset(&made, 0, sizeof made);
  for (int d = 0; d < CR_NUM_DIMS; ++d) {
    CR_COORD_DIM(CR_RECT_LL(&made), d) = rectangle->low[d];
    CR_COORD_DIM(CR_RECT_UR(&made), d) = rectangle->high[d];
  }
  return made;
}

/* All trees lead to the middle of the machine as far as their rectangles reach, so that packets of different classes
 * that share a link go up or down there alike, and none waits for one that goes the other way. */
RARE static ClassRoute_t route_in(const pami_rectangle_t* rectangle) {
  pami_rectangle_t all;
  CR_COORD_T me = {{0}}, root;
  for (int d = 0; d < CR_NUM_DIMS; ++d) {
    all.low[d] = 0;
    all.high[d] = (uint8_t)(pami_job.size[d] - 1);
    CR_COORD_DIM(&me, d) = pami_job.here[d];
  }
  CR_RECT_T world = of(&all), box = of(rectangle);
  int first = 0;
  ClassRoute_t route;
  MUSPI_PickWorldRoot(&world, NULL, &root, &first);
  MUSPI_BuildNodeClassroute(&world, &root, &me, &box, NULL, first, &route);
  route.input |= BGQ_CLASS_INPUT_LINK_LOCAL;
  return route;
}

RARE void pami_classes_start(void) {
  if (pami_job.tasks != pami_job.nodes * pami_job.processes) return;
  pami_rectangle_t all = {{0}, {0}};
  for (unsigned d = 0; d < PAMI_DIMENSIONS; ++d) all.high[d] = (uint8_t)(pami_job.size[d] - 1);
  for (unsigned kind = 0; kind < PAMI_CLASS_KINDS; ++kind) {
    classes[kind][0].geometries = 1;
    classes[kind][0].rectangle = all;
  }
}

RARE static uint32_t free_ones(pami_class_kind_t kind) {
  static uint64_t left = UINT64_MAX;
  if (left == UINT64_MAX) left = pami_bytes_of_environment("MUSPI_NUMCLASSROUTES", 0, 0, 1);
  uint32_t count = 0, numbers[kClasses], found = 0;
  const int32_t error = kind == PAMI_CLASS_COLLECTIVE
                            ? Kernel_QueryCollectiveClassRoutes(&count, numbers, sizeof numbers)
                            : Kernel_QueryGlobalInterruptClassRoutes(&count, numbers, sizeof numbers);
  if (error != 0) return 0;
  for (uint32_t i = (uint32_t)left; i < count; ++i) found |= 1u << numbers[i];
  return found;
}

RARE uint32_t pami_classes_free(pami_class_kind_t kind, const pami_rectangle_t* rectangle, uint32_t* same) {
  *same = UINT32_MAX;
  if (pami_job.local_place != 0) return UINT32_MAX;
  *same = 0;
  lock();
  uint32_t found = free_ones(kind);
  ClassRoute_t route = route_in(rectangle);
  for (unsigned number = 0; number < kClasses; ++number) {
    const uint32_t bit = 1u << number;
    if (classes[kind][number].geometries != 0 &&
        memcmp(&classes[kind][number].rectangle, rectangle, sizeof *rectangle) == 0) {
      *same |= bit;
    } else if (kind == PAMI_CLASS_INTERRUPT && (found & bit) != 0 &&
               Kernel_CheckGlobalInterruptClassRoute((int32_t)number, &route) != 0) {
      found &= ~bit; /* its wires are another class's */
    }
  }
  unlock();
  return found;
}

RARE static void give_back(pami_class_kind_t kind, unsigned number) {
  if (kind == PAMI_CLASS_INTERRUPT) {
    Kernel_DeallocateGlobalInterruptClassRoute((int32_t)number);
  } else {
    Kernel_DeallocateCollectiveClassRoute(number);
  }
}

RARE static bool set(pami_class_kind_t kind, unsigned number, const pami_rectangle_t* rectangle) {
  ClassRoute_t route = route_in(rectangle);
  if (kind == PAMI_CLASS_INTERRUPT) {
    if (Kernel_AllocateGlobalInterruptClassRoute(number, NULL) != 0) return false;
    if (Kernel_SetGlobalInterruptClassRoute((int32_t)number, &route) == 0) return true;
  } else {
    SET_CR_ROUTE_VC(&route, BGQ_CLASS_INPUT_VC_SUBCOMM);
    if (Kernel_AllocateCollectiveClassRoute(number) != 0) return false;
    if (Kernel_SetCollectiveClassRoute(number, &route) == 0) return true;
  }
  give_back(kind, number);
  return false;
}

RARE bool pami_class_take(pami_class_kind_t kind, unsigned number, const pami_rectangle_t* rectangle, bool shared) {
  if (pami_job.local_place != 0) return true;
  lock();
  const bool has = classes[kind][number].geometries != 0;
  const bool same = has && memcmp(&classes[kind][number].rectangle, rectangle, sizeof *rectangle) == 0;
  const bool taken = shared ? same : !has && set(kind, number, rectangle);
  if (taken) {
    ++classes[kind][number].geometries;
    classes[kind][number].rectangle = *rectangle;
  }
  unlock();
  return taken;
}

RARE void pami_class_release(pami_class_kind_t kind, unsigned number) {
  if (pami_job.local_place != 0) return;
  lock();
  if (--classes[kind][number].geometries == 0) give_back(kind, number);
  unlock();
}
