// SPDX-License-Identifier: Apache-2.0
#include "nic/collective/global_interrupt_registers.h"

namespace toroid {
namespace {

using Registers = GlobalInterruptRegisters;

bool is_of(unsigned number, unsigned first) {
  return number >= first && number < first + Registers::kChannels;
}

/// Registers that concern all channels at once.
bool is_common(unsigned number) {
  return number == Registers::kReadMode || number == Registers::kReset || number == Registers::kUserPermit;
}

std::string channel_name(unsigned channel) {
  return "global interrupt channel " + std::to_string(channel);
}

}  // namespace

tlm::tlm_response_status GlobalInterruptRegisters::check(View view, unsigned number, std::uint32_t value,
                                                         std::string& reason) const {
  const bool common = is_common(number);
  const unsigned channel = number % kChannels;
  if (!common && !is_of(number, kDirect) && !is_of(number, kControl) && !is_of(number, kType)) {
    reason = "write to the global interrupts where there is no register";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (view == View::user && common) {
    reason = "write to a global interrupt register that only the system view has";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (view == View::user && (user_ & GlobalInterruptChannels::bit(channel)) == 0) {
    reason = "write to " + channel_name(channel) + ", which the kernel does not permit in the user view";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  const bool channels = number == kReset || number == kUserPermit;
  if (value > (channels ? 0xFu : 1u)) {
    reason = "write of " + std::to_string(value) + " to a global interrupt register, which takes 0 to " +
             (channels ? "15" : "1");
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  if (is_of(number, kControl) && value == 1 && (channels_.sticky() & GlobalInterruptChannels::bit(channel)) == 0) {
    reason = channel_name(channel) + " fired, which is a direct one; write its type first";
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status GlobalInterruptRegisters::write(View view, unsigned number, std::uint32_t value,
                                                         std::string& reason) {
  const tlm::tlm_response_status response = check(view, number, value, reason);
  if (response != tlm::TLM_OK_RESPONSE) return response;
  const unsigned channel = number % kChannels;
  if (number == kReadMode) {
    diagnostic_ = value != 0;
  } else if (number == kUserPermit) {
    user_ = value;
  } else if (number == kReset) {
    for (unsigned i = 0; i < kChannels; ++i) {
      if ((value & GlobalInterruptChannels::bit(i)) != 0) channels_.reset(i);
    }
  } else if (is_of(number, kDirect)) {
    channels_.send(channel, value != 0);
  } else if (is_of(number, kType)) {
    channels_.arm(channel, value != 0);
  } else if (value == 0) {
    channels_.clear(channel);
  } else {
    channels_.fire(channel);
  }
  if (sc_core::sc_is_running()) channels_.changes().add(sc_core::sc_time_stamp());
  return response;
}

std::uint32_t GlobalInterruptRegisters::status() const {
  return channels_.sticky() << kModeShift | channels_.interrupts() << kInterruptShift |
         channels_.active() << kActiveShift | channels_.types() << kTypeShift |
         (diagnostic_ ? 1u << kReadModeShift : 0) | channels_.received() << kReceivedShift |
         (diagnostic_ ? channels_.upward() : user_) << kUserShift | channels_.sent() << kSentShift;
}

}  // namespace toroid
