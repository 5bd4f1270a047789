// SPDX-License-Identifier: Apache-2.0
//
// Driver of the copier (copier_regs.h), for any instruction set.
#ifndef TEST_CHIP_DRIVER_H
#define TEST_CHIP_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { COPIER_MOST_SLOTS = 16 };

/// A copy that is to be made.
struct copier_copy {
  void* to;
  const void* from;
  uint32_t bytes;
  volatile uint32_t* completion; /* gets `value`, behind the data; NULL: none */
  uint32_t value;
  uint32_t flags; /* COPIER_FLAG_... */
};

/// Gives the device a ring of `slots` descriptors, up to COPIER_MOST_SLOTS. 0 or an errno.
int copier_start(unsigned slots);
/// Puts a copy into the ring; waits while the ring is full. Returns its number; the device learns of it by copier_ring.
uint32_t copier_put(const struct copier_copy* copy);
/// Tells the device of all copies that have been put.
void copier_ring(void);
/// Copies done so far.
uint32_t copier_count(void);
/// Waits until the copy of this number, and with it all before, are done.
void copier_wait(uint32_t number);

/// The device writes these whole pages, and cores poll them. 0 or an errno.
int copier_watch(volatile void* pages, size_t bytes);
/// `handler` is called on this core while the interrupt line is up, which it must lower; on `stack`, of `bytes`. It may
/// use general purpose registers alone. NULL: no interrupts any more. 0 or an errno.
int copier_on_interrupt(void (*handler)(void), void* stack, size_t bytes);
void copier_lower_interrupt(void);

#ifdef __cplusplus
}
#endif

#endif
