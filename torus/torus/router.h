// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "torus/base/wheel.h"
#include "torus/torus/local_port.h"
#include "torus/torus/packet.h"
#include "torus/torus/packet_pool.h"
#include "torus/torus/router_state.h"
#include "torus/torus/topology.h"

namespace toroid {

class Router;
class RouterStandIn;
class ProgressWatch;
class TorusObserver;

/// What all routers of one network share.
struct RouterContext {
  Wheel* wheel = nullptr;
  PacketPool* pool = nullptr;
  ProgressWatch* progress = nullptr;
  Router* routers = nullptr;  ///< by node number
  TorusObserver* observer = nullptr;
  const Topology* topology = nullptr;
  Cycle hop_cycles = 0;
  Cycle token_cycles = 0;
  Cycle injection_cycles = 0;
  Cycle reception_cycles = 0;
  std::uint16_t bubble_chunks = 0;
  std::uint8_t directions = 0;
  std::uint8_t fifos_per_group = 0;  ///< reception FIFOs: 2n+1
  /// Cycles on the wire by direction and chunks.
  std::array<std::array<std::uint16_t, kMaxChunks + 1>, kMaxDirections> wire_cycles{};

  // Conservation: injected + copied == received + in flight, at every cycle.
  std::uint64_t injected = 0;
  std::uint64_t copied = 0;    ///< made for the deposit bit
  std::uint64_t received = 0;  ///< handed to devices, copies included
  std::uint64_t hops = 0;
  std::uint64_t in_flight() const { return injected + copied - received; }
};

/// How a router's links choose (torus DCR +0x0B).
struct ArbitrationPhases {
  std::uint8_t fullness_cycles = 0;     ///< the fullest queue wins
  std::uint8_t random_cycles = 0;       ///< then a random one; not both 0
  std::uint8_t priority_injection = 0;  ///< chance, of 32, that priority injection goes before priority transit
};

/// What one router has done.
struct RouterCounters {
  std::uint64_t injected = 0;  ///< taken from its device
  std::uint64_t copied = 0;    ///< deposit copies made here
  std::uint64_t received = 0;  ///< handed to its device, copies included
};

/// One node's router: virtual cut-through, n dimensions, four virtual channels a link (Channel). It has no process; the
/// wheel calls it when a header arrives, when a link it wants becomes free, and when tokens come back.
///
/// - Flow control is by tokens. On the dynamic channels a packet takes one per chunk. On the bubble channels (BN, BP)
///   it takes a whole maximum packet's (kMaxChunks) whatever its size: counted in chunks, the one free packet slot
///   that keeps a ring moving could be broken into pieces by packets of different sizes, and the ring would stop.
/// - A dynamic packet takes, of the links that bring it nearer, the free one with most tokens on D0 or D1; where its
///   dimension-order link has tokens on neither, it may go by that link's bubble channel and be dynamic again later.
/// - A deterministic packet goes by dimension order, X first, on BN or, with priority, on BP.
/// - A packet that enters a ring of a bubble channel (from injection, another dimension or a dynamic channel) must
///   leave bubble_chunks free behind it; one that stays in its ring need not.
/// - A queue has one read port: its next packet asks for a link when the tail of the one before has left.
/// - Requesters of a link are the heads of the transit queues (number 4 * input direction + channel) and of the
///   injection FIFOs (kFirstInjection + FIFO). Priority goes first; else the fullest queue wins for fullness_cycles,
///   then a random one for random_cycles, in turn.
class Router final : public WheelUnit {
 public:
  static constexpr unsigned kFirstInjection = kMaxDirections * kChannels;

  Router() = default;
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  /// Called once by the network.
  void initialise(RouterContext& context, const TorusConfig& config, std::uint32_t node, std::uint64_t seed);
  void attach(LocalPort& port) { local_ = &port; }

  /// Takes a packet from injection FIFO `fifo`, of which the previous one must have been taken; it asks for a link
  /// injection_cycles after `at` (>= the present cycle). The packet must pass header_check(); hints of 0 are filled in
  /// from the cut-offs.
  void inject(Packet& packet, unsigned fifo, Cycle at);
  /// Gives back `chunks` of reception FIFO `fifo`, usable from cycle `at` (> the present cycle).
  void return_tokens(unsigned fifo, unsigned chunks, Cycle at);

  void on_event(std::uint32_t what, std::uint32_t arg) override;

  /// A driver's stop of a sender; a packet under way is finished.
  void set_stopped(Direction direction, bool stopped);
  void set_cut_offs(const CutOffs& cut_offs);
  const CutOffs& cut_offs() const { return cut_offs_; }
  /// `phases` must not have both lengths 0.
  void set_arbitration(const ArbitrationPhases& phases);
  const ArbitrationPhases& arbitration() const { return phases_; }
  const RouterCounters& counters() const { return counters_; }

