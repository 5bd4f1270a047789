// SPDX-License-Identifier: Apache-2.0
#include "hw/core/device_bus.h"

#include "nic/common/bus_master.h"
#include "nic/common/fault_reason.h"

namespace toroid {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

namespace {

std::string name_of_response(tlm::tlm_response_status status) {
  switch (status) {
    case tlm::TLM_ADDRESS_ERROR_RESPONSE:
      return "no such register";
    case tlm::TLM_COMMAND_ERROR_RESPONSE:
      return "access in a direction the register does not have";
    case tlm::TLM_BURST_ERROR_RESPONSE:
      return "access of a size the register does not have";
    case tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE:
      return "byte enables the register does not have";
    case tlm::TLM_INCOMPLETE_RESPONSE:
      return "no answer";
    default:
      return "refused by the device";
  }
}

/// A payload and its extensions, which it must let go of however the access ends.
class Transaction {
 public:
  Transaction(tlm::tlm_command command, std::uint64_t address, unsigned size, std::uint8_t* data, unsigned core) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(size);
    payload.set_streaming_width(size);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
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

  tlm::tlm_generic_payload payload;
  FaultReason reason;

 private:
  BusMaster master_;
};

}  // namespace

DeviceBus::Answer DeviceBus::access(tlm::tlm_command command, std::uint64_t address, unsigned size,
                                    std::uint8_t* data) {
  const sc_time at = time_.time();
  sc_time delay = at > sc_time_stamp() ? at - sc_time_stamp() : sc_core::SC_ZERO_TIME;
  Transaction transaction(command, windows_.bus_address(address), size, data, core_);
  socket_->b_transport(transaction.payload, delay);
  const CoreCycle issued = time_.now();
  time_.reach(time_.first_cycle_at(sc_time_stamp() + delay));
  Answer answer;
  answer.delay = time_.now() - issued;
  if (transaction.payload.is_response_error()) {
    const std::string& why = transaction.reason.text;
    answer.refusal = why.empty() ? name_of_response(transaction.payload.get_response_status()) : why;
  }
  return answer;
}

unsigned DeviceBus::peek(std::uint64_t address, std::uint8_t* data, unsigned size, std::string& reason) {
  Transaction transaction(tlm::TLM_READ_COMMAND, windows_.bus_address(address), size, data, core_);
  const unsigned done = socket_->transport_dbg(transaction.payload);
  const std::string& why = transaction.reason.text;
  if (done == 0) reason = why.empty() ? "there is no register that can be read without a side effect" : why;
  return done;
}

}  // namespace toroid
