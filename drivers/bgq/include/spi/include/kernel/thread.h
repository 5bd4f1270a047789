/* SPDX-License-Identifier: Apache-2.0 */
/* Communication threads: they run when an interrupt of the Messaging Unit comes. */
#ifndef _KERNEL_THREAD_H_
#define _KERNEL_THREAD_H_

#include <spi/include/kernel/process.h>

typedef void (*Kernel_CommThreadHandler)(uint64_t, uint64_t, uint64_t, uint64_t);

#define KERNEL_COMM_INT0 0
#define KERNEL_COMM_INT1 1
#define KERNEL_COMM_INT2 2
#define KERNEL_COMM_INT3 3
#define KERNEL_COMM_INT_GEA 4
#define KERNEL_COMM_NUM_INTS 5

__BEGIN_DECLS

/* Threads of this hardware thread; those of them that can run. */
__INLINE__ uint32_t Kernel_SnoopNumThreads(void) {
  return (uint32_t)bgq_thread_field(SPRG_SPIinfo_NumThds, 0xF);
}
__INLINE__ uint32_t Kernel_SnoopRunnable(void) {
  return (uint32_t)bgq_thread_field(SPRG_SPIinfo_Runnable, 0xF);
}

/* What an interrupt calls, with its four arguments; giving up the processor until it comes. */
__INLINE__ int32_t Kernel_CommThreadInstallHandler(int mu_int, Kernel_CommThreadHandler func, uint64_t parm1,
                                                   uint64_t parm2, uint64_t parm3, uint64_t parm4) {
  return (int32_t)CNK_SPI_SYSCALL_6(COMMTHREADINSTALLHANDLER, mu_int, func, parm1, parm2, parm3, parm4);
}
__INLINE__ int32_t Kernel_CommThreadPoof(void) {
  return (int32_t)CNK_SPI_SYSCALL_0(COMMTHREADPOOF);
}
__INLINE__ int32_t Kernel_CommThreadEnableInterrupts(void) {
  return (int32_t)CNK_SPI_SYSCALL_0(COMMTHREADENABLEINTS);
}
__INLINE__ int32_t Kernel_CommThreadDisableInterrupts(void) {
  return (int32_t)CNK_SPI_SYSCALL_0(COMMTHREADDISABLEINTS);
}

__END_DECLS

#endif
