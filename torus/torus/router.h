// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <type_traits>

#include "torus/base/topology.h"
#include "torus/base/wheel.h"
#include "torus/torus/collective_unit.h"
#include "torus/torus/config.h"
#include "torus/torus/families/family.h"
#include "torus/torus/local_port.h"
#include "torus/torus/packet.h"
#include "torus/torus/packet_pool.h"
#include "torus/torus/port_state.h"

namespace toroid {

template <typename F>
class BasicRouter;
template <typename F>
class BasicRouterStandIn;
template <typename F>
class BasicTorusNetwork;
class ProgressWatch;
class TorusObserver;

/// What the routers of one network have done together. Conservation: injected + copied == received + combined + in
/// flight, at every cycle.
struct NetworkCounters {
  std::uint64_t injected = 0;
  std::uint64_t copied = 0;    ///< made for the deposit bit
  std::uint64_t received = 0;  ///< handed to devices, copies included
  std::uint64_t hops = 0;
  std::uint64_t combined = 0;  ///< into another one, by collective units
  std::uint64_t in_flight() const { return injected + copied - received - combined; }
};

/// By zone and mask, the hint bits of the directions that a dynamic packet may choose among.
struct ZoneTable {
  std::array<std::array<std::uint16_t, kMaxDimensions>, kZones> directions{};
};
struct NoZoneTable {};

/// What all routers of one network share.
template <typename F>
struct RouterContext : NetworkCounters {
  using T = FamilyTables<F>;

  Wheel* wheel = nullptr;
  PacketPool* pool = nullptr;
  ProgressWatch* progress = nullptr;
  BasicRouter<F>* routers = nullptr;  ///< by router number
  TorusObserver* observer = nullptr;
  const Topology* topology = nullptr;
  Cycle hop_cycles{};
  Cycle token_cycles{};
  Cycle injection_cycles{};
  Cycle reception_cycles{};
  std::uint16_t bubble_chunks = 0;
  std::uint8_t ports = 0;            ///< of the dimensions that the shape has
  std::uint8_t fifos_per_group = 0;  ///< reception FIFOs
  bool ascending_order = true;       ///< dimension order is 1, 2, 3, ...
  bool transit_first = false;        ///< of packets without priority
  std::uint16_t transit_grants = 0;  ///< in turn with one of injection
  std::array<std::uint8_t, kMaxDimensions> dimension_order{};
  /// Cycles on the wire by port and chunks.
  std::array<std::array<std::uint16_t, F::kMaxChunks + 1>, T::kPorts> wire_cycles{};
  /// The same between nodes of one router.
  std::array<std::uint16_t, F::kMaxChunks + 1> turn_around_cycles{};
  std::conditional_t<F::kZones, ZoneTable, NoZoneTable> zones;
};

/// How a router's links choose.
struct ArbitrationPhases {
  std::uint8_t fullness_cycles = 0;     ///< the fullest queue wins
  std::uint8_t random_cycles = 0;       ///< then a random one; not both 0
  std::uint8_t priority_injection = 0;  ///< chance, of 32, that priority injection goes before priority transit
};

/// What one router has done.
struct RouterCounters {
  std::uint64_t injected = 0;  ///< taken from its devices
  std::uint64_t copied = 0;    ///< deposit copies made here
  std::uint64_t received = 0;  ///< handed to its devices, copies included
};

/// One router of family F: virtual cut-through, with virtual channels and credits (tokens). It has no process; the
/// wheel calls it when a header arrives, when a link it wants becomes free, and when tokens come back. These events
/// only note what has come; after all events of the cycle settle() chooses, so that the order of events makes no
/// difference. A packet passes these stages, each a file in stages/:
///
/// - injection: the device's packet becomes the head of its injection FIFO;
/// - route computation (F::Routes): which ports lead nearer to the destination, and which of them is the next hop in
///   dimension order; hint bits in the header, if the family has them, choose the direction;
/// - VC allocation: a dynamic packet takes the adaptive channel of its class with most tokens; where its next hop in
///   dimension order has tokens on none, it may escape to that hop's ordered channel and be dynamic again later. A
///   deterministic packet goes by the ordered channel of its class. What keeps ordered channels moving is
///   F::kRingRule;
/// - switch allocation: requesters of a link are the heads of the transit queues and of the injection FIFOs
///   (FamilyTables::kFirstInjection). Priority classes go first; else the fullest queue wins for fullness_cycles, then
///   a random one for random_cycles, in turn;
/// - switch traversal and link traversal: the packet occupies the link for its bytes, and its header is in the next
///   router one hop's cycles later;
/// - credit return: when the packet's tail has left the queue, its tokens go back upstream. A channel whose unit is the
///   packet takes a maximum packet's tokens whatever the packet's size (VcTraits);
/// - ejection: a packet that has arrived goes to its reception FIFO.
///
/// A queue has one read port: its next packet asks for a link when the tail of the one before has left.
template <typename F>
class BasicRouter final : public WheelUnit {
  using T = FamilyTables<F>;
  static_assert(T::valid());

