// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "hw/io/io_port.h"
#include "hw/kernel/system_call.h"

namespace toroid {

/// The calls of a process that its I/O node performs.
class ShippedCalls {
 public:
  /// `port` is kept by reference.
  ShippedCalls(IoPort& port, std::uint32_t rank) : port_(port), rank_(rank) {}

  /// Ships a request of `call` and waits for the answer, whose data goes to `to`, as much as `room` holds. Without an
  /// answer the core stops, and the result means nothing.
  CallResult ship(const Call& call, IoRequest request, std::uint8_t* to = nullptr, std::uint64_t room = 0);
  /// The call for whose answer `core` waits, or nullptr.
  const char* awaited(const Core& core) const;
  /// Waits until no call is under way, and lets none begin. False where `core` has stopped meanwhile.
  bool close(Core& core) { return port_.close(core); }
  void open() { port_.open(); }
  const IoTraffic& traffic() const { return traffic_; }

 private:
  IoPort& port_;
  const std::uint32_t rank_;
  IoTraffic traffic_;
  std::map<const Core*, const char*> awaited_;
};

}  // namespace toroid
