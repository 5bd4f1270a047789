// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include "hw/core/device_windows.h"
#include "hw/core/local_time.h"
#include "nic/common/bus_master.h"
#include "nic/common/fault_reason.h"

namespace toroid {

/// Transactions of a core on the bus.
class DeviceBus {
 public:
  using Socket = tlm::tlm_initiator_socket<32>;

  DeviceBus(Socket& socket, const DeviceWindows& windows, LocalTime& time, unsigned core)
      : socket_(socket), windows_(windows), time_(time), core_(core), access_(core) {}

  struct Answer {
    CoreCycle delay = 0;  ///< what the device added
    bool refused = false;
  };
  /// Moves local time on by what the device adds. One access at a time.
  Answer access(tlm::tlm_command command, std::uint64_t address, unsigned size, std::uint8_t* data);
  /// Why the device refused the last access.
  std::string refusal() const;
  /// What a load would give now, without a side effect and without taking time: the number of bytes, 0 if that cannot
  /// be read; `reason` then says why.
  unsigned peek(std::uint64_t address, std::uint8_t* data, unsigned size, std::string& reason);

 private:
  /// A payload and its extensions, which it must let go of before they go.
  class Transaction {
   public:
    explicit Transaction(unsigned core) {
      master_.core = core;
      payload.set_extension(&reason);
      payload.set_extension(&master_);
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction() {
      payload.clear_extension(&master_);
      payload.clear_extension(&reason);
    }
    void begin(tlm::tlm_command command, std::uint64_t address, unsigned size, std::uint8_t* data) {
      payload.set_command(command);
      payload.set_address(address);
      payload.set_data_ptr(data);
      payload.set_data_length(size);
      payload.set_streaming_width(size);
      payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      reason.text.clear();
    }

    tlm::tlm_generic_payload payload;
    FaultReason reason;

   private:
    BusMaster master_;
  };

  Socket& socket_;
  const DeviceWindows& windows_;
  LocalTime& time_;
  const unsigned core_;
  Transaction access_;  ///< used again and again: making one costs as much as an access
};

}  // namespace toroid
