// SPDX-License-Identifier: Apache-2.0
// Set-up of the scratchpad, the same in both modes of the node.
#include "firmware/bgl/msglayer/scratchpad.h"

#include <assert.h>

#include "drivers/bgl/lockbox.h"

static_assert(BGLML_PAD_TRANSIENT + BGLML_PAD_TRANSIENT_UNITS * 16 <= BGLML_PAD_PERMANENT, "the parts do not overlap");
static_assert(BGLML_PAD_PERMANENT + BGLML_PAD_PERMANENT_UNITS * 16 <= BGLML_PAD_SLOTS, "the parts do not overlap");
static_assert(BGLML_PAD_SLOTS + BGLML_PAD_SLOT_COUNT * 16 <= BGLML_PAD_RECEIVED, "the parts do not overlap");
static_assert(BGLML_PAD_RECEIVED + BGLML_PAD_SLOT_COUNT * 4 <= BGLML_PAD_ADMINISTRATION_BYTES,
              "the parts do not overlap");
static_assert(BGLML_USER_SCRATCHPAD + BGLML_USER_SCRATCHPAD_BYTES == BGL_SCRATCHPAD_BYTES, "all of it is used");
static_assert(BGLML_PAD_VIRTUAL_FIFO + 2 * BGLML_PAD_VIRTUAL_FIFO_BYTES == BGL_SCRATCHPAD_BYTES, "all of it is used");
static_assert(BGLML_LOCKS <= BGL_LOCKBOX_LOCKS, "the program keeps some locks");

void bglml_scratchpad_init(unsigned t, bool shared) {
  if (t == 0) {
    bgl_scratchpad_clear(0, BGLML_PAD_ADMINISTRATION_BYTES);
    for (unsigned lock = 0; lock < BGLML_LOCK_BARRIER; ++lock) bgl_lockbox_unlock(lock);
  }
  if (shared) bgl_lockbox_barrier(BGLML_LOCK_BARRIER);
}