 public:
  using Family = F;
  using Requesters = RequesterSet<T::kRequesters>;
  static constexpr unsigned kVcs = T::kVcCount;
  static constexpr unsigned kFirstInjection = T::kFirstInjection;

  BasicRouter() = default;
  BasicRouter(const BasicRouter&) = delete;
  BasicRouter& operator=(const BasicRouter&) = delete;

  /// Called once by the network.
  void initialise(RouterContext<F>& context, const TorusConfig& config, std::uint32_t number, std::uint64_t seed);
  /// The device of the router's node `local`.
  void attach(LocalPort& port, unsigned local = 0) { local_[local] = &port; }

  /// What stands behind the router's I/O port, where its family has one. Without it, packets for the port go to the
  /// node.
  void attach_io(LocalPort& port) {
    if constexpr (T::kHasIoPort) local_[F::kNodes] = &port;
  }
  /// A packet that comes in by the I/O port: it goes on in deterministic order. Otherwise as inject(); the port takes
  /// one packet at a time and tells the device by LocalPort::injection_taken.
  void inject_from_io(Packet& packet, Cycle at);

  // For the collective unit, where the family has collective channels. All calls come while the router settles.
  void attach_collective(CollectiveUnit& unit) { collective_.front() = &unit; }
  /// The head of a queue of a collective channel, or nullptr.
  Packet* collective_head(unsigned in, unsigned channel) const;
  /// The packet that the node has put into the unit's FIFO `fifo`, or nullptr.
  Packet* collective_packet(unsigned fifo) const;
  /// Both take the packet away; p.tail is when its last byte has come.
  Packet& take_collective_head(unsigned in, unsigned channel);
  Packet& take_collective_packet(unsigned fifo);
  /// A packet for FIFO `fifo` of the unit, as inject().
  void inject_collective(Packet& packet, unsigned fifo, Cycle at);
  /// The unit sends a packet out by `port`, `after` cycles from now on at the earliest. Each port has room for one of
  /// each channel, until CollectiveUnit::slot_free() says that it is gone.
  void send_collective(Packet& packet, unsigned port, Cycle after);
  /// The unit hands a packet to the node, if its reception FIFO `fifo` has room.
  bool collective_room(unsigned fifo, unsigned chunks) const;
  void deliver_collective(Packet& packet, unsigned fifo);
  /// Has combined packets into one: so many are no more.
  void count_combined(unsigned packets) { context_->combined += packets; }
  /// Has made so many copies of one.
  void count_copies(unsigned packets) { context_->copied += packets; }
  PacketPool& pool() const { return *context_->pool; }

  // `fifo` is one of node `local`'s.
  /// Takes a packet from injection FIFO `fifo`, of which the previous one must have been taken; it asks for a link
  /// injection_cycles after `at` (>= the present cycle). The packet must pass header_check(); hints of 0 are filled in
  /// from the cut-offs.
  void inject(Packet& packet, unsigned fifo, Cycle at, unsigned local = 0);
  /// Gives back `chunks` of reception FIFO `fifo` (the I/O port's as well), usable from cycle `at` (> the present
  /// cycle).
  void return_tokens(unsigned fifo, unsigned chunks, Cycle at, unsigned local = 0);

