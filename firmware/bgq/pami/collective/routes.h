/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What geometries have of the network: the world from the start, a rectangle when all its members have agreed on
 * classes. They do so in three rounds (geometry/agreement.c): in each, every member gives bits, and all get those that
 * all have given.
 *
 *   1  classes that are free; then the first task of each node sets the routes
 *   2  nothing: the routes are set everywhere, and interrupts begin to travel on them
 *   3  whether they have come, as they should
 *
 * A node offers its classes to one geometry at a time: its first task begins round 1 when it is the geometry's turn.
 * Where another one with a lower id comes later, both may take the same class: then all members try again.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_ROUTES_H
#define TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_ROUTES_H

#include "firmware/bgq/pami/geometry/geometry.h"

enum { PAMI_ROUTE_ROUNDS = 3 };

/* Bits that members give. */
typedef struct pami_route_bits {
  uint32_t word[4];
} pami_route_bits_t;

/* A route for a geometry, if it can have one: all tasks get the same answer. NULL: it cannot, or there is no memory,
 * which ends the process. *agree: members must agree on it first. */
struct pami_route* pami_route_new(const pami_geometry_impl_t* geometry, bool* agree);
/* Whether this member may begin round 1 now; to be asked again and again until it may. */
bool pami_route_begins(struct pami_route* route);
/* What this member gives in a round, 0 to 2, from what all gave in the one before. */
void pami_route_give(struct pami_route* route, unsigned round, pami_route_bits_t* bits);

/* The end of the rounds. */
typedef enum { PAMI_ROUTE_NONE, PAMI_ROUTE_MADE, PAMI_ROUTE_AGAIN } pami_route_result_t;
/* What has come of it, by what all have given in the last round; the same at all members. */
pami_route_result_t pami_route_settle(struct pami_route* route, const pami_route_bits_t* bits);
/* The client that has routes ends. */
void pami_routes_end(void);
/* Gives back classes and memory; no member uses it any more. */
void pami_route_free(struct pami_route* route);

#endif
