/* SPDX-License-Identifier: Apache-2.0 */
/* What DCMF reads of the personality, on the host. */
#ifndef TOROID_TESTS_SPI_DOUBLE_PERSONALITY_H
#define TOROID_TESTS_SPI_DOUBLE_PERSONALITY_H

#include <stdint.h>

typedef struct {
  uint8_t Xnodes, Ynodes, Znodes;
  uint8_t Xcoord, Ycoord, Zcoord;
} _BGP_Personality_Networks_t;

typedef struct {
  _BGP_Personality_Networks_t Network_Config;
  uint32_t torus; /* bit d: dimension d is a ring */
} _BGP_Personality_t;

#endif
