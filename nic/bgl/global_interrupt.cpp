// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/global_interrupt.h"

#include "nic/common/bus_master.h"
#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"
#include "nic/common/register_bank.h"
#include "nic/common/time_offset.h"

namespace toroid {
namespace {

using Registers = GlobalInterruptRegisters;
constexpr std::uint32_t kStride = BGL_GI_DIRECT_STRIDE;
static_assert(kStride == BGL_GI_CONTROL_STRIDE && kStride == BGL_GI_TYPE_STRIDE);
static_assert(BGL_GI_DIRECT_OFFSET == Registers::kDirect * kStride &&
                  BGL_GI_READ_MODE_OFFSET == Registers::kReadMode * kStride &&
                  BGL_GI_RESET_OFFSET == Registers::kReset * kStride &&
                  BGL_GI_USER_PERMIT_OFFSET == Registers::kUserPermit * kStride &&
                  BGL_GI_CONTROL_OFFSET == Registers::kControl * kStride &&
                  BGL_GI_TYPE_OFFSET == Registers::kType * kStride,
              "registers have their numbers");
static_assert(BGL_GI_STATUS_MODE_SHIFT == Registers::kModeShift &&
                  BGL_GI_STATUS_INTERRUPT_SHIFT == Registers::kInterruptShift &&
                  BGL_GI_STATUS_ACTIVE_SHIFT == Registers::kActiveShift &&
                  BGL_GI_STATUS_TYPE_SHIFT == Registers::kTypeShift &&
                  BGL_GI_STATUS_READ_MODE_SHIFT == Registers::kReadModeShift &&
                  BGL_GI_STATUS_RECEIVED_SHIFT == Registers::kReceivedShift &&
                  BGL_GI_STATUS_USER_SHIFT == Registers::kUserShift &&
                  BGL_GI_STATUS_SENT_SHIFT == Registers::kSentShift,
              "fields of the status have their places");

constexpr std::uint64_t kViewBytes = BGL_GI_TYPE_OFFSET + BGL_GI_TYPE_COUNT * BGL_GI_TYPE_STRIDE;

}  // namespace

GlobalInterruptDevice::GlobalInterruptDevice(const sc_core::sc_module_name& name, GlobalInterrupts& network,
                                             std::uint32_t node, NetworkClock& clock)
    : sc_module(name), bus_in("bus_in"), clock_(clock), registers_(network, node, clock) {
  bus_in.register_b_transport(this, &GlobalInterruptDevice::b_transport);
  bus_in.register_transport_dbg(this, &GlobalInterruptDevice::transport_dbg);
}

bool GlobalInterruptDevice::is_pure_read(std::uint64_t address) const {
  // The level that leaves the node changes without a word to the device.
  return !registers_.is_diagnostic() && (address - BGL_GI_BASE) % BGL_GI_GROUP_STRIDE == BGL_GI_STATUS_OFFSET;
}

std::string GlobalInterruptDevice::name_of(std::uint64_t) const {
  return "the status of the global interrupts";
}

// Bus. ----------------------------------------------------------------------------------------------------------------

void GlobalInterruptDevice::b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  std::string reason;
  const tlm::tlm_response_status response = perform(access, delay, reason);
  if (respond(access, response, reason)) return;
  if (response != tlm::TLM_BURST_ERROR_RESPONSE) {
    const auto* master = access.get_extension<BusMaster>();
    core_errors_ |=
        master == nullptr || master->core == 0 ? BGL_GI_STATUS_CORE0_ERROR_MASK : BGL_GI_STATUS_CORE1_ERROR_MASK;
  }
}

tlm::tlm_response_status GlobalInterruptDevice::perform(tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                                        std::string& reason) {
  if (access.get_data_length() != 4 || access.get_address() % 4 != 0 || access.get_byte_enable_ptr() != nullptr ||
      access.get_streaming_width() < 4) {
    reason = "access of " + std::to_string(access.get_data_length()) +
             " bytes to the global interrupts, which take aligned words of 4 bytes only";
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const std::uint64_t at = access.get_address() - BGL_GI_BASE;
  const auto offset = static_cast<std::uint32_t>(at % BGL_GI_GROUP_STRIDE);
  if (at / BGL_GI_GROUP_STRIDE >= BGL_GI_GROUP_COUNT || offset >= kViewBytes) {
    reason = "access to the global interrupts where there is no register";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  // Only now all earlier events are known.
  wait_out(delay);
  clock_.sync_to(sc_core::sc_time_stamp());
  const View view = at / BGL_GI_GROUP_STRIDE == 0 ? View::system : View::user;
  if (access.is_write()) return try_write(view, offset, load_word<std::uint32_t>(access.get_data_ptr()), reason);
  if (!access.is_read() || offset != BGL_GI_STATUS_OFFSET) {
    reason = "read of a global interrupt register that can only be written; the status is the first word";
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  store_word(access.get_data_ptr(), status());
  return tlm::TLM_OK_RESPONSE;
}

unsigned GlobalInterruptDevice::transport_dbg(tlm::tlm_generic_payload& access) {
  clock_.sync_to(sc_core::sc_time_stamp());
  return debug_read<4>(access, [this](std::uint64_t address, std::uint8_t* word, std::string& reason) {
    if ((address - BGL_GI_BASE) % BGL_GI_GROUP_STRIDE != BGL_GI_STATUS_OFFSET) {
      reason = "of the global interrupts only the status can be read, the first word";
      return false;
    }
    store_word(word, status());
    return true;
  });
}

std::string GlobalInterruptDevice::write(View view, std::uint32_t offset, std::uint32_t value) {
  std::string reason;
  try_write(view, offset, value, reason);
  return reason;
}

tlm::tlm_response_status GlobalInterruptDevice::try_write(View view, std::uint32_t offset, std::uint32_t value,
                                                          std::string& reason) {
  // Between registers there is none.
  const unsigned number = offset % kStride == 0 ? offset / kStride : GlobalInterruptRegisters::kRegisters;
  return registers_.write(view, number, value, reason);
}

std::uint32_t GlobalInterruptDevice::status() const {
  return registers_.status() | core_errors_;
}

}  // namespace toroid
