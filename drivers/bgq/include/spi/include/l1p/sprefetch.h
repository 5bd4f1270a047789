/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of the core's L1 prefetcher: lines of 128 bytes that are read ahead. */
#ifndef _L1P_STREAM_H_
#define _L1P_STREAM_H_

#include <hwi/include/bqc/l1p_mmio.h>
#include <spi/include/kernel/location.h>
#include <spi/include/kernel/memory.h>
#include <spi/include/l1p/types.h>
#include <stdint.h>
#include <sys/types.h>

__BEGIN_DECLS

#define L1P_CFG_PF_USR_ADJUST (L1P_CFG_PF_USR - PHYMAP_MINADDR_L1P - PHYMAP_PRIVILEGEDOFFSET)

__INLINE__ volatile uint64_t* bgq_l1p_streams(void) {
  return (volatile uint64_t*)(Kernel_L1pBaseAddress() + L1P_CFG_PF_USR_ADJUST);
}
__INLINE__ void bgq_l1p_change(uint64_t clear, uint64_t set) {
  volatile uint64_t* const streams = bgq_l1p_streams();
  *streams = (*streams & ~clear) | set;
}

/* Whether depths adapt to what a stream does. */
__INLINE__ int L1P_GetStreamAdaptiveMode(int* adaptiveState) {
  *adaptiveState = (*bgq_l1p_streams() & L1P_CFG_PF_USR_pf_adaptive_enable) != 0;
  return 0;
}
__INLINE__ int L1P_SetStreamAdaptiveMode(int enable) {
  bgq_l1p_change(L1P_CFG_PF_USR_pf_adaptive_enable, enable != 0 ? L1P_CFG_PF_USR_pf_adaptive_enable : 0);
  return 0;
}

__INLINE__ int L1P_GetStreamPolicy(L1P_StreamPolicy_t* policy) {
  const uint64_t streams = *bgq_l1p_streams();
  if ((streams & L1P_CFG_PF_USR_pf_stream_prefetch_enable) == 0) {
    *policy = L1P_stream_disable;
  } else if ((streams & L1P_CFG_PF_USR_pf_stream_optimistic) != 0) {
    *policy = L1P_stream_optimistic;
  } else {
    *policy = (streams & L1P_CFG_PF_USR_pf_stream_est_on_dcbt) != 0 ? L1P_confirmed_or_dcbt : L1P_stream_confirmed;
  }
  return 0;
}
/* L1P_PARMRANGE: there is no such policy. */
__INLINE__ int L1P_SetStreamPolicy(L1P_StreamPolicy_t policy) {
  const uint64_t on = L1P_CFG_PF_USR_pf_stream_prefetch_enable | L1P_CFG_PF_USR_pf_stream_establish_enable;
  const uint64_t ways = L1P_CFG_PF_USR_pf_stream_optimistic | L1P_CFG_PF_USR_pf_stream_est_on_dcbt;
  switch (policy) {
    case L1P_stream_disable:
      bgq_l1p_change(on, 0);
      return 0;
    case L1P_stream_optimistic:
      bgq_l1p_change(ways, on | L1P_CFG_PF_USR_pf_stream_optimistic);
      return 0;
    case L1P_stream_confirmed:
      bgq_l1p_change(ways, on);
      return 0;
    case L1P_confirmed_or_dcbt:
      bgq_l1p_change(ways, on | L1P_CFG_PF_USR_pf_stream_est_on_dcbt);
      return 0;
    default:
      return L1P_PARMRANGE;
  }
}

/* Lines that a stream reads ahead: 1 to 8, otherwise L1P_PARMRANGE. */
__INLINE__ int L1P_GetStreamDepth(uint32_t* depth) {
  *depth = (uint32_t)((*bgq_l1p_streams() & L1P_CFG_PF_USR_dfetch_depth(-1)) >> (63 - 42)) + 1;
  return 0;
}
__INLINE__ int L1P_SetStreamDepth(uint32_t depth) {
  if (depth < 1 || depth > 8) return L1P_PARMRANGE;
  bgq_l1p_change(L1P_CFG_PF_USR_dfetch_depth(-1), L1P_CFG_PF_USR_dfetch_depth(depth - 1));
  return 0;
}

/* Lines that all streams may have: 1 to 16, otherwise L1P_PARMRANGE. */
__INLINE__ int L1P_GetStreamTotalDepth(uint32_t* depth) {
  *depth = (uint32_t)((*bgq_l1p_streams() & L1P_CFG_PF_USR_dfetch_max_footprint(-1)) >> (63 - 46)) + 1;
  return 0;
}
__INLINE__ int L1P_SetStreamTotalDepth(uint32_t depth) {
  if (depth < 1 || depth > 16) return L1P_PARMRANGE;
  bgq_l1p_change(L1P_CFG_PF_USR_dfetch_max_footprint(-1), L1P_CFG_PF_USR_dfetch_max_footprint(depth - 1));
  return 0;
}

__END_DECLS

#endif
