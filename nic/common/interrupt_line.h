// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "nic/common/watched_device.h"

namespace toroid {

/// The interrupt line of each of a node's cores, as a level: high while an interrupt is pending.
class InterruptLine {
 public:
  virtual ~InterruptLine() = default;

  /// The groups of lines that interrupt a core at SystemC's present time, a bit each, of those enabled for it.
  virtual std::uint32_t interrupts(unsigned core) = 0;
  /// Whether any line is enabled for a core at SystemC's present time.
  virtual bool may_interrupt(unsigned core) const = 0;
  /// Sets which groups of lines interrupt a core. Returns false, and changes nothing, if there is no such group.
  virtual bool enable(unsigned core, std::uint32_t groups) = 0;

  /// The line changes only together with one of these.
  virtual const std::vector<const WatchedDevice*>& sources() const = 0;
};

}  // namespace toroid
