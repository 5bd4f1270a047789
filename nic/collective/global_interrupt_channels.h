// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "nic/common/change_log.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/base/network_clock.h"

namespace toroid {

/// The four global interrupt channels of a node, whatever registers its cores see of them.
///
/// A direct channel sends the level that it is given. A sticky channel sends the idle level of its type (AND: 1, OR: 0)
/// until it is fired, then the other level until that comes back from the root: for AND when all nodes have fired, for
/// OR when any has. When it arrives, whether the node has fired or not, the channel's interrupt is set until it is
/// cleared, and the node sends the idle level again. If a channel is fired while the other level is still present from
/// the previous time, its interrupt is set at once; so software must wait for the idle level, or alternate between two
/// channels.
class GlobalInterruptChannels final : private GlobalInterruptPort {
 public:
  static constexpr unsigned kChannels = GlobalInterrupts::kChannels;

  /// Those of node `node`; attaches to the network.
  GlobalInterruptChannels(GlobalInterrupts& network, std::uint32_t node, NetworkClock& clock);

  // All at the present cycle of the network.
  /// Makes the channel a direct one that sends `level`.
  void send(unsigned channel, bool level);
  /// Makes the channel a sticky one, for AND or for OR, that is neither fired nor has its interrupt set.
  void arm(unsigned channel, bool all);
  /// Ends the channel's interrupt. A sticky channel that is fired is fired no more.
  void clear(unsigned channel);
  /// The channel must be sticky.
  void fire(unsigned channel);
  /// Makes the channel a direct one that sends 0.
  void reset(unsigned channel);

  // One bit for each channel, channel 0 is the most significant of four.
  static std::uint32_t bit(unsigned channel) { return 8u >> channel; }
  std::uint32_t sticky() const { return sticky_; }
  std::uint32_t interrupts() const { return interrupts_; }
  /// Fired, and the answer has not arrived.
  std::uint32_t active() const { return active_; }
  bool fired(unsigned channel) const { return (active_ & bit(channel)) != 0; }
  /// Sticky for AND.
  std::uint32_t types() const { return type_; }
  std::uint32_t received() const;
  std::uint32_t sent() const;
  /// Levels that leave the node towards the root.
  std::uint32_t upward() const;

  /// Called on the wheel or within a call of the above, when interrupts() has changed.
  void on_interrupt(std::function<void()> callback) { interrupt_ = std::move(callback); }
  /// When any of this changes, but for upward().
  ChangeLog& changes() { return changes_; }
  const ChangeLog& changes() const { return changes_; }

 private:
  void level_received(unsigned channel, bool level) override;

  /// The level of a sticky channel that is not fired.
  bool idle_level(unsigned channel) const { return (type_ & bit(channel)) != 0; }
  static void set(std::uint32_t& bits, unsigned channel, bool value);
  void set_interrupt(unsigned channel, bool value);
  /// Sets a sticky channel's interrupt if the received level requires it.
  void look(unsigned channel);

  GlobalInterrupts& network_;
  NetworkClock& clock_;
  const std::uint32_t node_;
  ChangeLog changes_;
  std::function<void()> interrupt_;
  std::uint32_t sticky_ = 0;
  std::uint32_t interrupts_ = 0;
  std::uint32_t active_ = 0;
  std::uint32_t type_ = 0;
};

}  // namespace toroid
