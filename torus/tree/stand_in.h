// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/tree/router.h"

namespace toroid {

/// Base class of a unit that replaces the C++ model of one tree router: an adapter to a router in Verilog.
///
/// The model's object remains, with its state: waiting packets, tokens, counters, error control of its links, and
/// everything that drivers and reports read. The stand-in makes the decisions and reports its actions; this class
/// updates the model's state and informs neighbours and the device. So code that inspects a router works with both
/// kinds.
class TreeStandIn {
 public:
  explicit TreeStandIn(TreeRouter& router) : router_(router) {}
  virtual ~TreeStandIn() = default;
  TreeStandIn(const TreeStandIn&) = delete;
  TreeStandIn& operator=(const TreeStandIn&) = delete;

  TreeRouter& router() const { return router_; }

  // From TreeNetwork and TreeRouter. ----------------------------------------------------------------------------------
  void take_over();
  void on_router_event(unsigned kind, unsigned vc, unsigned port, std::uint32_t arg);
  /// After the events of a cycle: error control acts on them.
  void settle();
  void settings_changed();

 protected:
  /// Cycles from the arrival of a packet's first word at the node until the packet takes part in arbitration; the
  /// stand-in is informed that much earlier. For packets from a channel, and from the device.
  virtual unsigned receiver_cycles() const = 0;
  virtual unsigned injection_cycles() const = 0;

  /// An event of this cycle follows. Those of a cycle come in any order.
  virtual void event_begins() = 0;
  /// The packet's first word arrives in this cycle. The model's state already has it as the last of its queue.
  virtual void packet_came(const TreePacket& packet, unsigned vc, unsigned port) = 0;
  virtual void token_came(unsigned vc, unsigned port) = 0;
  /// A driver has changed descriptors() or similar settings in the previous cycle.
  virtual void new_settings() = 0;
  /// The event has been reported, or error control has acted. It may have changed held() and free_at().
  virtual void event_ends() = 0;

  TreeContext& context() const { return *router_.context_; }
  Cycle now() const { return router_.context_->wheel->now(); }
  /// Mask of the existing ports.
  unsigned ports() const { return router_.existing(0xFFFF, tree_source); }
  TreePacket* head(unsigned vc, unsigned port) const { return router_.inputs_[vc][port].head; }
  /// Bit vc: the error control of the channel's link accepts no packets.
  std::uint8_t held(unsigned channel) const { return router_.outputs_[channel].held; }
  Cycle free_at(unsigned port) const { return router_.outputs_[port].free_at; }

  // What the stand-in has done. ---------------------------------------------------------------------------------------
  using Move = TreeRouter::Move;
  /// The move of a port's head according to the descriptors; returns false if it must wait for others.
  bool expected(unsigned vc, unsigned port, Move& move) const { return router_.find_move(vc, port, move); }
  /// Heads have been granted their outputs in cycle `at`, not later than the present one: combines them into one
  /// packet, which the stand-in then owns, and takes the tokens.
  TreePacket& granted(unsigned vc, const Move& move, Cycle at);
  /// The packet's first word leaves at cycle `start`, in the model's convention (TreeRouter::send). The link then owns
  /// the packet; a packet for the device remains with the stand-in.
  void begins(TreePacket& packet, unsigned vc, unsigned port, Cycle start) {
    router_.begin_to_send(packet, vc, port, start);
  }
  /// The device has received the packet; its last byte counts at cycle `at`.
  void delivered(TreePacket& packet, unsigned vc, Cycle at);
  /// A token for the queue of `channel` counts at the neighbour at cycle `at`.
  void gave_back(unsigned vc, unsigned channel, Cycle at);

 private:
  TreeRouter& router_;
};

}  // namespace toroid
