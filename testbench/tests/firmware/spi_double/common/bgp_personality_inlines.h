/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOROID_TESTS_SPI_DOUBLE_PERSONALITY_INLINES_H
#define TOROID_TESTS_SPI_DOUBLE_PERSONALITY_INLINES_H

#include <common/bgp_personality.h>

static inline uint32_t BGP_Personality_clockMHz(const _BGP_Personality_t* p) {
  return (void)p, 850;
}
static inline uint32_t BGP_Personality_DDRSizeMB(const _BGP_Personality_t* p) {
  return (void)p, 2048;
}
static inline uint32_t BGP_Personality_rankInPset(const _BGP_Personality_t* p) {
  return (void)p, 5;
}
static inline uint32_t BGP_Personality_psetSize(const _BGP_Personality_t* p) {
  return (void)p, 64;
}
static inline uint32_t BGP_Personality_psetNum(const _BGP_Personality_t* p) {
  return (void)p, 3;
}
static inline int BGP_Personality_isTorusX(const _BGP_Personality_t* p) {
  return p->torus & 1u;
}
static inline int BGP_Personality_isTorusY(const _BGP_Personality_t* p) {
  return p->torus >> 1 & 1u;
}
static inline int BGP_Personality_isTorusZ(const _BGP_Personality_t* p) {
  return p->torus >> 2 & 1u;
}

#endif
