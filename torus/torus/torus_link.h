// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "torus/base/wheel.h"
#include "torus/torus/router.h"

namespace toroid {

/// What stands between the sender of a link and its receiver where that is more than a wire between C++ routers: error
/// control, a unit in Verilog, or the wire to a router that stands for one (RouterStandIn). It posts its events to
/// itself; they only note what has come, and the router has the link act on it in serve().
///
/// A sender with a TorusLink hands it each packet that is granted; whatever becomes of it then is the link's: it keeps
/// the sender's books (OutputPort) and hands the packet to the receiver.
template <typename F>
class BasicTorusLink : public WheelUnit {
 public:
  /// The link that leaves `router` by `port`.
  BasicTorusLink(BasicRouter<F>& router, unsigned port) : router_(router), port_(port) {}
  virtual ~BasicTorusLink() = default;
  BasicTorusLink(const BasicTorusLink&) = delete;
  BasicTorusLink& operator=(const BasicTorusLink&) = delete;

  /// A packet that was granted at cycle `begin` goes out for the first time; its tail leaves at `tail_left`. The
  /// packet's channel is the one it goes out on. A router in Verilog says so some cycles later than `begin`, when the
  /// link may be needed again for what is sent once more (never when it was held back at `begin`).
  virtual void send(Packet& packet, Cycle begin, Cycle tail_left) = 0;
  /// Called when the router settles, before it uses the link, if the link may have become free or has called
  /// serve_later(): acts on the events of this cycle. True if the link needs the wire itself, to send something again.
  virtual bool serve() { return false; }

  // What drivers and reports see of a link's error control; without one nothing. ------------------------------------
  virtual std::uint64_t crc_errors() const { return 0; }
  virtual std::uint64_t retransmissions() const { return 0; }
  /// Damaged packets that both CRCs took for good (about one in 2^24 of those hit by many bits): delivered as damaged,
  /// except for their header's fields.
  virtual std::uint64_t undetected() const { return 0; }
  /// Running checks of the two ends (DCRs +0x44..+0x49, +0x32..+0x37); 0 at the start and once cleared.
  virtual std::uint32_t sender_crc() const { return 0; }
  virtual std::uint32_t receiver_crc() const { return 0; }
  virtual void clear_sender_crc() {}
  virtual void clear_receiver_crc() {}
  /// Packets in the resend FIFO that the receiver has not accepted yet.
  virtual std::vector<const Packet*> unaccepted() const { return {}; }
  /// Resend FIFO pointers (DCRs +0x4A..+0x4C): sequence number of its first packet and of the next one to come.
  virtual std::uint8_t begin() const { return 0; }
  virtual std::uint8_t end() const { return 0; }
  /// Time-out of the sender (DCRs +0x08..+0x0A), network cycles.
  virtual unsigned timeout() const { return 0; }
  virtual void set_timeout(unsigned /*cycles*/) {}
  /// Host memory beyond the object's own, in bytes.
  virtual std::size_t memory_bytes() const { return sizeof(*this); }

 protected:
  const RouterContext<F>& context() const { return *router_.context_; }
  BasicRouter<F>& router() const { return router_; }
  unsigned port() const { return port_; }
  Cycle now() const { return router_.now(); }
  OutputPort<F>& out() const { return router_.outputs_[port_]; }

  /// Books a transmission of `chunks`, first or repeated.
  void occupy(unsigned chunks, Cycle begin, Cycle tail_left);
  /// The header is in the receiver at cycle `header_at`.
  void hand_over(Packet& packet, Cycle header_at) { router_.hand_over(port_, packet, header_at); }
  /// The same, now.
  void arrives(Packet& packet);
  /// The routers at both ends are C++ models. One in Verilog says late what it sends, and wants early what comes.
  bool between_models() const;
  /// For traces.
  void tell_sent(const Packet& packet, Cycle begin, Cycle tail_left, bool damaged) const;
  /// Lets the sender's router grant nothing, or again from the time on when it next serves the link.
  void hold_back(bool hold) { out().held_back = hold; }
  /// Has serve() called after the events of this cycle.
  void serve_later() { router_.settle_link_events(port_); }
  /// The same, and has the link allocated: it is not held back any more since this cycle.
  void released() { router_.settle_link(port_); }
  /// The same when the link is free.
  void wake_when_free() { router_.wake_link(port_); }

 private:
  friend class BasicTorusNetwork<F>;

  BasicRouter<F>& router_;
  const unsigned port_;
};

/// A plain wire, without errors, to a router that is none of the C++ model's.
template <typename F>
class BasicTorusWire final : public BasicTorusLink<F> {
 public:
  using BasicTorusLink<F>::BasicTorusLink;
  void send(Packet& packet, Cycle begin, Cycle tail_left) override;
  void on_event(std::uint32_t, std::uint32_t) override {}
};

}  // namespace toroid
