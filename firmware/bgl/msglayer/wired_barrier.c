// SPDX-License-Identifier: Apache-2.0
// The barrier over the global interrupts, for all ranks of a job: two AND channels, used alternately. A node that sees
// one complete knows that every node sends the idle level of the other one again, so no channel is fired too early
// (drivers/bgl/global_interrupt.h).
//
// In virtual node mode the two processes of a node synchronise first; then process 0 fires for both. By then both have
// seen the channel of the previous barrier complete, so its interrupt can be cleared.
#include "drivers/bgl/global_interrupt.h"
#include "drivers/bgl/lockbox.h"
#include "firmware/bgl/msglayer/activity.h"
#include "firmware/bgl/msglayer/state.h"

enum {
  CHANNELS = 2,
  POLLS = 4  ///< of the channel for each iteration of the advance loop, which takes about as long as all these polls
             ///< together
};

void bglml_wired_barrier_init(bglml_wired_barrier_t* barrier, bool all_take_part) {
  const uint32_t status = bgl_gi_status();
  barrier->usable = all_take_part;
  for (unsigned channel = 0; channel < CHANNELS; ++channel) {
    if (!bgl_gi_permitted(status, channel) || !bgl_gi_is_and(status, channel)) barrier->usable = false;
  }
  barrier->shared = bglml_instance->virtual_fifos.present;
  barrier->fires = !barrier->shared || bglml_instance->mapping.self.t == 0;
}

void bglml_wired_barrier(bglml_wired_barrier_t* barrier) {
  const unsigned channel = barrier->channel;
  barrier->channel = (uint8_t)(1 - channel);
  const bool says = toroid_activity.what == 0;  // who calls may have said more
  if (says) bglml_say_waiting("the barrier over global interrupts", 0, 0, 0, 0);
  // A process may end after a barrier, so its packets are sent first.
  while (bglml_instance->busy != 0) bglml_advance();
  // Messages progress meanwhile: others may need them before they reach the barrier.
  if (barrier->shared) {
    bgl_lockbox_arrive(BGLML_LOCK_BARRIER);
    while (bgl_lockbox_waits(BGLML_LOCK_BARRIER)) bglml_advance();
  }
  if (barrier->fires) {
    bgl_gi_clear(1 - channel);
    bgl_gi_fire(channel);
  }
  for (;;) {
    for (unsigned i = 0; i < POLLS; ++i) {
      if (bgl_gi_interrupted(bgl_gi_status(), channel)) {
        if (says) bglml_say_done();
        return;
      }
    }
    bglml_advance();
  }
}
