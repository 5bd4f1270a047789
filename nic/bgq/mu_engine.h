// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "nic/bgq/mu_injector.h"
#include "nic/bgq/mu_network_fifos.h"
#include "nic/bgq/mu_receiver.h"
#include "nic/bgq/mu_state.h"
#include "torus/base/wheel.h"

namespace toroid {

/// The Messaging Unit of a node, without what connects it to SystemC: a unit on the network's wheel.
///
/// Everything that happens in a cycle - answers of memory, packets that come and go - only marks what has to be done;
/// settle() then does it in an order of its own. So nothing depends on the order of a cycle's events. Accesses of
/// software come between cycles, and what they start begins in the next one. A unit with nothing to do has posted
/// nothing.
class MuEngine : public WheelUnit {
 public:
  /// What has been posted for it.
  enum Event : std::uint32_t { kSettle, kTaken, kAnswered };

  MuEngine(const MuConfig& config, AnyTorusNetwork& network, std::uint32_t node, NetworkClock& clock,
           MuOutside& outside);

  MuState state;
  MuReceiver receiver;
  MuNetworkFifos network;
  MuInjector injector;

  /// Of a port to memory. At SystemC's present time.
  MemoryClient& client() { return answers_; }

  // The router, ahead of the cycle of which it speaks.
  void packet_received(Packet& packet, unsigned engine) { receiver.arrived(packet, engine); }
  void injection_taken(unsigned fifo, unsigned chunks, Cycle at);

  // Control registers, by their addresses in the user's window.
  std::optional<std::uint64_t> read_dcr(std::uint64_t address) const;
  bool write_dcr(std::uint64_t address, std::uint64_t value);

  /// The four interrupts of a group's core, bit s: that of subgroup s. `aggregated`: those that also go to the global
  /// event aggregator.
  std::uint8_t interrupts(unsigned group) const;
  std::uint8_t aggregated(unsigned group) const;
  /// Some bit of a state register is enabled to interrupt.
  bool has_error() const;

  void on_event(std::uint32_t what, std::uint32_t arg) override;
  void settle() override;

 private:
  /// Memory's answers come outside the wheel.
  class Answers final : public MemoryClient {
   public:
    explicit Answers(MuEngine& engine) : engine_(engine) {}
    void memory_done(const MemoryAnswer& answer) override;

   private:
    MuEngine& engine_;
  };

  void reset(std::uint64_t parts);

  Answers answers_{*this};
  std::array<std::uint16_t, kMuEngines> taken_chunks_{};
  std::uint32_t taken_ = 0;  ///< bit f: the packet of network FIFO f is out, this cycle
  Cycle settles_ = kNever;   ///< the cycle in which settle() has been asked for
};

}  // namespace toroid
