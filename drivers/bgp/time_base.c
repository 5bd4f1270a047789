/* SPDX-License-Identifier: Apache-2.0 */
#include <bpcore/ppc450_inlines.h>

uint64_t _bgp_GetTimeBase(void) {
  uint32_t upper, lower, again;
  do {
    upper = _bgp_mfspr(SPRN_TBRU);
    lower = _bgp_mfspr(SPRN_TBRL);
    again = _bgp_mfspr(SPRN_TBRU);
  } while (again != upper);
  return (uint64_t)upper << 32 | lower;
}
