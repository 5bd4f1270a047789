/* SPDX-License-Identifier: Apache-2.0 */
/* The universal component identifier of a compute card: its rack, midplane, node card and place. */
#ifndef _BGP_UCI_H_
#define _BGP_UCI_H_

#include <common/namespace.h>
#include <stdint.h>

#define _BGP_UCI_Component_ComputeCard 13
#define _BGP_UCI_Component_IOCard 14

typedef struct _BGP_UCI_ComputeCard_t {
  unsigned Component : 5;
  unsigned RackRow : 4;
  unsigned RackColumn : 4;
  unsigned Midplane : 1;
  unsigned NodeCard : 4;
  unsigned ComputeCard : 6;
  unsigned _zero : 8;
} _BGP_UCI_ComputeCard_t;

typedef union _BGP_UniversalComponentIdentifier {
  uint32_t UCI;
  _BGP_UCI_ComputeCard_t ComputeCard;
  _BGP_UCI_ComputeCard_t IOCard;
} _BGP_UniversalComponentIdentifier;

#endif
