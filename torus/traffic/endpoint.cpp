// SPDX-License-Identifier: Apache-2.0
#include "torus/traffic/endpoint.h"

#include <algorithm>
#include <cmath>

#include "torus/base/random.h"

namespace toroid {

void TrafficEndpoint::initialise(TrafficRun& run, std::uint32_t node) {
  run_ = &run;
  node_ = node;
  random_ = mix(run.config.seed ^ 0x7261666669637Eu, node);
  run.network.attach(node, *this);
}

void TrafficEndpoint::start() {
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
void TrafficEndpoint::draw_next() {
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
void TrafficEndpoint::plan() {
  const TrafficConfig& config = run_->config;
  const TorusNetwork& network = run_->network;
  Planned& packet = window_[waiting_++];
  packet.due = due_;
  packet.serial = serial_++;
  packet.destination = run_->pattern.destination(node_, packet.serial, random_);
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
  packet.priority = !packet.dynamic && config.priority_share > 0 && next_unit(random_) <= config.priority_share;
  packet.hints =
      network.topology().hints(network.router(node_).coordinates(), network.topology().coordinates(packet.destination),
                               network.router(node_).cut_offs());
  draw_next();
}

/// Each direction has its FIFO, of all groups' normal ones or of the priority ones. A deterministic packet goes by that
/// of its first hop, so that a flow keeps its order; a dynamic one by whichever of its directions is free first.
unsigned TrafficEndpoint::choose_fifo(const Planned& packet) const {
  const TorusConfig& torus = run_->config.torus;
  const unsigned groups = torus.fifo_groups;
  const unsigned normal = std::max(1u, torus.injection_fifos - 1);
  const auto number = [&](unsigned direction) {
    const unsigned i = direction % (groups * normal);
    return i / normal * torus.injection_fifos + i % normal;
  };
  const auto first = static_cast<unsigned>(__builtin_ctz(packet.hints));
  if (packet.priority) return first % groups * torus.injection_fifos + torus.injection_fifos - 1;
  unsigned best = number(first);
  for (unsigned left = packet.dynamic ? packet.hints : 0u; left; left &= left - 1) {
    const unsigned fifo = number(static_cast<unsigned>(__builtin_ctz(left)));
    if (free_at_[fifo] < free_at_[best]) best = fifo;
  }
  return best;
}

void TrafficEndpoint::inject(const Planned& planned, unsigned fifo, Cycle present) {
  const Cycle at = std::max(present, free_at_[fifo]);
  free_at_[fifo] = kNever;
  Packet& packet = run_->network.pool().allocate();
  packet.source = node_;
  packet.serial = planned.serial;
  packet.waited = static_cast<std::uint32_t>(at - planned.due);
  packet.destination = run_->network.topology().coordinates(planned.destination);
  packet.hints = planned.hints;
  packet.chunks = planned.chunks;
  packet.dynamic = planned.dynamic;
  packet.channel = planned.dynamic ? Channel::dynamic0 : planned.priority ? Channel::priority : Channel::bubble;
  run_->account.generated(planned.due, planned.chunks);
  run_->network.router(node_).inject(packet, fifo, at);
}

/// Injects what is due and finds its FIFO free, oldest first; the rest is left to the event that frees a FIFO, or to
/// the time at which the next packet falls due.
void TrafficEndpoint::send_due(Cycle present) {
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

void TrafficEndpoint::on_event(std::uint32_t, std::uint32_t) {
  due_posted_ = false;
  send_due(run_->network.wheel().now());
}

void TrafficEndpoint::injection_taken(unsigned fifo, unsigned, Cycle at) {
  free_at_[fifo] = at;
  send_due(run_->network.wheel().now());
}

void TrafficEndpoint::packet_received(Packet& packet, unsigned fifo, Cycle at) {
  TorusNetwork& network = run_->network;
  run_->account.delivered(packet, node_, packet.destination == network.router(node_).coordinates(), at);
  network.router(node_).return_tokens(fifo, packet.chunks, at + 1);
  network.pool().release(packet);
  if (run_->config.fill_hops && network.hops() >= run_->config.fill_hops) run_->stopped = true;
}

}  // namespace toroid
