/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of quads between memory, at multiples of 16 bytes, and one register of a device. lvx and stvx do what lfpdx and
 * stfpdx do on the machine; these instructions the emulated core has. */
#ifndef _BGP_QUAD_COPIES_H_
#define _BGP_QUAD_COPIES_H_

#include <bpcore/ppc450_inlines.h>
#include <common/namespace.h>
#include <stdint.h>

__BEGIN_DECLS

#if defined(__ALTIVEC__)
#define BGP_QUAD_COPY_(from, to) __asm__ volatile("lvx 0,0,%0\n\tstvx 0,0,%1" : : "r"(from), "r"(to) : "v0", "memory")
#else
#define BGP_QUAD_COPY_(from, to) _bgp_QuadMove(from, to, 0)
#endif

__INLINE__ void bgp_quads_to_device(uint32_t device, const void* memory, unsigned quads) {
  const char* from = (const char*)memory;
  for (; quads != 0; quads--, from += 16) BGP_QUAD_COPY_(from, device);
}
__INLINE__ void bgp_quads_from_device(void* memory, uint32_t device, unsigned quads) {
  char* to = (char*)memory;
  for (; quads != 0; quads--, to += 16) BGP_QUAD_COPY_(device, to);
}
#undef BGP_QUAD_COPY_

__END_DECLS

#endif
