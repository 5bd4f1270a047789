// SPDX-License-Identifier: Apache-2.0
/// The global interrupts of Blue Gene/L in the user view: channels, each a wired OR over all nodes of the partition.
/// Thin and stateless.
///
///   channel   0 .. BGL_GI_CHANNELS - 1. The kernel permits some of them; user software cannot change the others.
///
/// Sticky channels. A channel for AND sends 1 until the node fires it, then 0. When all nodes have fired, 0 comes back.
/// Then the channel's interrupt bit is set until software clears it, and the node automatically sends 1 again. A
/// channel for OR does the same with 0 and 1 exchanged: its interrupt bit is set at all nodes when any node has fired.
///
/// Reuse. The idle level returns at different times at different nodes. Before a channel is fired again, the idle level
/// must have returned (bgl_gi_received), and the previous level must have disappeared at every node: this takes at most
/// 1400 cycles (BGL_GlobalIntSPI.h), or is proved by another channel in between. Alternating between two channels needs
/// no wait: a node that sees one channel complete knows that all nodes have sent the idle level of the other.
///
/// Misuse that ends the program with a report: access to a channel that is not permitted, firing a direct channel.
///
/// Sources: register addresses bl_gints.h; channels, modes and the status word BGL_GlobalIntSPI.h.
#ifndef TOROID_DRIVERS_BGL_GLOBAL_INTERRUPT_H_
#define TOROID_DRIVERS_BGL_GLOBAL_INTERRUPT_H_

#include <stdint.h>

#include "drivers/bgl/access.h"
#include "nic/bgl/global_interrupt_regs.h"

#define BGL_GI_CHANNELS BGL_GI_DIRECT_COUNT

enum { BGL_GI_OR = 0, BGL_GI_AND = 1 };

/// A register of the user view.
static inline uintptr_t bgl_gi_register(unsigned offset) {
  return BGL_GI_BASE + BGL_GI_GROUP_STRIDE + offset;
}

/// The status word of all channels. The functions with a `status` argument extract the bit of a channel from it.
static inline uint32_t bgl_gi_status(void) {
  return bgl_access_read_word(bgl_gi_register(BGL_GI_STATUS_OFFSET));
}
static inline int bgl_gi_bit(uint32_t status, unsigned channel, unsigned shift) {
  return (int)(status >> (shift + BGL_GI_CHANNELS - 1u - channel) & 1u);
}
static inline int bgl_gi_permitted(uint32_t status, unsigned channel) {
  return bgl_gi_bit(status, channel, BGL_GI_STATUS_USER_SHIFT);
}
static inline int bgl_gi_received(uint32_t status, unsigned channel) {
  return bgl_gi_bit(status, channel, BGL_GI_STATUS_RECEIVED_SHIFT);
}
static inline int bgl_gi_interrupted(uint32_t status, unsigned channel) {
  return bgl_gi_bit(status, channel, BGL_GI_STATUS_INTERRUPT_SHIFT);
}
/// Whether the channel is sticky, for AND.
static inline int bgl_gi_is_and(uint32_t status, unsigned channel) {
  return bgl_gi_bit(status, channel, BGL_GI_STATUS_MODE_SHIFT) && bgl_gi_bit(status, channel, BGL_GI_STATUS_TYPE_SHIFT);
}

/// Makes the channel direct; it sends `level`.
static inline void bgl_gi_set_direct(unsigned channel, unsigned level) {
  bgl_access_write_word(bgl_gi_register(BGL_GI_DIRECT_OFFSET + channel * BGL_GI_DIRECT_STRIDE), level);
}
/// Makes the channel sticky, of type BGL_GI_OR or BGL_GI_AND, and not fired.
static inline void bgl_gi_set_type(unsigned channel, unsigned type) {
  bgl_access_write_word(bgl_gi_register(BGL_GI_TYPE_OFFSET + channel * BGL_GI_TYPE_STRIDE), type);
}
static inline void bgl_gi_fire(unsigned channel) {
  bgl_access_write_word(bgl_gi_register(BGL_GI_CONTROL_OFFSET + channel * BGL_GI_CONTROL_STRIDE), 1);
}
/// Clears the interrupt bit, and cancels a firing that is not complete.
static inline void bgl_gi_clear(unsigned channel) {
  bgl_access_write_word(bgl_gi_register(BGL_GI_CONTROL_OFFSET + channel * BGL_GI_CONTROL_STRIDE), 0);
}

#endif  // TOROID_DRIVERS_BGL_GLOBAL_INTERRUPT_H_
