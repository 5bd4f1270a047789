/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Routes of a class: what a node waits for before it sends on (inputs), and where it sends (output; none at the root of
 * the tree). 16 classes are for collectives, 16 for global interrupts.
 */
#ifndef __hwi_bqc_class_route_h__
#define __hwi_bqc_class_route_h__

#include <stdint.h>

#define BGQ_COLL_CLASS_MAX_CLASSROUTES 16
#define BGQ_GI_CLASS_MAX_CLASSROUTES 16
#define BGQ_GI_CLASS_MAX_GI_PER_CLASSROUTE 3

/* Links, of input and output. */
#define BGQ_CLASS_LINK_AM (1 << 11)
#define BGQ_CLASS_LINK_AP (1 << 10)
#define BGQ_CLASS_LINK_BM (1 << 9)
#define BGQ_CLASS_LINK_BP (1 << 8)
#define BGQ_CLASS_LINK_CM (1 << 7)
#define BGQ_CLASS_LINK_CP (1 << 6)
#define BGQ_CLASS_LINK_DM (1 << 5)
#define BGQ_CLASS_LINK_DP (1 << 4)
#define BGQ_CLASS_LINK_EM (1 << 3)
#define BGQ_CLASS_LINK_EP (1 << 2)
#define BGQ_CLASS_LINK_IO (1 << 1)
/* Of input alone: the node's own contribution; the type, which says on which virtual channels its packets come. */
#define BGQ_CLASS_INPUT_LINK_LOCAL (1 << 0)
#define BGQ_CLASS_INPUT_VC_USER (0 << 12)
#define BGQ_CLASS_INPUT_VC_SYSTEM (1 << 12)
#define BGQ_CLASS_INPUT_VC_SUBCOMM (2 << 12)
#define BGQ_CLASS_INPUT_VC_MASK (3 << 12)

typedef struct ClassRoute {
  uint16_t input;
  uint16_t output;
} ClassRoute_t;

#endif
