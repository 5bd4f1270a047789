// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <tlm>

#include "nic/bgl/global_interrupt_regs.h"
#include "nic/common/change_log.h"
#include "nic/common/watched_device.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/base/network_clock.h"

namespace toroid {

/// The global interrupts of a Blue Gene/L node: the levels that its cores send to the four channels, and the state that
/// they read.
///
/// A direct channel sends the level that is written to it. A sticky channel sends the idle level of its type (AND: 1,
/// OR: 0) until it is fired, then the other level until that comes back from the root: for AND when all nodes have
/// fired, for OR when any has. When it arrives, whether the node has fired or not, the channel's interrupt is set until
/// it is cleared, and the node sends the idle level again. If a channel is fired while the other level is still present
/// from the previous time, its interrupt is set at once; so software must wait for the idle level, or alternate between
/// two channels.
///
/// The system view may change everything; the user view only channels that the system view has permitted.
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
class GlobalInterruptDevice : public sc_core::sc_module, public WatchedDevice, private GlobalInterruptPort {
 public:
  static constexpr unsigned kChannels = BGL_GI_DIRECT_COUNT;
  enum class View : std::uint8_t { system, user };

  tlm_utils::simple_target_socket<GlobalInterruptDevice, 32> bus_in;  ///< both views; BusMaster identifies the core

  /// The device of node `node`.
  GlobalInterruptDevice(const sc_core::sc_module_name& name, GlobalInterrupts& network, std::uint32_t node,
                        NetworkClock& clock);

  // WatchedDevice.
  bool is_pure_read(std::uint64_t address) const override;
  const sc_core::sc_event& changed() const override { return changes_.changed(); }
  sc_core::sc_time last_change() const override { return changes_.last(); }
  std::string name_of(std::uint64_t address) const override;

  /// Writes a register without the bus: for the kernel, at SystemC's present time or before the simulation starts.
  /// Returns the error; empty if there is none.
  std::string write(View view, std::uint32_t offset, std::uint32_t value);
  std::uint32_t status() const;

  /// One bit for each channel, channel 0 is the most significant of four: fired, and the answer has not arrived.
  std::uint32_t active() const { return active_; }
  bool fired(unsigned channel) const { return (active_ & bit(channel)) != 0; }
  /// Called on the wheel or within an access, when the interrupt bits of the status have changed.
  void on_interrupt(std::function<void()> callback) { interrupt_ = std::move(callback); }

 private:
  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);
  tlm::tlm_response_status perform(tlm::tlm_generic_payload& access, sc_core::sc_time& delay, std::string& reason);
  tlm::tlm_response_status try_write(View view, std::uint32_t offset, std::uint32_t value, std::string& reason);
  void level_received(unsigned channel, bool level) override;

  static std::uint32_t bit(unsigned channel) { return 8u >> channel; }
  /// The level of a sticky channel that is not fired.
  bool idle_level(unsigned channel) const { return (type_ & bit(channel)) != 0; }
  void set(std::uint32_t& bits, unsigned channel, bool value) const;
  void set_interrupt(unsigned channel, bool value);
  /// Sets a sticky channel's interrupt if the received level requires it.
  void look(unsigned channel);
  void reset(unsigned channel);

  GlobalInterrupts& network_;
  NetworkClock& clock_;
  const std::uint32_t node_;
  ChangeLog changes_;
  std::function<void()> interrupt_;
  // One bit for each channel, as in the status.
  std::uint32_t sticky_ = 0;
  std::uint32_t interrupts_ = 0;
  std::uint32_t active_ = 0;
  std::uint32_t type_ = 0;
  std::uint32_t user_ = 0;
  bool diagnostic_ = false;
  std::uint32_t core_errors_ = 0;  ///< the status' bits
};

}  // namespace toroid
