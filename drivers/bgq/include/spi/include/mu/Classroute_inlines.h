/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Routes of classes by a rule that all nodes apply for themselves. The tree of a rectangle has its root at a corner of
 * the world, or where a sub-communicator's rectangle is nearest to it: a node goes towards the root's coordinate in the
 * first dimension of the order in which it is not there yet and can move inside the rectangle, and takes what comes
 * from all other sides. Because the root is the world's, trees of different rectangles can share links where their
 * directions are the same.
 *
 * dims is an order of the dimensions, NULL: A to E; dim0 the first place of it that is used.
 */
#ifndef _MUSPI_CLASSROUTE_INLINES_H_
#define _MUSPI_CLASSROUTE_INLINES_H_

#include <math.h>
#include <spi/include/mu/Classroute.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__BEGIN_DECLS

/* The type of a route: BGQ_CLASS_INPUT_VC_. */
#define GET_CR_ROUTE_VC(crp) ((crp)->input & BGQ_CLASS_INPUT_VC_MASK)
#define SET_CR_ROUTE_VC(crp, vc) ((crp)->input = (uint16_t)(((crp)->input & ~BGQ_CLASS_INPUT_VC_MASK) | (vc)))

/* The link of dimension n in direction s. */
#define CR_LINK(n, s) (BGQ_CLASS_LINK_AP >> (2 * (n)) << (s))

__INLINE__ int bgq_dimension(const int* dims, int place) {
  return dims != NULL ? dims[place] : place;
}
__INLINE__ int bgq_low(CR_RECT_T* rect, int d) {
  return (int)CR_COORD_DIM(CR_RECT_LL(rect), d);
}
__INLINE__ int bgq_high(CR_RECT_T* rect, int d) {
  return (int)CR_COORD_DIM(CR_RECT_UR(rect), d);
}
__INLINE__ int bgq_extent(CR_RECT_T* rect, int d) {
  return bgq_high(rect, d) - bgq_low(rect, d) + 1;
}

__INLINE__ int __MUSPI_eq_coords(CR_COORD_T* c0, CR_COORD_T* c1) {
  int d;
  for (d = 0; d < CR_NUM_DIMS; ++d)
    if (CR_COORD_DIM(c0, d) != CR_COORD_DIM(c1, d)) return 0;
  return 1;
}
/* Nodes of a rectangle. */
__INLINE__ int __MUSPI_rect_size(CR_RECT_T* r) {
  int d, nodes = 1;
  for (d = 0; d < CR_NUM_DIMS; ++d) nodes *= bgq_extent(r, d);
  return nodes;
}
/* 0: they are equal, -1: they have nodes in common, 1: none. */
__INLINE__ int __MUSPI_rect_compare(CR_RECT_T* rect1, CR_RECT_T* rect2) {
  int d;
  if (__MUSPI_eq_coords(CR_RECT_LL(rect1), CR_RECT_LL(rect2)) &&
      __MUSPI_eq_coords(CR_RECT_UR(rect1), CR_RECT_UR(rect2)))
    return 0;
  for (d = 0; d < CR_NUM_DIMS; ++d)
    if (bgq_high(rect1, d) < bgq_low(rect2, d) || bgq_low(rect1, d) > bgq_high(rect2, d)) return 1;
  return -1;
}

/* Trees ----------------------------------------------------------------------------------------------------------- */

/* The middle of the world, lower + size / 2; *pri_dim: the last place of the order whose dimension is longer than 1. */
__INLINE__ void MUSPI_PickWorldRoot(CR_RECT_T* world, int* dims, CR_COORD_T* worldroot, int* pri_dim) {
  CR_COORD_T root = *CR_RECT_LL(world);
  int place;
  *pri_dim = 0;
  for (place = 0; place < CR_NUM_DIMS; ++place) {
    const int d = bgq_dimension(dims, place);
    if (bgq_extent(world, d) > 1) *pri_dim = place;
    CR_COORD_DIM(&root, d) += bgq_extent(world, d) / 2;
  }
  *worldroot = root;
}
/* Two roots at both ends of the shortest dimension that is longer than 1, the last of those; their trees share no link.
 */
__INLINE__ void MUSPI_PickWorldRootPair(CR_RECT_T* world, int* dims, CR_COORD_T* worldroot1, CR_COORD_T* worldroot2,
                                        int* pri_dim) {
  CR_COORD_T root = *CR_RECT_LL(world);
  int place, shortest = -1, d = 0;
  for (place = 0; place < CR_NUM_DIMS; ++place) {
    d = bgq_dimension(dims, place);
    CR_COORD_DIM(&root, d) += bgq_extent(world, d) / 2;
    if (bgq_extent(world, d) > 1 &&
        (shortest < 0 || bgq_extent(world, d) <= bgq_extent(world, bgq_dimension(dims, shortest))))
      shortest = place;
  }
  *pri_dim = shortest;
  *worldroot1 = root;
  *worldroot2 = root;
  if (shortest < 0) return;
  d = bgq_dimension(dims, shortest);
  CR_COORD_DIM(worldroot1, d) = (uint32_t)bgq_low(world, d);
  CR_COORD_DIM(worldroot2, d) = (uint32_t)bgq_high(world, d);
}

