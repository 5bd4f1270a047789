// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/torus/link.h"
#include "torus/torus/router.h"

namespace toroid {

/// Does the work of one router in the place of the C++ model: an adapter to a router in Verilog. What it meets is the
/// link protocol (link.h): packets come in by receiver(), tokens by sender().
///
/// The model's object stays, with its books: who waits where, tokens, counters, what drivers and reports see of them.
/// The stand-in decides, says what it has done, and this class enters that into the books and tells neighbours and the
/// device. So all that looks at a router looks at one of either kind.
template <typename F>
class BasicRouterStandIn {
 public:
  using Router = BasicRouter<F>;

  explicit BasicRouterStandIn(Router& router) : router_(router) {}
  virtual ~BasicRouterStandIn() = default;
  BasicRouterStandIn(const BasicRouterStandIn&) = delete;
  BasicRouterStandIn& operator=(const BasicRouterStandIn&) = delete;

  Router& router() const { return router_; }

  /// Takes the packets that come by the link at port `from`. A packet comes ahead of its time: `at` is the cycle
  /// at which its header is in the receiver; its first byte is at the node receiver_cycles before. Of its header only
  /// what the router that sends knows: hints and bytes may still be filled in as they come.
  virtual LinkForward& receiver(unsigned from) = 0;
  /// Takes the tokens that come back from the receiver behind `port`; `at` is the present cycle.
  virtual LinkBackward& sender(unsigned port) = 0;

  // From Router. ------------------------------------------------------------------------------------------------------
  /// The device has handed over a packet for `fifo`; write_packet() follows in time.
  virtual void injected(const Packet& packet, unsigned fifo) = 0;
  /// A driver has changed cut-offs or arbitration.
  virtual void settings_changed() = 0;
  void on_router_event(typename Router::Kind kind, unsigned port, std::uint32_t arg);
  /// After the events of a cycle, for the links of `ports` (bits).
  void settle_links(std::uint32_t ports);

 protected:
  /// The packet that was handed over for `fifo` is in it since the cycle before this one.
  virtual void write_packet(const Packet& packet, unsigned fifo) = 0;
  /// The device has freed chunks of reception FIFO `fifo`, usable in this cycle.
  virtual void reception_freed(unsigned fifo, unsigned chunks) = 0;

  RouterContext<F>& context() const { return *router_.context_; }
  /// Tokens that a packet of `chunks` takes on `channel`.
  static unsigned charge(unsigned channel, unsigned chunks) { return Router::charge(channel, chunks); }
  const OutputPort<F>& output(unsigned direction) const { return router_.outputs_[direction]; }
  std::uint32_t neighbour(unsigned direction) const { return router_.neighbours_[direction]; }

  /// The packet that the books have at the head of requester `requester` (Router), or nullptr if there is none.
  Packet* head(unsigned requester) const;

  // What the stand-in has done. `granted` is the cycle of the decision, at most 8 before the present one; a packet that
  // is granted keeps its link, or its input's way to the device, for W cycles from then on.
  /// The head of `requester` goes out in `direction` on `channel`. It is the link's then.
  void sent(unsigned direction, unsigned requester, unsigned channel, Cycle granted);
  /// The packet of injection FIFO `fifo` has been granted a link.
  void taken(unsigned fifo, Cycle granted);
  /// The head of transit queue `requester`, or a copy of it, goes to the device, by reception FIFO `fifo`. It returns
  /// the packet that the device got, and, in `at`, when it counts there.
  Packet& delivered(unsigned requester, unsigned fifo, bool copy, Cycle granted, Cycle& at);
  /// Tokens for the queue of `channel` of the link from `from` count at the neighbour's sender at cycle `at`.
  void gave_back(unsigned from, unsigned channel, unsigned tokens, Cycle at);

 private:
  void arrived(unsigned port, Packet& packet);
  void becomes_head(unsigned requester, const Packet& packet, Cycle at);
  void take_head(unsigned requester, Cycle tail_left);

  Router& router_;
};

}  // namespace toroid
