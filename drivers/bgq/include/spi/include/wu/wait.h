/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wake-up unit: arm it, look once more at what is waited for, then ppc_waitimpl(). Each hardware thread of a core
 * has a comparator of addresses, and bits for the four interrupts of the Messaging Unit.
 */
#ifndef _WU_WAIT_H_
#define _WU_WAIT_H_

#include <hwi/include/bqc/wu_dcr.h>
#include <hwi/include/bqc/wu_mmio.h>
#include <spi/include/kernel/location.h>
#include <spi/include/kernel/memory.h>
#include <stdint.h>
#include <sys/types.h>

__BEGIN_DECLS

__INLINE__ volatile uint64_t* bgq_wakeup_registers(void) {
  return (volatile uint64_t*)(Kernel_FastL1pBaseAddress() + WAKEUP_OFFSET_FROM_L1P);
}
/* Stores, and waits until the store has been done. */
__INLINE__ void bgq_wakeup_write(volatile uint64_t* at, uint64_t value) {
  uint64_t done;
  *at = value;
  done = *at;
  __asm__ volatile("cmpldi %0,0" : : "r"(done) : "cr0");
}

/* Stores to a physical address wake the thread; bits of `mask` are compared, of the lower 6 none. */
__INLINE__ void WU_ArmWithAddress(uint64_t physical_address, uint64_t mask) {
  volatile uint64_t* const registers = bgq_wakeup_registers();
  const uint64_t thread = Kernel_ProcessorThreadID();
  const uint64_t comparator = thread + Kernel_FirstThreadWakeupWAC();
  registers[WAC_BASE(comparator)] = physical_address;
  registers[WAC_ENABLE(comparator)] = mask;
  bgq_wakeup_write(&registers[CLEAR_THREAD(thread)], _BN(comparator));
}

/* Interrupts of the Messaging Unit wake the thread, four bits; or no longer. */
__INLINE__ void WU_ArmMU(uint64_t bits) {
  bgq_wakeup_write(&bgq_wakeup_registers()[SET_THREAD((uint64_t)Kernel_PhysicalHWThreadID())],
                   WU_DCR__THREAD0_WU_EVENT_SET__MU_WU_EN_set(bits));
}
__INLINE__ void WU_DisarmMU(uint64_t bits) {
  bgq_wakeup_write(&bgq_wakeup_registers()[CLEAR_THREAD((uint64_t)Kernel_PhysicalHWThreadID())],
                   WU_DCR__THREAD0_WU_EVENT_CLR__MU_WU_EN_set(bits));
}

__END_DECLS

#endif
