// SPDX-License-Identifier: Apache-2.0
/// The only functions with which dma.h accesses the hardware: words of devices, and two barriers. On the emulated core
/// they are instructions. With BGP_ACCESS_MOCK, on the host, they are functions that a test defines.
#ifndef TOROID_DRIVERS_BGP_ACCESS_H_
#define TOROID_DRIVERS_BGP_ACCESS_H_

#include <stdint.h>

#if defined(BGP_ACCESS_MOCK)

#ifdef __cplusplus
extern "C" {
#endif
uint32_t bgp_access_read_word(uintptr_t address);
void bgp_access_write_word(uintptr_t address, uint32_t word);
void bgp_access_order(void);
void bgp_access_barrier(void);
#ifdef __cplusplus
}
#endif

#elif defined(__powerpc__)

/// Reads, writes the word of the device register at `address`, a multiple of 4.
static inline uint32_t bgp_access_read_word(uintptr_t address) {
  uint32_t word;
  __asm__ volatile("lwz %0,0(%1)" : "=r"(word) : "b"(address));
  return word;
}
static inline void bgp_access_write_word(uintptr_t address, uint32_t word) {
  __asm__ volatile("stw %0,0(%1)" : : "r"(word), "b"(address));
}

/// Stores before it, to memory and devices, take effect before those behind it (the instruction mbar).
static inline void bgp_access_order(void) {
  __asm__ volatile("mbar" : : : "memory");
}

/// Returns when all accesses before it have taken effect (the instruction msync).
static inline void bgp_access_barrier(void) {
  __asm__ volatile("msync" : : : "memory");
}

#else
#error "compile for the emulated core, or with BGP_ACCESS_MOCK for the host"
#endif

#endif  // TOROID_DRIVERS_BGP_ACCESS_H_
