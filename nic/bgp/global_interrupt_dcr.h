// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>

#include "nic/bgp/global_interrupt_regs.h"
#include "nic/collective/global_interrupt_registers.h"
#include "nic/common/watched_device.h"
#include "torus/base/network_clock.h"

namespace toroid {

/// The global interrupts of a Blue Gene/P node: GlobalInterruptRegisters as device control registers. Programs reach
/// them by instructions (mfdcrux, mtdcrux), in the user view; the kernel has the system view.
///
/// On the bus, words: control register n lies at 4 n from the base. Those of other devices are not for programs. An
/// access takes effect at its own simulated time: b_transport waits for the initiator's time offset. The core accounts
/// for the cost of accesses.
///
/// Errors, each with a FaultReason, as GlobalInterruptRegisters; an access to another device's register:
/// TLM_ADDRESS_ERROR_RESPONSE. All of them set VIOLATION in the status.
class GlobalInterruptDcr : public sc_core::sc_module, public WatchedDevice {
 public:
  using View = GlobalInterruptRegisters::View;

  tlm_utils::simple_target_socket<GlobalInterruptDcr, 32> bus_in;

  /// The device of node `node`; on the bus, control registers begin at `base`.
  GlobalInterruptDcr(const sc_core::sc_module_name& name, std::uint64_t base, GlobalInterrupts& network,
                     std::uint32_t node, NetworkClock& clock);

  // WatchedDevice.
  bool is_pure_read(std::uint64_t address) const override;
  const sc_core::sc_event& changed() const override { return registers_.channels().changes().changed(); }
  sc_core::sc_time last_change() const override { return registers_.channels().changes().last(); }
  std::string name_of(std::uint64_t address) const override;

  static bool is_dcr(std::uint32_t number) { return number - BGP_GI_DCR_BASE < GlobalInterruptRegisters::kRegisters; }
  /// For the kernel, at SystemC's present time or before the simulation starts.
  std::uint32_t status() const { return registers_.status() | violation_; }
  /// Returns the error; empty if there is none.
  std::string write(View view, std::uint32_t number, std::uint32_t value);

  const GlobalInterruptChannels& channels() const { return registers_.channels(); }

 private:
  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);
  tlm::tlm_response_status perform(tlm::tlm_generic_payload& access, sc_core::sc_time& delay, std::string& reason);

  const std::uint64_t base_;
  NetworkClock& clock_;
  GlobalInterruptRegisters registers_;
  std::uint32_t violation_ = 0;  ///< the status' bit
};

}  // namespace toroid
