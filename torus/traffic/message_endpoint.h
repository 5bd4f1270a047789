// SPDX-License-Identifier: Apache-2.0
// Sources and sinks of messages; included where traffic on a family of routers is instantiated (families.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "torus/base/random.h"
#include "torus/torus/network.h"
#include "torus/traffic/endpoint.h"
#include "torus/traffic/messages.h"
#include "torus/traffic/messages_under_way.h"

namespace toroid {

template <typename F>
class MessageEndpoint;

/// What the endpoints of one run share.
template <typename F>
struct MessageRun {
  MessageRun(BasicTorusNetwork<F>& network_in, const MessageTraffic& config_in, const TrafficPattern& pattern_in)
      : network(network_in),
        config(config_in),
        pattern(pattern_in),
        cut(message_packets(config_in, kRouterFamily<F>)),
        fifo_of(normal_fifos<F>(config_in.torus)) {}

  void delivered(const Packet& packet, std::uint32_t node, Cycle at) {
    ++packets;
    hops += packet.hops;
    last = std::max(last, at);
    // A sum, because deliveries of one cycle at different nodes have no order.
    digest += mix(mix(std::uint64_t{packet.source} << 32 | packet.serial, node), at.count());
  }
  void complete(Cycle time) {
    const std::uint64_t cycles = time.count();
    least_cycles = messages == 0 ? cycles : std::min(least_cycles, cycles);
    most_cycles = std::max(most_cycles, cycles);
    sum_of_cycles += cycles;
    ++messages;
  }

  BasicTorusNetwork<F>& network;
  const MessageTraffic& config;
  const TrafficPattern& pattern;
  const MessagePackets cut;
  const std::array<std::uint8_t, FamilyTables<F>::kDirections> fifo_of;  ///< normal injection FIFO by direction
  MessageEndpoint<F>* endpoints = nullptr;                               ///< by node

  std::uint64_t packets = 0;
  std::uint64_t hops = 0;
  std::uint64_t digest = 0;
  Cycle last{};
  std::uint64_t messages = 0;
  std::uint64_t sum_of_cycles = 0;
  std::uint64_t least_cycles = 0;
  std::uint64_t most_cycles = 0;
};

/// Source and sink of one node, at the device's seam of its router. As a DMA engine, it has one message in work at a
/// time: the next one's first packet follows when the last packet of the one before is in an injection FIFO.
template <typename F>
class MessageEndpoint final : public LocalPort, public WheelUnit {
 public:
  /// Called once, before the run.
  void initialise(MessageRun<F>& run, std::uint32_t node);
  void start();

  void packet_received(Packet& packet, unsigned fifo, Cycle at) override;
  void injection_taken(unsigned fifo, unsigned chunks, Cycle at) override;
  void on_event(std::uint32_t what, std::uint32_t arg) override;

  bool sends() const { return sends_; }
  bool complete() const { return arrived_ == std::uint64_t{run_->config.count} * run_->cut.count; }
  /// From the node's start to the arrival of its last byte.
  Cycle time() const { return last_ - start_; }

 private:
  void plan();
  unsigned choose_fifo() const;
  void send(Cycle present);
  void inject(unsigned fifo, Cycle present);
  void own_packet_arrived(std::uint32_t serial, Cycle at);

