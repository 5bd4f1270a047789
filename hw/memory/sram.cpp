// SPDX-License-Identifier: Apache-2.0
#include "hw/memory/sram.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "nic/common/fault_reason.h"
#include "nic/common/time_offset.h"

namespace toroid {

Sram::Sram(const sc_core::sc_module_name& name, std::uint64_t base, std::uint32_t size)
    : sc_module(name), bus("bus"), base_(base), bytes_(size), changed_("changed") {
  bus.register_b_transport(this, &Sram::b_transport);
  bus.register_transport_dbg(this, &Sram::transport_dbg);
}

std::string Sram::name_of(std::uint64_t address) const {
  char text[16];
  std::snprintf(text, sizeof text, "0x%04x", static_cast<unsigned>(address - base_));
  return std::string("the SRAM at offset ") + text;
}

unsigned Sram::transport_dbg(tlm::tlm_generic_payload& access) {
  const std::uint64_t offset = access.get_address() - base_;
  if (!access.is_read() || offset >= bytes_.size()) return 0;
  const auto size = static_cast<unsigned>(std::min<std::uint64_t>(access.get_data_length(), bytes_.size() - offset));
  std::memcpy(access.get_data_ptr(), bytes_.data() + offset, size);
  return size;
}

void Sram::b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  const std::uint64_t offset = access.get_address() - base_;
  const unsigned size = access.get_data_length();
  const bool whole = size != 0 && size <= 16 && (size & (size - 1)) == 0 && offset % size == 0;
  tlm::tlm_response_status response = tlm::TLM_OK_RESPONSE;
  std::string reason;
  if (!whole || access.get_byte_enable_ptr() != nullptr || access.get_streaming_width() < size) {
    response = tlm::TLM_BURST_ERROR_RESPONSE;
    reason =
        "access of " + std::to_string(size) + " bytes to the SRAM, which takes aligned ones of 1, 2, 4, 8 or 16 bytes";
  } else if (offset >= bytes_.size()) {
    response = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    reason = "access outside the SRAM's " + std::to_string(bytes_.size()) + " bytes";
  }
  if (!respond(access, response, reason)) return;

  // Only now is everything done that another core does before this access.
  wait_out(delay);
  std::uint8_t* const here = bytes_.data() + offset;
  if (access.is_read()) {
    std::memcpy(access.get_data_ptr(), here, size);
  } else if (access.is_write() && std::memcmp(here, access.get_data_ptr(), size) != 0) {
    std::memcpy(here, access.get_data_ptr(), size);
    last_change_ = sc_core::sc_time_stamp();
    changed_.notify(sc_core::SC_ZERO_TIME);
  }
  access.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace toroid
