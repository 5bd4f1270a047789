/* SPDX-License-Identifier: Apache-2.0 */
/* Integer types under the machine's names, and a quad: the 16 bytes that the double FPU loads and stores at once. */
#ifndef _BGP_TYPES_H_
#define _BGP_TYPES_H_

#include <common/alignment.h>
#include <common/namespace.h>

#if !defined(__ASSEMBLY__)
#include <stddef.h>
#include <stdint.h>

typedef int8_t _bgp_i8_t;
typedef uint8_t _bgp_u8_t;
typedef int16_t _bgp_i16_t;
typedef uint16_t _bgp_u16_t;
typedef int32_t _bgp_i32_t;
typedef uint32_t _bgp_u32_t;
typedef int64_t _bgp_i64_t;
typedef uint64_t _bgp_u64_t;

typedef union T_BGP_QuadWord {
  uint8_t ub[16];
  uint16_t us[8];
  uint32_t ul[4];
  uint64_t ull[2];
  float f[4];
  double d[2];
} ALIGN_QUADWORD _bgp_QuadWord_t;

typedef _bgp_QuadWord_t _QuadWord_t;
#endif

#endif
