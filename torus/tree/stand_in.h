// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/tree/router.h"

namespace toroid {

/// Does the work of one tree router in the place of the C++ model: an adapter to a router in Verilog.
///
/// The model's object stays, with its books: who waits where, tokens, counters, error control of its links, what
/// drivers and reports see of them. The stand-in decides, says what it has done, and this class enters that into the
/// books and tells neighbours and the device. So all that looks at a router looks at one of either kind.
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
  void settings_changed();

 protected:
  /// Cycles from a packet's first word being at the node to its taking part in arbitration; by so much earlier the
  /// stand-in is told of it. From a channel, and from the device.
  virtual unsigned receiver_cycles() const = 0;
  virtual unsigned injection_cycles() const = 0;

  /// Something happens at the node in this cycle.
  virtual void event_begins() = 0;
  /// In this cycle the packet's first word is there. It is the last of its queue in the books.
  virtual void packet_came(const TreePacket& packet, unsigned vc, unsigned port) = 0;
  virtual void token_came(unsigned vc, unsigned port) = 0;
  /// A driver has changed what descriptors() and the like say, in the cycle before this one.
  virtual void new_settings() = 0;
  /// All has been said. Error control may have changed held() and free_at().
  virtual void event_ends() = 0;

  TreeContext& context() const { return *router_.context_; }
  Cycle now() const { return router_.context_->wheel->now(); }
  /// Ports that are there, as a mask.
  unsigned ports() const { return router_.existing(0xFFFF, tree_source); }
  TreePacket* head(unsigned vc, unsigned port) const { return router_.inputs_[vc][port].head; }
  /// Bit vc: the error control of the channel's link takes no packets.
  std::uint8_t held(unsigned channel) const { return router_.outputs_[channel].held; }
  Cycle free_at(unsigned port) const { return router_.outputs_[port].free_at; }

  // What the stand-in has done. ---------------------------------------------------------------------------------------
  using Move = TreeRouter::Move;
  /// What the rules of descriptors make of the head of a port; false where it must wait for others.
  bool expected(unsigned vc, unsigned port, Move& move) const { return router_.find_move(vc, port, move); }
  /// Heads have been granted their outputs in cycle `at`, not later than the present one: makes one packet of them,
  /// which is the stand-in's now, and takes the tokens.
  TreePacket& granted(unsigned vc, const Move& move, Cycle at);
  /// The packet's first word is on its way out since cycle `start`, as the model counts (TreeRouter::send). It is the
  /// link's then; one for the device stays the stand-in's.
  void begins(TreePacket& packet, unsigned vc, unsigned port, Cycle start) {
    router_.begin_to_send(packet, vc, port, start);
  }
  /// The device has it; its last byte counts at cycle `at`.
  void delivered(TreePacket& packet, unsigned vc, Cycle at);
  /// A token for the queue of `channel` counts at the neighbour at cycle `at`.
  void gave_back(unsigned vc, unsigned channel, Cycle at);

 private:
  TreeRouter& router_;
};

}  // namespace toroid
