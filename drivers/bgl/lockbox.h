// SPDX-License-Identifier: Apache-2.0
/// The lockbox of a Blue Gene/L node: words that can be tested and set in one access, for two cores that have no atomic
/// memory operations. Thin and stateless.
///
///   lock   0 .. BGL_LOCKBOX_LOCKS - 1, common to both cores of the node. Software assigns them;
///   firmware/bgl/msglayer/scratchpad.h defines the numbers of the message layer.
///
/// Waiting. Taking a free lock costs one read. A core that has to wait polls the query register, which has no side
/// effect, and tries again when the lock is free.
///
/// Misuse is not checked: a core that takes a lock twice waits for ever, and a core can release a lock that the other
/// core holds.
///
/// Sources: addresses and meaning of the registers bl_lockbox.S, bl_lockbox.h.
#ifndef TOROID_DRIVERS_BGL_LOCKBOX_H_
#define TOROID_DRIVERS_BGL_LOCKBOX_H_

#include <stdint.h>

#include "drivers/bgl/access.h"
#include "nic/bgl/lockbox_regs.h"

#define BGL_LOCKBOX_LOCKS BGL_LOCKBOX_GROUP_COUNT

static inline uintptr_t bgl_lockbox_register(unsigned lock, unsigned offset) {
  return BGL_LOCKBOX_BASE + lock * BGL_LOCKBOX_GROUP_STRIDE + offset;
}

/// Whether the lock is held, by either core.
static inline int bgl_lockbox_held(unsigned lock) {
  return bgl_access_read_word(bgl_lockbox_register(lock, BGL_LOCKBOX_QUERY_OFFSET)) != 0;
}

/// Takes the lock if it is free. Returns whether the caller holds it now.
static inline int bgl_lockbox_try(unsigned lock) {
  return bgl_access_read_word(bgl_lockbox_register(lock, BGL_LOCKBOX_ACQUIRE_OFFSET)) == 0;
}

/// Waits until the lock is free and takes it. Afterwards, everything that the other core wrote to the scratchpad before
/// it released the lock is visible.
static inline void bgl_lockbox_lock(unsigned lock) {
  while (!bgl_lockbox_try(lock)) {
    while (bgl_lockbox_held(lock)) {
    }
  }
  bgl_access_barrier();
}

/// Releases the lock after all earlier accesses have taken effect.
static inline void bgl_lockbox_unlock(unsigned lock) {
  bgl_access_barrier();
  bgl_access_write_word(bgl_lockbox_register(lock, BGL_LOCKBOX_ACQUIRE_OFFSET), 0);
}

/// The two halves of a barrier, for a core that has other work while it waits: announcing arrival, and asking whether
/// the other core is still missing.
static inline void bgl_lockbox_arrive(unsigned lock) {
  bgl_access_barrier();
  bgl_access_write_word(bgl_lockbox_register(lock, BGL_LOCKBOX_BARRIER_OFFSET), 0);
}
static inline int bgl_lockbox_waits(unsigned lock) {
  return bgl_access_read_word(bgl_lockbox_register(lock, BGL_LOCKBOX_BARRIER_OFFSET)) != 0;
}

/// Returns when both cores have called it with this number, which is a multiple of 8; the barrier uses that lock and
/// the next seven. Afterwards, everything that either core wrote to the scratchpad before is visible to both.
static inline void bgl_lockbox_barrier(unsigned lock) {
  bgl_lockbox_arrive(lock);
  while (bgl_lockbox_waits(lock)) {
  }
}

#endif  // TOROID_DRIVERS_BGL_LOCKBOX_H_
