// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "nic/common/time_offset.h"
#include "torus/base/network_clock.h"

namespace toroid {

/// The access to a device's registers that is being served.
struct AccessUnderWay {
  unsigned core = 0;         ///< that makes it
  sc_core::sc_time happens;  ///< when

  /// Runs the network up to the access's time, and waits for that time unless nothing else can act before.
  void synchronise(NetworkClock& clock, sc_core::sc_time& delay) {
    if (delay == sc_core::SC_ZERO_TIME || !clock.run_alone(delay)) {
      const unsigned present = core;
      wait_out(delay);
      core = present;  // others may have come in meanwhile
      clock.sync_to(sc_core::sc_time_stamp());
    }
    happens = sc_core::sc_time_stamp() + delay;
  }
};

}  // namespace toroid
