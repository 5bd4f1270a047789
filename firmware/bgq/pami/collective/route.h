/* SPDX-License-Identifier: Apache-2.0 */
/* What a geometry has of the network (routes.h). */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_ROUTE_H
#define TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_ROUTE_H

#include "firmware/bgq/pami/collective/classes.h"
#include "firmware/bgq/pami/spi.h"

struct pami_route {
  MUHWI_Descriptor_t descriptor; /* of the collective class's packets */
  MUSPI_GIBarrier_t barrier;     /* of the class of interrupts */
  bool network;                  /* there are other nodes; else memory of the node serves, and there are no classes */
  bool combines;                 /* it has a collective class */
  bool interrupts;
  bool begins;                      /* interrupts do: no other geometry of the rectangle has used the class */
  uint8_t number[PAMI_CLASS_KINDS]; /* PAMI_NO_CLASS: none */
  bool found[PAMI_CLASS_KINDS];     /* a class that is free at all members, in this attempt */
  bool turn;                        /* all nodes have offered their classes to it, in this attempt */
  bool quiet;                       /* and to no other geometry that has not settled yet */
  bool tries;                       /* this node has, and it has not settled */
  uint32_t seen_settled;            /* geometries that had gone when this one began to wait for the next */
  uint64_t waits_since;             /* time base; 0: it has not waited */
  unsigned attempts;                /* to agree, so far */
  struct pami_route* next;          /* of those that are being made by this process */
  uint32_t geometry;                /* id of the one that it is made for */
  pami_rectangle_t rectangle;
};

#endif
