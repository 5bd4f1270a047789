/* SPDX-License-Identifier: Apache-2.0 */
/* How a kernel call is made, and the calls that the lockbox needs. */
#ifndef _BGP_SPI_KERNEL_INLINES_H_
#define _BGP_SPI_KERNEL_INLINES_H_

#include <bpcore/ppc450_inlines.h>
#include <cnk/bgp_SPRG_Usage.h>
#include <cnk/bgp_SysCall_Extensions.h>
#include <common/namespace.h>

__BEGIN_DECLS

/* Number in r0, arguments from r3 on, result in r3: 0 or an errno, unless the call says otherwise. The kernel keeps the
 * other registers, but those that a function call need not keep are given up, as Linux's convention has it. */
__INLINE__ uint32_t bgp_kernel_call_9(uint32_t number, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e,
                                      uint32_t f, uint32_t g, uint32_t h, uint32_t i) {
  register uint32_t r0 __asm__("r0") = number;
  register uint32_t r3 __asm__("r3") = a;
  register uint32_t r4 __asm__("r4") = b;
  register uint32_t r5 __asm__("r5") = c;
  register uint32_t r6 __asm__("r6") = d;
  register uint32_t r7 __asm__("r7") = e;
  register uint32_t r8 __asm__("r8") = f;
  register uint32_t r9 __asm__("r9") = g;
  register uint32_t r10 __asm__("r10") = h;
  register uint32_t r11 __asm__("r11") = i;
  __asm__ volatile("sc"
                   : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8), "+r"(r9), "+r"(r10),
                     "+r"(r11)
                   :
                   : "r12", "cc", "ctr", "memory");
  return r3;
}
__INLINE__ uint32_t bgp_kernel_call_4(uint32_t number, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  register uint32_t r0 __asm__("r0") = number;
  register uint32_t r3 __asm__("r3") = a;
  register uint32_t r4 __asm__("r4") = b;
  register uint32_t r5 __asm__("r5") = c;
  register uint32_t r6 __asm__("r6") = d;
  __asm__ volatile("sc"
                   : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6)
                   :
                   : "r7", "r8", "r9", "r10", "r11", "r12", "cc", "ctr", "memory");
  return r3;
}
#define BGP_ARGUMENT_(x) ((uint32_t)(uintptr_t)(x))

/* Takes `numlocks` lockbox counters from `lockid` on and stores their addresses. flags: BGP_LOCKBOX_... of
 * nic/bgp/kernel_services.h. EAGAIN: one is taken; EINVAL. */
__INLINE__ int Kernel_AllocateLockBox(uint32_t lockid, uint32_t numlocks, uint32_t** ptr, uint32_t flags) {
  return (int)bgp_kernel_call_4(_BGP_SYSCALL_NR_ALLOC_COUNTER, lockid, numlocks, BGP_ARGUMENT_(ptr), flags);
}

/* The calling core's number on the node, 0 to 3. */
__INLINE__ int Kernel_PhysicalProcessorID(void) {
  return (int)(_bgp_mfspr(_BGP_SPRGRO_DST2) & BGP_DST2_CORE);
}

__END_DECLS

#endif
