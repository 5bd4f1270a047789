/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kernel runs. Of what the machine's header of this name has, this alone is here.
 *
 * Source: IBM's header of this name (bgq-driver V1R2M2): its declarations.
 */
#ifndef _KERNEL_DEBUG_H_
#define _KERNEL_DEBUG_H_

#include <cnk/include/SPI_syscalls.h>
#include <spi/include/kernel/cnk/kernel_impl.h>

__BEGIN_DECLS

/* The numbers of VvRrMm, and of the last correction of it. */
__INLINE__ int32_t Kernel_GetVersion(uint64_t* version, uint64_t* release, uint64_t* mod, uint64_t* efix) {
  return (int32_t)CNK_SPI_SYSCALL_4(KERNELVERSION, version, release, mod, efix);
}

__END_DECLS

#endif