  void on_event(std::uint32_t what, std::uint32_t arg) override;
  /// Serves inputs, then links, then the new heads that have not gone yet, each in the order of their numbers.
  void settle() override;

  /// A driver's stop of a sender; a packet under way is finished.
  void set_stopped(unsigned port, bool stopped);
  void set_cut_offs(const CutOffs& cut_offs);
  const CutOffs& cut_offs() const { return cut_offs_; }
  /// `phases` must not have both lengths 0.
  void set_arbitration(const ArbitrationPhases& phases);
  const ArbitrationPhases& arbitration() const { return phases_; }
  const RouterCounters& counters() const { return counters_; }

  const Coordinates& coordinates() const { return coordinates_; }
  std::uint32_t number() const { return number_; }
  const InputQueue& input(unsigned port, unsigned channel) const { return inputs_[port * kVcs + channel]; }
  const OutputPort<F>& output(unsigned port) const { return outputs_[port]; }
  /// The router behind the link of `port`; kNoNode at the edge of a mesh.
  std::uint32_t neighbour(unsigned port) const { return neighbours_[port]; }
  std::uint32_t injection_head(unsigned fifo, unsigned local = 0) const {
    return injection_[local * F::kInjectionFifos + fifo];
  }
  const Request& injection_request(unsigned fifo, unsigned local = 0) const {
    return injection_request_[local * F::kInjectionFifos + fifo];
  }
  /// Of a packet that has come in by `input` and arrived.
  unsigned reception_fifo(unsigned input, const Packet& p) const;
  std::uint16_t reception_tokens(unsigned fifo, unsigned local = 0) const {
    return reception_tokens_[local * T::kReceptionFifos + fifo];
  }

 private:
  friend class BasicRouterStandIn<F>;
  friend class BasicTorusLink<F>;
  friend class BasicTorusNetwork<F>;

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

  Cycle now() const { return context_->wheel->now(); }
  Packet& packet(std::uint32_t index) const { return context_->pool->at(index); }
  bool idle(const OutputPort<F>& out, Cycle now) const {
    return out.busy_until <= now && !out.stopped && !out.held_back;
  }
  /// Before units settle: whether the link may be granted in this cycle. One with a TorusLink may change meanwhile.
  bool may_be_free(const OutputPort<F>& out) const { return out.busy_until <= now() || out.link != nullptr; }
  // Each has settle() called in this cycle: for a link that may be allocated, for events of a link's own, for inputs
  // (bits), for a new head.
  void settle_link(unsigned port) {
    links_ |= 1u << port;
    context_->wheel->settle(*this);
  }
  void settle_link_events(unsigned port) {
    links_with_events_ |= 1u << port;
    context_->wheel->settle(*this);
  }
  void settle_inputs(std::uint32_t ports) {
    inputs_with_room_ |= ports;
    context_->wheel->settle(*this);
  }
  void settle_head(unsigned requester) {
    heads_.add(requester);
    context_->wheel->settle(*this);
  }
  static unsigned charge(unsigned channel, unsigned chunks) { return T::charge(channel, chunks); }
  const Request& request(unsigned requester) const {
    return requester < kFirstInjection ? inputs_[requester].head : injection_request_[requester - kFirstInjection];
  }

  void settle_ports();

  // stages/input_queue.h: packets come and wait.
  void arrive(unsigned port, Packet& p);
  void clear_hints(unsigned in, Packet& p) const;
  bool enqueue(PacketQueue& queue, Packet& p);
  Packet* dequeue(PacketQueue& queue);
  void head_changed(unsigned requester, Packet& p);
  void fetch_for_grant(std::uint32_t outputs) const;
  [[gnu::always_inline]] void start_head(unsigned requester);
  void take_head(unsigned requester, Cycle tail_left);

  // stages/injection.h
  [[gnu::always_inline]] void injected(unsigned fifo, std::uint32_t index);
  Cycle out_of_fifo(Cycle tail_left) const;

  // stages/route_computation.h
  Request compute_route(const Packet& p) const;