/* The links of node `me` in the tree of rectangle `comm`; neither its own contribution nor a type. */
__INLINE__ void MUSPI_BuildNodeClassroute(CR_RECT_T* world, CR_COORD_T* worldroot, CR_COORD_T* me, CR_RECT_T* comm,
                                          int* dims, int dim0, ClassRoute_t* cr) {
  unsigned input = 0, output = 0;
  int place;
  (void)world;
  for (place = 0; place < CR_NUM_DIMS && output == 0; ++place) {
    const int d = bgq_dimension(dims, (dim0 + place) % CR_NUM_DIMS);
    const int here = (int)CR_COORD_DIM(me, d), root = (int)CR_COORD_DIM(worldroot, d);
    const int below = here > bgq_low(comm, d), above = here < bgq_high(comm, d);
    if (here <= root && below) input |= (unsigned)CR_LINK(d, CR_SIGN_NEG);
    if (here >= root && above) input |= (unsigned)CR_LINK(d, CR_SIGN_POS);
    if (here < root && above) output = (unsigned)CR_LINK(d, CR_SIGN_POS);
    if (here > root && below) output = (unsigned)CR_LINK(d, CR_SIGN_NEG);
  }
  cr->input = (uint16_t)input;
  cr->output = (uint16_t)output;
}

__INLINE__ int bgq_is_among(CR_COORD_T* node, CR_COORD_T* nodes, int count) {
  int i;
  for (i = 0; i < count; ++i)
    if (__MUSPI_eq_coords(node, &nodes[i])) return 1;
  return 0;
}
/* Whether a node contributes that is `at` or below it in the tree. */
static inline int bgq_contributes(CR_RECT_T* world, CR_COORD_T* worldroot, CR_COORD_T* at, CR_RECT_T* comm,
                                  CR_COORD_T* exclude, int nexclude, int* dims, int dim0) {
  ClassRoute_t route;
  int d, s;
  if (!bgq_is_among(at, exclude, nexclude)) return 1;
  MUSPI_BuildNodeClassroute(world, worldroot, at, comm, dims, dim0, &route);
  for (d = 0; d < CR_NUM_DIMS; ++d)
    for (s = 0; s < CR_NUM_DIRS; ++s) {
      CR_COORD_T child = *at;
      if ((route.input & CR_LINK(d, s)) == 0) continue;
      CR_COORD_DIM(&child, d) += s == CR_SIGN_POS ? 1 : -1;
      if (bgq_contributes(world, worldroot, &child, comm, exclude, nexclude, dims, dim0)) return 1;
    }
  return 0;
}
/* The same without links over which nothing would come, because the nodes behind them are among the excluded ones; with
 * the node's own contribution, unless it is one of these. */
__INLINE__ void MUSPI_BuildNodeClassrouteSparse(CR_RECT_T* world, CR_COORD_T* worldroot, CR_COORD_T* me,
                                                CR_RECT_T* comm, CR_COORD_T* exclude, int nexclude, int* dims, int dim0,
                                                ClassRoute_t* cr) {
  const int takes_part = !bgq_is_among(me, exclude, nexclude);
  ClassRoute_t route;
  int d, s;
  MUSPI_BuildNodeClassroute(world, worldroot, me, comm, dims, dim0, &route);
  for (d = 0; d < CR_NUM_DIMS; ++d)
    for (s = 0; s < CR_NUM_DIRS; ++s) {
      CR_COORD_T child = *me;
      if ((route.input & CR_LINK(d, s)) == 0) continue;
      CR_COORD_DIM(&child, d) += s == CR_SIGN_POS ? 1 : -1;
      if (!bgq_contributes(world, worldroot, &child, comm, exclude, nexclude, dims, dim0))
        route.input = (uint16_t)(route.input & ~CR_LINK(d, s));
    }
  if (takes_part) route.input |= BGQ_CLASS_INPUT_LINK_LOCAL;
  if (route.input == 0) route.output = 0;
  *cr = route;
}

/* Which rectangles have which classes ------------------------------------------------------------------------------ */

/* In a bit mask of classes: these have the rectangle that was asked for. */
#define CR_MATCH_RECT_FLAG 0x80000000

struct cr_allocation {
  CR_RECT_T rect;
  uint32_t classid;
  ClassRoute_t classroute; /* its type alone */
  struct cr_allocation* cr_peer;
};
struct cr_env {
  int isGI;
  struct cr_allocation* cr_alloc[BGQ_COLL_CLASS_MAX_CLASSROUTES]; /* who has the class, the last one first */
};
#define CR_SYSTEM_ID ((struct cr_allocation*)-1)

/* Makes *env where there is none; of the classes that nobody has, those that are not among the free ones become the
 * system's. Gives 0. */
