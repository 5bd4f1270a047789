// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tlm>

#include "hw/core/device_windows.h"
#include "hw/core/local_time.h"

namespace toroid {

/// Transactions of a core on the bus.
class DeviceBus {
 public:
  using Socket = tlm::tlm_initiator_socket<32>;

  DeviceBus(Socket& socket, const DeviceWindows& windows, LocalTime& time, unsigned core)
      : socket_(socket), windows_(windows), time_(time), core_(core) {}

  struct Answer {
    CoreCycle delay = 0;                 ///< what the device added
    std::optional<std::string> refusal;  ///< why it refused the access
  };
  /// Moves local time on by what the device adds.
  Answer access(tlm::tlm_command command, std::uint64_t address, unsigned size, std::uint8_t* data);
  /// What a load would give now, without a side effect and without taking time: the number of bytes, 0 if that cannot
  /// be read; `reason` then says why.
  unsigned peek(std::uint64_t address, std::uint8_t* data, unsigned size, std::string& reason);

 private:
  Socket& socket_;
  const DeviceWindows& windows_;
  LocalTime& time_;
  const unsigned core_;
};

}  // namespace toroid
