// SPDX-License-Identifier: Apache-2.0
#include "hw/core/device_bus.h"

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

}  // namespace

DeviceBus::Answer DeviceBus::access(tlm::tlm_command command, std::uint64_t address, unsigned size,
                                    std::uint8_t* data) {
  const sc_time at = time_.time();
  sc_time delay = at > sc_time_stamp() ? at - sc_time_stamp() : sc_core::SC_ZERO_TIME;
  access_.begin(command, windows_.bus_address(address), size, data);
  socket_->b_transport(access_.payload, delay);
  time_.act_from(at);
  Answer answer;
  answer.refused = access_.payload.is_response_error();
  const sc_time done = sc_time_stamp() + delay;
  if (done == at) return answer;
  const CoreCycle issued = time_.now();
  time_.reach(time_.first_cycle_at(done));
  answer.delay = time_.now() - issued;
  return answer;
}

std::string DeviceBus::refusal() const {
  return access_.reason.text.empty() ? name_of_response(access_.payload.get_response_status()) : access_.reason.text;
}

unsigned DeviceBus::peek(std::uint64_t address, std::uint8_t* data, unsigned size, std::string& reason) {
  Transaction transaction(core_);
  transaction.begin(tlm::TLM_READ_COMMAND, windows_.bus_address(address), size, data);
  const unsigned done = socket_->transport_dbg(transaction.payload);
  const std::string& why = transaction.reason.text;
  if (done == 0) reason = why.empty() ? "there is no register that can be read without a side effect" : why;
  return done;
}

}  // namespace toroid
