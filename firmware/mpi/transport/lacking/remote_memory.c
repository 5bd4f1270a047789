// SPDX-License-Identifier: Apache-2.0
// For machines that do not access the memory of other processes: not by me.
#include "firmware/mpi/transport.h"

bool mpit_put(void* state, uint32_t peer, uintptr_t to, const mpit_place_t* from, mpit_done_t done, void* context) {
  (void)state, (void)peer, (void)to, (void)from, (void)done, (void)context;
  return false;
}

bool mpit_get(void* state, uint32_t peer, uintptr_t from, const mpit_place_t* to, mpit_done_t done, void* context) {
  (void)state, (void)peer, (void)from, (void)to, (void)done, (void)context;
  return false;
}
