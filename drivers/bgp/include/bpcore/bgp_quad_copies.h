/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of quads between memory, at multiples of 16 bytes, and one register of a device. lvx and stvx do what lfpdx and
 * stfpdx do on the machine; these instructions the emulated core has.
 *
 * A core has several device loads in flight and waits for them at the end of a straight run of code: so eight quads are
 * loaded before they are stored. */
#ifndef _BGP_QUAD_COPIES_H_
#define _BGP_QUAD_COPIES_H_

#include <bpcore/ppc450_inlines.h>
#include <common/namespace.h>
#include <stdint.h>

__BEGIN_DECLS

#if defined(__ALTIVEC__)
#define BGP_QUAD_COPY_(from, to) __asm__ volatile("lvx 0,0,%0\n\tstvx 0,0,%1" : : "r"(from), "r"(to) : "v0", "memory")
#define BGP_QUADS_AT_ONCE_ 8
#define BGP_EIGHT_QUADS_(loads, stores, from, to)                                                       \
  __asm__ volatile(loads stores                                                                         \
                   :                                                                                    \
                   : "r"(from), "r"(to), "b"(16), "b"(32), "b"(48), "b"(64), "b"(80), "b"(96), "b"(112) \
                   : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "memory")
#define BGP_EIGHT_FROM_ONE_(operation, address)                                                                \
  operation " 0,0," address "\n\t" operation " 1,0," address "\n\t" operation " 2,0," address "\n\t" operation \
            " 3,0," address "\n\t" operation " 4,0," address "\n\t" operation " 5,0," address "\n\t" operation \
            " 6,0," address "\n\t" operation " 7,0," address "\n\t"
#define BGP_EIGHT_IN_A_ROW_(operation, address)                                                                   \
  operation " 0,0," address "\n\t" operation " 1,%2," address "\n\t" operation " 2,%3," address "\n\t" operation  \
            " 3,%4," address "\n\t" operation " 4,%5," address "\n\t" operation " 5,%6," address "\n\t" operation \
            " 6,%7," address "\n\t" operation " 7,%8," address "\n\t"
#else
#define BGP_QUAD_COPY_(from, to) _bgp_QuadMove(from, to, 0)
#endif

__INLINE__ void bgp_quads_to_device(uint32_t device, const void* memory, unsigned quads) {
  const char* from = (const char*)memory;
#if defined(__ALTIVEC__)
  for (; quads >= BGP_QUADS_AT_ONCE_; quads -= BGP_QUADS_AT_ONCE_, from += 16 * BGP_QUADS_AT_ONCE_)
    BGP_EIGHT_QUADS_(BGP_EIGHT_IN_A_ROW_("lvx", "%0"), BGP_EIGHT_FROM_ONE_("stvx", "%1"), from, device);
#endif
  for (; quads != 0; quads--, from += 16) BGP_QUAD_COPY_(from, device);
}
__INLINE__ void bgp_quads_from_device(void* memory, uint32_t device, unsigned quads) {
  char* to = (char*)memory;
#if defined(__ALTIVEC__)
  for (; quads >= BGP_QUADS_AT_ONCE_; quads -= BGP_QUADS_AT_ONCE_, to += 16 * BGP_QUADS_AT_ONCE_)
    BGP_EIGHT_QUADS_(BGP_EIGHT_FROM_ONE_("lvx", "%0"), BGP_EIGHT_IN_A_ROW_("stvx", "%1"), device, to);
#endif
  for (; quads != 0; quads--, to += 16) BGP_QUAD_COPY_(device, to);
}

__END_DECLS

#endif
