// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "nic/common/watched_device.h"

namespace toroid {

/// What asks a node's cores for their attention: a level for each of them.
class InterruptLine {
 public:
  virtual ~InterruptLine() = default;

  /// Whether the line to a core is up at SystemC's present time.
  virtual bool interrupts(unsigned core) = 0;

  /// The line changes only together with one of these.
  virtual const std::vector<const WatchedDevice*>& sources() const = 0;
};

}  // namespace toroid