  const Coordinates& coordinates() const { return coordinates_; }
  std::uint32_t node() const { return node_; }
  const InputPort& input(Direction direction) const { return inputs_[direction]; }
  const OutputPort& output(Direction direction) const { return outputs_[direction]; }
  std::uint32_t injection_head(unsigned fifo) const { return injection_[fifo]; }
  const Request& injection_request(unsigned fifo) const { return injection_request_[fifo]; }
  std::uint16_t reception_tokens(unsigned fifo) const { return reception_tokens_[fifo]; }

 private:
  friend class RouterStandIn;
  friend class TorusLink;
  friend class TorusNetwork;

  // What an event means: the low byte of `what`; the rest is its port.
  enum Kind : std::uint32_t {
    kArrive,
    kHeadReady,
    kLinkFree,
    kTokens,
    kLocalFree,
    kInject,
    kReceptionTokens,
    kRelease
  };
  static constexpr std::uint32_t event(Kind kind, unsigned port) { return kind | port << 8; }
  static constexpr int kNoChannel = -1;

  Cycle now() const;
  Packet& packet(std::uint32_t index) const { return context_->pool->at(index); }
  bool idle(const OutputPort& out, Cycle now) const {
    // With a wake-up posted for this very cycle, arbitration is left to that: who waited is not overtaken.
    return out.busy_until <= now && !out.wake_posted && !out.stopped && !out.held_back;
  }
  static unsigned charge(unsigned channel, unsigned chunks) {
    return channel >= static_cast<unsigned>(Channel::bubble) ? kMaxChunks : chunks;
  }
  const Request& request(unsigned requester) const {
    return requester < kFirstInjection ? inputs_[requester / kChannels].head[requester % kChannels]
                                       : injection_request_[requester - kFirstInjection];
  }
  unsigned reception_fifo(unsigned input, const Packet& p) const;

  // router.cpp: packets come, wait, and go to the device.
  void arrive(unsigned port, Packet& p);
  void clear_hints(unsigned in, Packet& p) const;
  static Request wishes(const Packet& p);
  bool enqueue(PacketQueue& queue, Packet& p);
  Packet* dequeue(PacketQueue& queue);
  /// For links: the header of `p` is in the receiver behind `direction` at cycle `header_at`.
  void hand_over(unsigned direction, Packet& p, Cycle header_at);
  /// A link that was stopped or held back may be used again.
  void link_released(unsigned direction);
  void head_changed(unsigned requester, Packet& p);
  void take_head(unsigned requester, Cycle tail_left);
  void try_deliver(unsigned input, unsigned channel);
  void serve_local(unsigned input);
  void wake_local(unsigned input);
  void return_upstream(unsigned input, unsigned channel, unsigned tokens, Cycle tail_left);
  void post_tokens(unsigned in, unsigned channel, unsigned tokens, Cycle at);
  Cycle out_of_fifo(Cycle tail_left) const;
  void tokens_came(unsigned direction, unsigned channel, unsigned tokens);
  void reception_tokens_came(unsigned fifo, unsigned chunks);

  // router_arbiter.cpp: which packet goes out on which link and channel.
  int channel_for(unsigned direction, unsigned requester, const Request& wanted, Cycle now);
  bool deposit_possible(unsigned requester, Cycle now);
  void try_send(unsigned requester);
  void arbitrate(unsigned direction);
  void wake_link(unsigned direction);
  unsigned choose(std::uint64_t candidates, std::uint64_t priority, unsigned direction, Cycle now);
  unsigned fullest(std::uint64_t candidates, unsigned last) const;
  std::uint32_t random(std::uint32_t below);
  void grant(unsigned direction, unsigned requester, unsigned channel);
  void deposit_copy(unsigned input, const Packet& p, Cycle tail_left);

  RouterContext* context_ = nullptr;
  RouterStandIn* stand_in_ = nullptr;  ///< does this router's work; null for the model itself
  LocalPort* local_ = nullptr;
  std::uint64_t random_ = 0;
  std::uint32_t node_ = 0;
  Coordinates coordinates_{};
  bool deposit_waits_ = false;  ///< a head has lacked reception space for its copy: serve_local() looks for such
  ArbitrationPhases phases_;
  RouterCounters counters_;
  CutOffs cut_offs_;
  std::array<InputPort, kMaxDirections> inputs_;
  std::array<OutputPort, kMaxDirections> outputs_;
  std::array<std::uint32_t, kMaxInjectionFifos> injection_;
  std::array<Request, kMaxInjectionFifos> injection_request_;
  std::array<std::uint16_t, kMaxReceptionFifos> reception_tokens_;
};

}  // namespace toroid
