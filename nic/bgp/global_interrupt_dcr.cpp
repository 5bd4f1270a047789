// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/global_interrupt_dcr.h"

#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"
#include "nic/common/pending_work.h"
#include "nic/common/register_bank.h"
#include "nic/common/time_offset.h"

namespace toroid {
namespace {

using Registers = GlobalInterruptRegisters;
static_assert(BGP_GI_DCR_DIRECT_OFFSET == Registers::kDirect && BGP_GI_DCR_READ_MODE_OFFSET == Registers::kReadMode &&
                  BGP_GI_DCR_RESET_OFFSET == Registers::kReset &&
                  BGP_GI_DCR_USER_PERMIT_OFFSET == Registers::kUserPermit &&
                  BGP_GI_DCR_CONTROL_OFFSET == Registers::kControl && BGP_GI_DCR_TYPE_OFFSET == Registers::kType,
              "registers have their numbers");
static_assert(BGP_GI_DCR_STATUS_MODE_SHIFT == Registers::kModeShift &&
                  BGP_GI_DCR_STATUS_INTERRUPT_SHIFT == Registers::kInterruptShift &&
                  BGP_GI_DCR_STATUS_ACTIVE_SHIFT == Registers::kActiveShift &&
                  BGP_GI_DCR_STATUS_TYPE_SHIFT == Registers::kTypeShift &&
                  BGP_GI_DCR_STATUS_READ_MODE_SHIFT == Registers::kReadModeShift &&
                  BGP_GI_DCR_STATUS_RECEIVED_SHIFT == Registers::kReceivedShift &&
                  BGP_GI_DCR_STATUS_USER_SHIFT == Registers::kUserShift &&
                  BGP_GI_DCR_STATUS_SENT_SHIFT == Registers::kSentShift,
              "fields of the status have their places");

}  // namespace

GlobalInterruptDcr::GlobalInterruptDcr(const sc_core::sc_module_name& name, std::uint64_t base,
                                       GlobalInterrupts& network, std::uint32_t node, NetworkClock& clock)
    : sc_module(name), bus_in("bus_in"), base_(base), clock_(clock), registers_(network, node, clock) {
  bus_in.register_b_transport(this, &GlobalInterruptDcr::b_transport);
  bus_in.register_transport_dbg(this, &GlobalInterruptDcr::transport_dbg);
}

bool GlobalInterruptDcr::is_pure_read(std::uint64_t address) const {
  return !registers_.is_diagnostic() && is_dcr(static_cast<std::uint32_t>((address - base_) / 4));
}

std::string GlobalInterruptDcr::name_of(std::uint64_t) const {
  return "the status of the global interrupts";
}

void GlobalInterruptDcr::b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  std::string reason;
  const tlm::tlm_response_status response = perform(access, delay, reason);
  if (respond(access, response, reason)) return;
  violation_ = BGP_GI_DCR_STATUS_VIOLATION_MASK;
}

tlm::tlm_response_status GlobalInterruptDcr::perform(tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                                     std::string& reason) {
  if (access.get_data_length() != 4 || access.get_byte_enable_ptr() != nullptr || access.get_streaming_width() < 4) {
    reason = "access of " + std::to_string(access.get_data_length()) + " bytes to a control register";
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const auto number = static_cast<std::uint32_t>((access.get_address() - base_) / 4);
  if (!is_dcr(number)) {
    reason = "access to " + dcr_text(number) +
             ", which is the kernel's; programs have those of the global interrupts, and ask the kernel for others";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  // Only now all earlier events are known.
  wait_out(delay);
  clock_.sync_to(sc_core::sc_time_stamp());
  if (access.is_write()) {
    const auto value = load_word<std::uint32_t>(access.get_data_ptr());
    return registers_.write(View::user, number - BGP_GI_DCR_BASE, value, reason);
  }
  store_word<std::uint32_t>(access.get_data_ptr(), status());
  return tlm::TLM_OK_RESPONSE;
}

unsigned GlobalInterruptDcr::transport_dbg(tlm::tlm_generic_payload& access) {
  clock_.sync_to(sc_core::sc_time_stamp());
  return debug_read<4>(access, [this](std::uint64_t address, std::uint8_t* word, std::string& reason) {
    if (!is_dcr(static_cast<std::uint32_t>((address - base_) / 4))) {
      reason = "programs have the control registers of the global interrupts alone";
      return false;
    }
    store_word<std::uint32_t>(word, status());
    return true;
  });
}

std::string GlobalInterruptDcr::write(View view, std::uint32_t number, std::uint32_t value) {
  std::string reason;
  registers_.write(view, number - BGP_GI_DCR_BASE, value, reason);
  return reason;
}

}  // namespace toroid
