// SPDX-License-Identifier: Apache-2.0
// For machines whose network does not match messages with receives: not by me.
#include "firmware/mpi/transport.h"

mpit_posted_t mpit_post(const mpit_envelope_t* wanted, const mpit_landing_t* landing) {
  (void)wanted, (void)landing;
  return MPIT_NOT_POSTED;
}

bool mpit_withdraw(void* state) {
  (void)state;
  return false;
}
