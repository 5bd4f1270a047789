// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace toroid {

/// What a node's devices tell a person who debugs a program on it: FIFOs, counters, whatever their registers show
/// piece by piece. Nothing that it tells changes the device.
class DeviceMonitor {
 public:
  virtual ~DeviceMonitor() = default;

  /// A line for each command, in two columns as gdb's `monitor help` prints them: 26 characters, then what it shows.
  virtual std::string help() const = 0;

  /// Answers a command, in lines of text; nullopt if it is no command of these devices. Wrong arguments are answered
  /// by a line that says what would be right.
  virtual std::optional<std::string> answer(const std::vector<std::string>& words) const = 0;
};

}  // namespace toroid
