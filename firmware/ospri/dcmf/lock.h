// SPDX-License-Identifier: Apache-2.0
/// The runtime's lock: none if only one thread ever calls, DCMF's critical section, or a word that is changed
/// atomically.
///
/// The word costs less. But DCMF and its other users know nothing of it: with it, all calls of DCMF must be OSPRI's.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_LOCK_H
#define TOROID_FIRMWARE_OSPRI_DCMF_LOCK_H

#include "firmware/ospri/dcmf/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The atomic lock. Waits by plain loads, so that waiting leaves the word's reservation alone.
void ospri_lock_word(void);
void ospri_unlock_word(void);

/// To be called between the calls of a waiting loop; lets other threads have the lock.
void ospri_cycle_word(void);

static inline void ospri_enter(void) {
  switch (ospri.lock_kind) {
    case OSPRI_LOCK_NONE:
      break;
    case OSPRI_LOCK_DCMF:
      DCMF_CriticalSection_enter(0);
      break;
    default:
      ospri_lock_word();
  }
}

static inline void ospri_exit(void) {
  switch (ospri.lock_kind) {
    case OSPRI_LOCK_NONE:
      break;
    case OSPRI_LOCK_DCMF:
      DCMF_CriticalSection_exit(0);
      break;
    default:
      ospri_unlock_word();
  }
}

static inline void ospri_cycle(void) {
  switch (ospri.lock_kind) {
    case OSPRI_LOCK_NONE:
      break;
    case OSPRI_LOCK_DCMF:
      DCMF_CriticalSection_cycle(0);
      break;
    default:
      ospri_cycle_word();
  }
}

#ifdef __cplusplus
}
#endif

#endif
