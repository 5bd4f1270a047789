// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/counter_lockbox.h"

#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"
#include "nic/common/register_bank.h"
#include "nic/common/time_offset.h"

namespace toroid {
namespace {

constexpr std::uint32_t kOperationBytes = BGP_LOCKBOX_INCREMENT_OFFSET - BGP_LOCKBOX_COUNTER_OFFSET;
static_assert(kOperationBytes == BGP_LOCKBOX_COUNTER_COUNT * BGP_LOCKBOX_COUNTER_STRIDE);

}  // namespace

CounterLockbox::CounterLockbox(const sc_core::sc_module_name& name, std::uint64_t base)
    : sc_module(name), bus_in("bus_in"), base_(base), changed_("changed") {
  bus_in.register_b_transport(this, &CounterLockbox::b_transport);
  bus_in.register_transport_dbg(this, &CounterLockbox::transport_dbg);
}

CounterLockbox::Place CounterLockbox::place_of(std::uint64_t address) const {
  const auto offset = static_cast<std::uint32_t>(address - base_);
  const std::uint32_t in_block = offset % BGP_LOCKBOX_GROUP_STRIDE;
  return {offset / BGP_LOCKBOX_GROUP_STRIDE * kCountersABlock + in_block % kOperationBytes / BGP_LOCKBOX_COUNTER_STRIDE,
          in_block / kOperationBytes * kOperationBytes};
}

bool CounterLockbox::is_pure_read(std::uint64_t address) const {
  return address - base_ < kBytes && place_of(address).operation == BGP_LOCKBOX_COUNTER_OFFSET;
}

std::string CounterLockbox::name_of(std::uint64_t address) const {
  return "lockbox counter " + std::to_string(place_of(address).counter);
}

tlm::tlm_response_status CounterLockbox::check(const tlm::tlm_generic_payload& access, std::string& reason) const {
  if (access.get_data_length() != 4 || (access.get_address() - base_) % 4 != 0 ||
      access.get_byte_enable_ptr() != nullptr || access.get_streaming_width() < 4) {
    reason = "access of " + std::to_string(access.get_data_length()) +
             " bytes to the lockbox, which takes aligned words of 4 bytes only";
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  if (access.get_address() - base_ >= kBytes) {
    reason = "access outside the lockbox's " + std::to_string(kCounters) + " counters";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  const Place place = place_of(access.get_address());
  if (!access.is_read() && !(access.is_write() && place.operation == BGP_LOCKBOX_COUNTER_OFFSET)) {
    reason = "write to lockbox counter " + std::to_string(place.counter) +
             " where only reads have a meaning; its value is set by a write to its first address";
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

void CounterLockbox::b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  std::string reason;
  const tlm::tlm_response_status response = check(access, reason);
  if (!respond(access, response, reason)) return;
  // Only now is everything done that other cores do before this access.
  wait_out(delay);
  const Place place = place_of(access.get_address());
  if (access.is_write()) {
    set(place.counter, load_word<std::uint32_t>(access.get_data_ptr()));
    return;
  }
  const std::uint32_t value = values_[place.counter];
  store_word<std::uint32_t>(access.get_data_ptr(), value);
  switch (place.operation) {
    case BGP_LOCKBOX_INCREMENT_OFFSET:
      return set(place.counter, value + 1);
    case BGP_LOCKBOX_DECREMENT_OFFSET:
      return set(place.counter, value - 1);
    case BGP_LOCKBOX_CLEAR_OFFSET:
      return set(place.counter, 0);
    default:
      return;
  }
}

unsigned CounterLockbox::transport_dbg(tlm::tlm_generic_payload& access) {
  return debug_read<4>(access, [this](std::uint64_t address, std::uint8_t* word, std::string& reason) {
    if (!is_pure_read(address)) {
      reason = "a read there changes the counter";
      return false;
    }
    store_word<std::uint32_t>(word, values_[place_of(address).counter]);
    return true;
  });
}

void CounterLockbox::set(unsigned number, std::uint32_t value) {
  if (values_[number] == value) return;
  values_[number] = value;
  last_change_ = sc_core::sc_time_stamp();
  changed_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace toroid
