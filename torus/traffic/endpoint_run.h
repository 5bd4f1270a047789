// SPDX-License-Identifier: Apache-2.0
// Sources and sinks; included where traffic on a family of routers is instantiated (families.cpp).
#pragma once

#include <algorithm>
#include <cmath>

#include "torus/base/random.h"
#include "torus/traffic/endpoint.h"

namespace toroid {

template <typename F>
void TrafficEndpoint<F>::initialise(TrafficRun<F>& run, std::uint32_t node) {
  run_ = &run;
  node_ = node;
  random_ = mix(run.config.seed ^ 0x7261666669637Eu, node);
  const Topology& topology = run.network.topology();
  router_ = &run.network.router(topology.router_of(node));
  local_ = topology.local(node);
  run.network.attach(node, *this);
}

template <typename F>
void TrafficEndpoint<F>::start() {
  if (!run_->pattern.sends(node_)) {
    due_ = kNever;
    return;
  }
  draw_next();
  if (due_ >= run_->stop_generating) return;
  due_posted_ = true;
  run_->network.wheel().post(due_, *this, 0, 0);
}

/// Draws when the next packet is generated.
template <typename F>
void TrafficEndpoint<F>::draw_next() {
  if (run_->config.fill_hops) {
    due_ = std::max(due_, Cycle{1});
  } else if (run_->log_idle < 0) {
    const double gap = std::floor(std::log(next_unit(random_)) / run_->log_idle);
    due_ += Cycle{1 + static_cast<std::uint64_t>(std::min(gap, 1e15))};
  } else {
    due_ = kNever;
  }
}

/// Decides what the packet due is, and puts it into the window.
template <typename F>
void TrafficEndpoint<F>::plan() {
  const TrafficConfig& config = run_->config;
  Planned& packet = window_[waiting_++];
  packet.due = due_;
  packet.serial = serial_++;
  const Topology& topology = run_->network.topology();
  const std::uint32_t destination = run_->pattern.destination(node_, packet.serial, random_);
  packet.destination = topology.coordinates(destination);
  packet.local = static_cast<std::uint8_t>(topology.local(destination));
  packet.chunks = static_cast<std::uint8_t>(config.sizes.back().chunks);
  if (config.sizes.size() > 1) {
    double at = next_unit(random_) * run_->total_weight;
    for (const PacketShare& size : config.sizes) {
      at -= size.weight;
      if (at <= 0) {
        packet.chunks = static_cast<std::uint8_t>(size.chunks);
        break;
      }
    }
  }
  packet.dynamic =
      config.adaptive_share >= 1 || (config.adaptive_share > 0 && next_unit(random_) <= config.adaptive_share);
  choose_class(packet);
  packet.hints = topology.hints(router().coordinates(), packet.destination, router().cut_offs());
  draw_next();
}

/// A dynamic packet needs a class with adaptive channels.
template <typename F>
void TrafficEndpoint<F>::choose_class(Planned& packet) {
  using T = FamilyTables<F>;
  const double share = run_->config.other_classes_share;
  packet.message_class = 0;
  if (T::kClasses == 1 || share == 0 || (packet.dynamic && T::kOneAdaptiveClass)) return;
  if (next_unit(random_) > share) return;
  unsigned message_class = 1;
  if (T::kClasses > 2) message_class += next_random(random_, T::kClasses - 1);
  if (!packet.dynamic || T::kAdaptiveCount[message_class] != 0) {
    packet.message_class = static_cast<std::uint8_t>(message_class);
  }
}

/// Each direction has its FIFO, of all groups' normal ones or of the priority ones. A deterministic packet goes by that
/// of its first hop, so that a flow keeps its order; a dynamic one by whichever of its directions is free first.
template <typename F>
unsigned TrafficEndpoint<F>::choose_fifo(const Planned& packet) const {
  const TorusConfig& torus = run_->config.torus;
  const unsigned first = packet.hints ? static_cast<unsigned>(__builtin_ctz(packet.hints)) : 0;
  if (F::kPriorityClasses >> packet.message_class & 1)
    return first % torus.fifo_groups * torus.injection_fifos + torus.injection_fifos - 1;
  unsigned best = run_->fifo_of[first];
  for (unsigned left = packet.dynamic ? packet.hints : 0u; left; left &= left - 1) {
    const unsigned fifo = run_->fifo_of[static_cast<unsigned>(__builtin_ctz(left))];
    if (free_at_[fifo] < free_at_[best]) best = fifo;
  }
  return best;
}

template <typename F>
void TrafficEndpoint<F>::inject(const Planned& planned, unsigned fifo, Cycle present) {
  const Cycle at = std::max(present, free_at_[fifo]);
  free_at_[fifo] = kNever;
  Packet& packet = run_->network.pool().allocate();
  packet.source = node_;
  packet.serial = planned.serial;
  packet.waited = static_cast<std::uint32_t>(at - planned.due);
  packet.destination = planned.destination;
  packet.local = planned.local;
  packet.hints = planned.hints;
  packet.chunks = planned.chunks;
  packet.dynamic = planned.dynamic;
  packet.routing =
      static_cast<std::uint8_t>(run_->config.zone | (run_->config.stay_on_bubble ? PacketRouting::stay_on_bubble : 0u));
  packet.channel = planned.dynamic ? FamilyTables<F>::kFirstAdaptive[planned.message_class]
                                   : FamilyTables<F>::kFirstOrdered[planned.message_class];
  run_->account.generated(planned.due, planned.chunks);
  router().inject(packet, fifo, at, local_);
}

/// Injects what is due and finds its FIFO free, oldest first; the rest is left to the event that frees a FIFO, or to
/// the time at which the next packet falls due.
template <typename F>
void TrafficEndpoint<F>::send_due(Cycle present) {
  if (run_->stopped) return;
  for (unsigned i = 0; i < waiting_ || (due_ <= present && due_ < run_->stop_generating && waiting_ < kWindow);) {
    if (i == waiting_) plan();
    const unsigned fifo = choose_fifo(window_[i]);
    if (free_at_[fifo] == kNever) {
      ++i;
      continue;
    }
    inject(window_[i], fifo, present);
    std::copy(window_.begin() + i + 1, window_.begin() + waiting_, window_.begin() + i);
    --waiting_;
  }
  // With the window full, the event that frees a FIFO goes on from here.
  if (due_posted_ || waiting_ == kWindow || due_ >= run_->stop_generating || due_ <= present) return;
  due_posted_ = true;
  run_->network.wheel().post(due_, *this, 0, 0);
}

template <typename F>
void TrafficEndpoint<F>::on_event(std::uint32_t, std::uint32_t) {
  due_posted_ = false;
  send_due(run_->network.wheel().now());
}

template <typename F>
void TrafficEndpoint<F>::injection_taken(unsigned fifo, unsigned, Cycle at) {
  free_at_[fifo] = at;
  send_due(run_->network.wheel().now());
}

template <typename F>
void TrafficEndpoint<F>::packet_received(Packet& packet, unsigned fifo, Cycle at) {
  BasicTorusNetwork<F>& network = run_->network;
  // Only a run that is checked asks.
  const bool at_home = !run_->config.check || (packet.destination == router().coordinates() && packet.local == local_);
  run_->account.delivered(packet, node_, at_home, at);
  router().return_tokens(fifo, packet.chunks, at + 1, local_);
  network.pool().release(packet);
}

}  // namespace toroid
