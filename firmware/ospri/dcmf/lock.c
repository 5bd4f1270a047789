// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/dcmf/lock.h"

#include "firmware/ospri/dcmf/thread.h"

enum {
  LOOK_AGAIN = 20,  // cycles between two looks at a lock that is taken
  GIVE_WAY = 40     // for the others to see that it is free
};

// Threads draw tickets and get the lock in their order: a helper that takes it in each of its turns could otherwise
// keep a thread from ever seeing it free.
void ospri_lock_word(void) {
  const uint32_t ticket = __atomic_fetch_add(&ospri.lock_tickets, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(&ospri.lock_word, __ATOMIC_ACQUIRE) != ticket) ospri_pause(LOOK_AGAIN);
}

void ospri_unlock_word(void) {
  __atomic_store_n(&ospri.lock_word, ospri.lock_word + 1, __ATOMIC_RELEASE);
}

void ospri_cycle_word(void) {
  ospri_unlock_word();
  ospri_pause(GIVE_WAY);
  ospri_lock_word();
}
