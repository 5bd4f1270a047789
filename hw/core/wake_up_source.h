// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace toroid {

/// The events of a chip that end the waits of its cores (EmulatedAccess::Event::of_chip).
class WakeUpSource {
 public:
  /// Whether an event of `core` is up, at SystemC's present time.
  virtual bool is_up(unsigned core) = 0;
  /// `core` begins to wait: from now on the result is notified when an event of it may have come up, until it ends its
  /// wait.
  virtual const sc_core::sc_event& begin_wait(unsigned core) = 0;
  virtual void end_wait(unsigned core) = 0;

 protected:
  ~WakeUpSource() = default;
};

}  // namespace toroid
