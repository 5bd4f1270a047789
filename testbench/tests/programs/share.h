// SPDX-License-Identifier: Apache-2.0
//
// What test programs with two cores share: words of the SRAM, and locks and barriers of the lockbox.
#ifndef TOROID_TESTS_PROGRAMS_SHARE_H
#define TOROID_TESTS_PROGRAMS_SHARE_H

#include <stdint.h>

#include "nic/bgl/lockbox_regs.h"
#include "nic/bgl/sram_regs.h"

static inline volatile uint32_t* word_at(uint32_t address) {
  return (volatile uint32_t*)(uintptr_t)address;
}
static inline volatile uint32_t* sram(unsigned index) {
  return word_at(BGL_SRAM_BASE + 4 * index);
}
static inline volatile uint32_t* lock_register(unsigned lock, uint32_t offset) {
  return word_at(BGL_LOCKBOX_BASE + lock * BGL_LOCKBOX_GROUP_STRIDE + offset);
}
static inline void wait_for(unsigned index, uint32_t value) {
  while (*sram(index) != value) {
  }
}
static inline void acquire(unsigned lock) {
  while (*lock_register(lock, BGL_LOCKBOX_ACQUIRE_OFFSET) != 0) {
    while (*lock_register(lock, BGL_LOCKBOX_QUERY_OFFSET) != 0) {
    }
  }
}
static inline void release(unsigned lock) {
  *lock_register(lock, BGL_LOCKBOX_ACQUIRE_OFFSET) = 0;
}
static inline void core_barrier(unsigned lock) {
  *lock_register(lock, BGL_LOCKBOX_BARRIER_OFFSET) = 0;
  while (*lock_register(lock, BGL_LOCKBOX_BARRIER_OFFSET) != 0) {
  }
}

#endif
