// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/dcmf/lock.h"

#include "firmware/ospri/dcmf/thread.h"

enum {
  LOOK_AGAIN = 20,  // cycles between two looks at a lock that is taken
  GIVE_WAY = 40     // for the others to see that it is free
};

void ospri_lock_word(void) {
  uint32_t* const word = &ospri.lock_word;
  while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE) != 0) {
    while (__atomic_load_n(word, __ATOMIC_RELAXED) != 0) ospri_pause(LOOK_AGAIN);
  }
}

void ospri_unlock_word(void) {
  __atomic_store_n(&ospri.lock_word, 0, __ATOMIC_RELEASE);
}

void ospri_cycle_word(void) {
  ospri_unlock_word();
  ospri_pause(GIVE_WAY);
  ospri_lock_word();
}
