// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "nic/common/watched_device.h"

namespace toroid {

/// On-chip memory that the cores of a node share and do not cache: what they tell each other goes through it.
///
/// Aligned accesses of 1, 2, 4, 8 or 16 bytes; each is one whole and takes effect at its own simulated time: the
/// transport waits the initiator's offset out. Costs of accesses are the core's.
///
/// Errors, with a FaultReason:
///   other sizes, or misaligned           TLM_BURST_ERROR_RESPONSE
///   outside                              TLM_ADDRESS_ERROR_RESPONSE
class Sram : public sc_core::sc_module, public WatchedDevice {
 public:
  tlm_utils::simple_target_socket<Sram, 32> bus;

  /// `size` bytes from physical address `base` on, zero at the start.
  Sram(const sc_core::sc_module_name& name, std::uint64_t base, std::uint32_t size);

  // WatchedDevice. A write that changes nothing is no change.
  bool is_pure_read(std::uint64_t address) const override { return address - base_ < bytes_.size(); }
  const sc_core::sc_event& changed() const override { return changed_; }
  sc_core::sc_time last_change() const override { return last_change_; }
  std::string name_of(std::uint64_t address) const override;

 private:
  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);

  const std::uint64_t base_;
  std::vector<std::uint8_t> bytes_;
  sc_core::sc_event changed_;
  sc_core::sc_time last_change_;
};

}  // namespace toroid