__INLINE__ uint32_t MUSPI_InitClassrouteIds(uint32_t* free_ids, uint32_t nfree, int isGI, void** env) {
  struct cr_env* classes = (struct cr_env*)*env;
  uint32_t i;
  if (classes == NULL) {
    classes = (struct cr_env*)calloc(1, sizeof *classes);
    classes->isGI = isGI;
    *env = classes;
  }
  if (free_ids == NULL || nfree == 0) return 0;
  for (i = 0; i < BGQ_COLL_CLASS_MAX_CLASSROUTES; ++i)
    if (classes->cr_alloc[i] == NULL) classes->cr_alloc[i] = CR_SYSTEM_ID;
  for (i = 0; i < nfree; ++i)
    if (classes->cr_alloc[free_ids[i]] == CR_SYSTEM_ID) classes->cr_alloc[free_ids[i]] = NULL;
  return 0;
}
/* Bits of the classes that a sub-communicator may take: the class that has its rectangle already, with the flag; or all
 * that are free. */
__INLINE__ uint32_t MUSPI_GetClassrouteIds(int vc, CR_RECT_T* subcomm, void** env) {
  struct cr_env* classes;
  uint32_t i, found = 0;
  MUSPI_InitClassrouteIds(NULL, 0, 0, env);
  classes = (struct cr_env*)*env;
  for (i = 0; i < BGQ_COLL_CLASS_MAX_CLASSROUTES; ++i) {
    struct cr_allocation* const has = classes->cr_alloc[i];
    if (has == NULL) found |= 1u << i;
    if (has == NULL || has == CR_SYSTEM_ID || GET_CR_ROUTE_VC(&has->classroute) != vc) continue;
    if (__MUSPI_rect_compare(&has->rect, subcomm) == 0) return CR_MATCH_RECT_FLAG | 1u << i;
  }
  return found;
}
/* The sub-communicator has class `id`. 1: it is the first to have it, so the route must be set. */
__INLINE__ int MUSPI_SetClassrouteId(int id, int vc, CR_RECT_T* subcomm, void** env) {
  struct cr_allocation* const has = (struct cr_allocation*)calloc(1, sizeof *has);
  struct cr_env* classes;
  MUSPI_InitClassrouteIds(NULL, 0, 0, env);
  classes = (struct cr_env*)*env;
  has->rect = *subcomm;
  has->classid = (uint32_t)id;
  SET_CR_ROUTE_VC(&has->classroute, vc);
  has->cr_peer = classes->cr_alloc[id];
  classes->cr_alloc[id] = has;
  return has->cr_peer == NULL;
}
/* It no longer has it. 1: nobody has it now. */
__INLINE__ int MUSPI_ReleaseClassrouteId(int id, int vc, CR_RECT_T* subcomm, void** env) {
  struct cr_env* const classes = (struct cr_env*)*env;
  struct cr_allocation* const has = classes->cr_alloc[id];
  (void)vc;
  (void)subcomm;
  classes->cr_alloc[id] = has->cr_peer;
  free(has);
  return classes->cr_alloc[id] == NULL;
}

/* Rectangles for a number of processes ----------------------------------------------------------------------------- */

/* The last nodes of `rect` in the order, `count` of them, to `nodes`. */
__INLINE__ void bgq_last_nodes(CR_RECT_T* rect, const int* dims, int count, CR_COORD_T* nodes, int* found) {
  CR_COORD_T node = *CR_RECT_UR(rect);
  *found = 0;
  while (*found < count) {
    int place = CR_NUM_DIMS - 1;
    nodes[(*found)++] = node;
    for (; place >= 0; --place) {
      const int d = dims != NULL ? dims[CR_NUM_DIMS - 1 - place] : place;
      if ((int)CR_COORD_DIM(&node, d) > bgq_low(rect, d)) {
        --CR_COORD_DIM(&node, d);
        break;
      }
      CR_COORD_DIM(&node, d) = (uint32_t)bgq_high(rect, d);
    }
    if (place < 0) return;
  }
}

/* A rectangle at the lower corner of the universe that has the first np of its nodes, where the first dimension of the
 * order is the fastest: whole in all dimensions up to the slowest one that is needed. And those of its nodes that are
 * not among them. */
__INLINE__ void MUSPI_MakeNpRectMap(CR_RECT_T* univ, int np, int* dims, CR_RECT_T* comm, CR_COORD_T* co, int* nx,
                                    int* pri_dim) {
  CR_RECT_T rect = *univ;
  int place, nodes = 1;
  *pri_dim = 0;
  for (place = 0; place < CR_NUM_DIMS; ++place) {
    const int d = dims[place];
    if (nodes >= np) CR_COORD_DIM(CR_RECT_UR(&rect), d) = CR_COORD_DIM(CR_RECT_LL(&rect), d);
    if (bgq_extent(&rect, d) > 1) *pri_dim = d;
    nodes *= bgq_extent(&rect, d);
  }
  *comm = rect;
  *nx = 0;
  if (nodes > np) bgq_last_nodes(&rect, dims, nodes - np, co, nx);
}

__END_DECLS

#endif
