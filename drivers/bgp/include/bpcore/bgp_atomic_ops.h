/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations on a word that has a cache line to itself, by reservations. All but compare-and-swap begin with
 * msync. */
#ifndef _BGP_ATOMIC_OPS_H_
#define _BGP_ATOMIC_OPS_H_

#include <bpcore/bgp_types.h>
#include <bpcore/ppc450_inlines.h>
#include <common/alignment.h>
#include <common/namespace.h>

#if !defined(__ASSEMBLY__)
__BEGIN_DECLS

typedef struct T_BGP_Atomic {
  volatile uint32_t atom;
} ALIGN_L1D_CACHE _BGP_Atomic;

#define _BGP_ATOMIC_INIT(val) \
  { (val) }
#define _BGP_ATOMIC_READ(pvar) ((pvar)->atom)

/* Each returns the value before. */
#define BGP_FETCH_(name, operation)                                       \
  __INLINE__ uint32_t name(_BGP_Atomic* var, uint32_t operand) {          \
    uint32_t before;                                                      \
    _bgp_msync();                                                         \
    do before = _bgp_LoadReserved(&var->atom);                            \
    while (!_bgp_StoreConditional(&var->atom, before operation operand)); \
    return before;                                                        \
  }
BGP_FETCH_(_bgp_fetch_and_add, +)
BGP_FETCH_(_bgp_fetch_and_or, |)
BGP_FETCH_(_bgp_fetch_and_and, &)
#undef BGP_FETCH_

/* Sets the bits of `mask`, and returns 1, if none of them was set; else returns 0. */
__INLINE__ int _bgp_test_and_set(_BGP_Atomic* var, uint32_t mask) {
  uint32_t before;
  _bgp_msync();
  do {
    before = _bgp_LoadReserved(&var->atom);
    if ((before & mask) != 0) return 0;
  } while (!_bgp_StoreConditional(&var->atom, before | mask));
  return 1;
}

/* Stores NewValue, and returns 1, if the value was *pOldValue; else stores the value there and returns 0. */
__INLINE__ int _bgp_compare_and_swap(_BGP_Atomic* var, uint32_t* pOldValue, uint32_t NewValue) {
  do {
    const uint32_t now = _bgp_LoadReserved(&var->atom);
    if (now != *pOldValue) {
      *pOldValue = now;
      return 0;
    }
  } while (!_bgp_StoreConditional(&var->atom, NewValue));
  return 1;
}

__END_DECLS
#endif
#endif
