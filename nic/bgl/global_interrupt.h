// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <tlm>

#include "nic/bgl/global_interrupt_regs.h"
#include "nic/collective/global_interrupt_registers.h"
#include "nic/common/watched_device.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/base/network_clock.h"

namespace toroid {

/// The global interrupts of a Blue Gene/L node: GlobalInterruptRegisters in two windows, one for each view.
///
/// Words at multiples of 4. An access takes effect at its own simulated time: b_transport waits for the initiator's
/// time offset. The core accounts for the cost of accesses.
///
/// Errors, each with a FaultReason; the last three set the core's error bit in the status:
///   not 4 bytes at a multiple of 4                        TLM_BURST_ERROR_RESPONSE
///   read of another register than the status              TLM_COMMAND_ERROR_RESPONSE
///   no register there, or not for this view or channel    TLM_ADDRESS_ERROR_RESPONSE
///   value that the register does not take, or a direct
///   channel fired                                         TLM_GENERIC_ERROR_RESPONSE
class GlobalInterruptDevice : public sc_core::sc_module, public WatchedDevice {
 public:
  static constexpr unsigned kChannels = GlobalInterruptRegisters::kChannels;
  using View = GlobalInterruptRegisters::View;

  tlm_utils::simple_target_socket<GlobalInterruptDevice, 32> bus_in;  ///< both views; BusMaster identifies the core

  /// The device of node `node`.
  GlobalInterruptDevice(const sc_core::sc_module_name& name, GlobalInterrupts& network, std::uint32_t node,
                        NetworkClock& clock);

  // WatchedDevice.
  bool is_pure_read(std::uint64_t address) const override;
  const sc_core::sc_event& changed() const override { return registers_.channels().changes().changed(); }
  sc_core::sc_time last_change() const override { return registers_.channels().changes().last(); }
  std::string name_of(std::uint64_t address) const override;

  /// Writes a register without the bus: for the kernel, at SystemC's present time or before the simulation starts.
  /// Returns the error; empty if there is none.
  std::string write(View view, std::uint32_t offset, std::uint32_t value);
  std::uint32_t status() const;

  const GlobalInterruptChannels& channels() const { return registers_.channels(); }
  /// Called on the wheel or within an access, when the interrupt bits of the status have changed.
  void on_interrupt(std::function<void()> callback) { registers_.channels().on_interrupt(std::move(callback)); }

 private:
  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);
  tlm::tlm_response_status perform(tlm::tlm_generic_payload& access, sc_core::sc_time& delay, std::string& reason);
  tlm::tlm_response_status try_write(View view, std::uint32_t offset, std::uint32_t value, std::string& reason);

  NetworkClock& clock_;
  GlobalInterruptRegisters registers_;
  std::uint32_t core_errors_ = 0;  ///< the status' bits
};

}  // namespace toroid