  MessageRun<F>* run_ = nullptr;
  BasicRouter<F>* router_ = nullptr;
  std::uint64_t random_ = 0;
  std::uint32_t node_ = 0;
  std::uint32_t message_ = 0;  ///< in work
  std::uint32_t packet_ = 0;   ///< of it, next to be injected
  bool sends_ = false;
  bool posted_ = false;  ///< an event at ready_ is on the wheel
  std::uint8_t local_ = 0;
  std::uint8_t destination_local_ = 0;
  std::uint16_t hints_ = 0;
  Coordinates destination_{};
  Cycle ready_{};                                    ///< the next message may begin
  std::array<Cycle, F::kInjectionFifos> free_at_{};  ///< kNever while the router holds the FIFO's packet
  MessagesUnderWay under_way_;
  std::uint64_t arrived_ = 0;  ///< packets of this source
  Cycle start_{};
  Cycle last_{};
};

template <typename F>
void MessageEndpoint<F>::initialise(MessageRun<F>& run, std::uint32_t node) {
  run_ = &run;
  node_ = node;
  random_ = mix(run.config.seed ^ 0x6D657373616765u, node);
  const Topology& topology = run.network.topology();
  router_ = &run.network.router(topology.router_of(node));
  local_ = static_cast<std::uint8_t>(topology.local(node));
  sends_ = run.pattern.sends(node);
  run.network.attach(node, *this);
}

template <typename F>
void MessageEndpoint<F>::start() {
  if (!sends_) return;
  const auto latest = static_cast<std::uint32_t>(run_->config.start_within.count());
  start_ = ready_ = Cycle{1} + next_random(random_, latest + 1);
  posted_ = true;
  run_->network.wheel().post(ready_, *this, 0, 0);
}

/// Decides where the message in work goes.
template <typename F>
void MessageEndpoint<F>::plan() {
  const Topology& topology = run_->network.topology();
  const std::uint32_t destination = run_->pattern.destination(node_, message_, random_);
  destination_ = topology.coordinates(destination);
  destination_local_ = static_cast<std::uint8_t>(topology.local(destination));
  const CutOffs cut_offs = run_->config.tie_rule
                               ? topology.minimal_cut_offs(router_->coordinates(), *run_->config.tie_rule)
                               : router_->cut_offs();
  hints_ = topology.hints(router_->coordinates(), destination_, cut_offs);
}

/// That of the first hop; of an adaptive packet, whichever of its directions' is free first.
template <typename F>
unsigned MessageEndpoint<F>::choose_fifo() const {
  unsigned best = run_->fifo_of[hints_ ? static_cast<unsigned>(__builtin_ctz(hints_)) : 0];
  for (unsigned left = run_->config.adaptive ? hints_ : 0u; left; left &= left - 1) {
    const unsigned fifo = run_->fifo_of[static_cast<unsigned>(__builtin_ctz(left))];
    if (free_at_[fifo] < free_at_[best]) best = fifo;
  }
  return best;
}

template <typename F>
void MessageEndpoint<F>::inject(unsigned fifo, Cycle present) {
  const Cycle at = std::max(present, free_at_[fifo]);
  free_at_[fifo] = kNever;
  if (packet_ == 0) {
    under_way_.begin(at, run_->cut.count);
    ready_ = at + run_->config.interval;
  }
  Packet& packet = run_->network.pool().allocate();
  packet.source = node_;
  packet.serial = message_ * run_->cut.count + packet_;
  packet.waited = 0;
  packet.destination = destination_;
  packet.local = destination_local_;
  packet.hints = hints_;
  packet.chunks = static_cast<std::uint8_t>(run_->cut.chunks);
  packet.dynamic = run_->config.adaptive;
  packet.channel = packet.dynamic ? FamilyTables<F>::kFirstAdaptive[0] : FamilyTables<F>::kFirstOrdered[0];
  router_->inject(packet, fifo, at, local_);
  if (++packet_ == run_->cut.count) {
    packet_ = 0;
    ++message_;
  }
}

/// Injects what finds a FIFO free; the rest is left to the event that frees one, or to the time at which the next
/// message may begin.
template <typename F>
void MessageEndpoint<F>::send(Cycle present) {
  while (message_ < run_->config.count) {
    if (packet_ == 0) {
      if (ready_ > present) {
        if (!posted_) run_->network.wheel().post(ready_, *this, 0, 0);
        posted_ = true;
        return;
      }
      plan();
    }
    const unsigned fifo = choose_fifo();
    if (free_at_[fifo] == kNever) return;
    inject(fifo, present);
  }
}

template <typename F>
void MessageEndpoint<F>::on_event(std::uint32_t, std::uint32_t) {
  posted_ = false;
  send(run_->network.wheel().now());
}

template <typename F>
void MessageEndpoint<F>::injection_taken(unsigned fifo, unsigned, Cycle at) {
  free_at_[fifo] = at;
  send(run_->network.wheel().now());
}

template <typename F>
void MessageEndpoint<F>::packet_received(Packet& packet, unsigned fifo, Cycle at) {
  run_->delivered(packet, node_, at);
  run_->endpoints[packet.source].own_packet_arrived(packet.serial, at);
  router_->return_tokens(fifo, packet.chunks, at + 1, local_);
  run_->network.pool().release(packet);
}

template <typename F>
void MessageEndpoint<F>::own_packet_arrived(std::uint32_t serial, Cycle at) {
  ++arrived_;
  last_ = std::max(last_, at);
  under_way_.arrived(serial / run_->cut.count, at,
                     [this](const MessagesUnderWay::Message& done) { run_->complete(done.last - done.start); });
}

}  // namespace toroid