  // stages/vc_allocation.h: which virtual channel a packet may take on a link.
  int channel_for(unsigned port, unsigned requester, const Request& wanted, Cycle now);
  unsigned best_adaptive(const OutputPort<F>& out, const Request& wanted) const;
  bool may_enter(const OutputPort<F>& out, unsigned port, unsigned requester, const Request& wanted) const;
  bool deposit_possible(unsigned requester, Cycle now);

  // stages/switch_allocation.h: which packet goes out on which link.
  void try_send(unsigned requester);
  void allocate(unsigned port);
  void wake_link(unsigned port);
  [[gnu::always_inline]] void serve_link(unsigned port, bool allocates);
  unsigned choose(Requesters candidates, const Requesters& priority, unsigned port, Cycle now);
  unsigned fullest(Requesters candidates, unsigned last) const;

  // stages/switch_traversal.h
  void grant(unsigned port, unsigned requester, unsigned channel);
  void deposit_copy(unsigned input, const Packet& p, Cycle tail_left);

  // stages/link_traversal.h
  [[gnu::always_inline]] void send(unsigned port, unsigned channel, Packet& p, Cycle tail_left);
  /// For links: the header of `p` is in the receiver behind `port` at cycle `header_at`.
  void hand_over(unsigned port, Packet& p, Cycle header_at);

  // stages/credit_return.h
  [[gnu::always_inline]] void return_upstream(unsigned in, unsigned channel, unsigned tokens, Cycle tail_left);
  void post_tokens(unsigned in, unsigned channel, unsigned tokens, Cycle at);
  void tokens_came(unsigned port, unsigned channel, unsigned tokens);

  // stages/ejection.h
  bool leaves_by_io(const Packet& p) const;
  LocalPort& receiver_of(const Packet& p) const;
  [[gnu::always_inline]] void tell_taken(unsigned fifo, unsigned chunks, Cycle at);
  Requesters in_turn(const Requesters& candidates, OutputPort<F>& out);
  std::uint16_t& tokens_of(unsigned local, unsigned fifo) {
    return reception_tokens_[local * T::kReceptionFifos + fifo];
  }
  void try_deliver(unsigned input, unsigned channel);
  void try_turn_around(unsigned fifo);
  void settle_turn_arounds();
  [[gnu::always_inline]] void deliver(Packet& p, unsigned fifo, Cycle tail_left);
  void serve_local(unsigned input);
  void wake_local(unsigned input);
  void reception_tokens_came(unsigned local, unsigned fifo, unsigned chunks);

  // The first cache line has what most events need; the wheel fetches it ahead.
  RouterContext<F>* context_ = nullptr;
  BasicRouterStandIn<F>* stand_in_ = nullptr;  ///< does this router's work; nullptr for the model itself
  // What settle() looks at; bits are ports.
  Requesters heads_;         ///< new ones
  std::uint32_t links_ = 0;  ///< free, or with more tokens
  std::uint32_t links_with_events_ = 0;
  std::uint32_t inputs_with_room_ = 0;  ///< whose local path is free, or that have space in reception FIFOs
  std::uint32_t short_of_room_ = 0;     ///< inputs with a head that has found too little space in its reception FIFO
  Coordinates coordinates_{};
  bool deposit_waits_ = false;  ///< a head has lacked reception space for its copy: serve_local() looks for such
  std::uint32_t number_ = 0;
  /// Routers behind the links; kNoNode at the edge of a mesh.
  alignas(64) std::array<std::uint32_t, T::kPorts> neighbours_{};
  std::array<LocalPort*, F::kNodes + T::kHasIoPort> local_{};  ///< what stands at the I/O port behind those of nodes
  std::uint64_t random_ = 0;
  std::array<CollectiveUnit*, T::kHasCollective> collective_{};
  ArbitrationPhases phases_;
  RouterCounters counters_;
  CutOffs cut_offs_;
  std::array<InputQueue, T::kFirstInjection> inputs_;  ///< by number of requester
  std::array<LocalPath, T::kPorts> local_paths_;
  std::array<OutputPort<F>, T::kPorts> outputs_;
  std::array<std::uint32_t, T::kInjection> injection_;
  std::array<Request, T::kInjection> injection_request_;
  std::array<std::uint16_t, F::kNodes * T::kReceptionFifos> reception_tokens_;
};

}  // namespace toroid
