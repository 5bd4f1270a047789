// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace toroid {

/// Waits an initiator's time offset out. Only then is everything done that other initiators do before its access.
inline void wait_out(sc_core::sc_time& delay) {
  if (delay == sc_core::SC_ZERO_TIME) return;
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
}

}  // namespace toroid
