/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a node and their hardware threads; the personality. */
#ifndef _KERNEL_PROCESS_H_
#define _KERNEL_PROCESS_H_

#include <cnk/include/SPI_syscalls.h>
#include <cnk/include/SPRG_Usage.h>
#include <firmware/include/personality.h>
#include <spi/include/kernel/cnk/kernel_impl.h>

__BEGIN_DECLS

__INLINE__ uint64_t bgq_thread_field(unsigned place, uint64_t mask) {
  return mfspr(SPRG_SPIinfo_ro) >> place & mask;
}

/* Processes of the node; hardware threads of each of them. */
__INLINE__ uint32_t Kernel_ProcessCount(void) {
  return (uint32_t)bgq_thread_field(SPRG_SPIinfo_NumProcs, 0xFF);
}
__INLINE__ uint32_t Kernel_ProcessorCount(void) {
  return (uint32_t)((bgq_thread_field(SPRG_SPIinfo_NumCores, 0xF) + 1) * 4) / Kernel_ProcessCount();
}

/* The hardware threads of process t of the node: thread 0 is the most significant bit. 0: there is no such process. */
__INLINE__ uint64_t Kernel_ThreadMask(uint32_t t) {
  const unsigned threads = Kernel_ProcessorCount();
  const unsigned first = (unsigned)bgq_thread_field(SPRG_SPIinfo_AppLeaderCore, 0xF) * 4 + t * threads;
  if (t >= Kernel_ProcessCount()) return 0;
  return (~0ull << (64 - threads)) >> first;
}

/* 0, or EINVAL: the size is not that of a version. */
__INLINE__ int Kernel_GetPersonality(Personality_t* personality, size_t size) {
  return (int)CNK_SPI_SYSCALL_2(GET_PERSONALITY, personality, size);
}
__INLINE__ uint64_t Kernel_GetJobID(void) {
  return CNK_SPI_SYSCALL_0(GETJOBID);
}
/* 1 on a hardware thread that another process has lent. */
__INLINE__ uint64_t Kernel_IsGuestThread(void) {
  return CNK_SPI_SYSCALL_0(ISGUESTTHREAD);
}
/* The control register of the quad unit. */
__INLINE__ uint64_t Kernel_GetAXUCR0(void) {
  return CNK_SPI_SYSCALL_0(GETAXUCR0);
}
__INLINE__ uint64_t Kernel_SetAXUCR0(uint64_t value) {
  return CNK_SPI_SYSCALL_1(SETAXUCR0, value);
}

__END_DECLS

#endif
