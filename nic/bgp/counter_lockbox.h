// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>

#include "nic/bgp/lockbox_regs.h"
#include "nic/common/watched_device.h"

namespace toroid {

/// The Blue Gene/P lockbox: counters of 32 bits with atomic operations, which the address of an access chooses
/// (lockbox_regs.h).
///
/// Accesses of 4 bytes at multiples of 4; each takes effect at its own simulated time: b_transport waits for the
/// initiator's time offset. The core accounts for the cost of accesses.
///
/// Errors, each with a FaultReason:
///   not 4 bytes at a multiple of 4            TLM_BURST_ERROR_RESPONSE
///   write where only reads have a meaning     TLM_COMMAND_ERROR_RESPONSE
///   outside                                   TLM_ADDRESS_ERROR_RESPONSE
class CounterLockbox : public sc_core::sc_module, public WatchedDevice {
 public:
  static constexpr unsigned kCountersABlock = BGP_LOCKBOX_COUNTER_COUNT;
  static constexpr unsigned kCounters = BGP_LOCKBOX_GROUP_COUNT * kCountersABlock;
  static constexpr std::uint32_t kBytes = BGP_LOCKBOX_GROUP_COUNT * BGP_LOCKBOX_GROUP_STRIDE;

  tlm_utils::simple_target_socket<CounterLockbox, 32> bus_in;

  /// On the bus, its window begins at `base`.
  CounterLockbox(const sc_core::sc_module_name& name, std::uint64_t base);

  // WatchedDevice. Only a read that changes nothing is pure.
  bool is_pure_read(std::uint64_t address) const override;
  const sc_core::sc_event& changed() const override { return changed_; }
  sc_core::sc_time last_change() const override { return last_change_; }
  std::string name_of(std::uint64_t address) const override;

  /// Where counter `number` begins in the window.
  static std::uint32_t offset_of(unsigned number) {
    return number / kCountersABlock * BGP_LOCKBOX_GROUP_STRIDE + number % kCountersABlock * BGP_LOCKBOX_COUNTER_STRIDE;
  }
  // For the kernel, at SystemC's present time.
  std::uint32_t value(unsigned number) const { return values_[number]; }
  void set(unsigned number, std::uint32_t value);

 private:
  /// What the offset of an access means.
  struct Place {
    unsigned counter;
    unsigned operation;  ///< offset of the registers in a block
  };
  Place place_of(std::uint64_t address) const;

  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);
  tlm::tlm_response_status check(const tlm::tlm_generic_payload& access, std::string& reason) const;

  const std::uint64_t base_;
  std::array<std::uint32_t, kCounters> values_{};
  sc_core::sc_event changed_;
  sc_core::sc_time last_change_;
};

}  // namespace toroid
