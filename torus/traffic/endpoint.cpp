// SPDX-License-Identifier: Apache-2.0
#include "torus/traffic/endpoint.h"

#include <algorithm>
#include <cmath>

#include "torus/random.h"

namespace toroid {

void TrafficEndpoint::initialise(TrafficRun& run, std::uint32_t node) {
  run_ = &run;
  node_ = node;
  random_ = mix(run.config.seed ^ 0x7261666669637Eu, node);
  run.network.attach(node, *this);
}

void TrafficEndpoint::start() {
  if (run_->pattern.sends(node_) && draw_next()) {
    waiting_for_due_ = true;
    run_->network.wheel().post(due_, *this, 0, 0);
  }
}

/// Draws when the next packet is generated; false when there is none any more.
bool TrafficEndpoint::draw_next() {
  if (run_->config.fill_hops) {
    due_ = std::max<Cycle>(due_, 1);
  } else if (run_->log_idle < 0) {
    const double gap = std::floor(std::log(next_unit(random_)) / run_->log_idle);
    due_ += 1 + static_cast<Cycle>(std::min(gap, 1e15));
  } else {
    return false;
  }
  return due_ < run_->stop_generating;
}

/// Decides what the packet due is.
void TrafficEndpoint::plan_packet() {
  const TrafficConfig& config = run_->config;
  TorusNetwork& network = run_->network;
  destination_ = run_->pattern.destination(node_, serial_, random_);
  chunks_ = static_cast<std::uint8_t>(config.sizes.back().chunks);
  if (config.sizes.size() > 1) {
    double at = next_unit(random_) * run_->total_weight;
    for (const PacketShare& size : config.sizes) {
      at -= size.weight;
      if (at <= 0) {
        chunks_ = static_cast<std::uint8_t>(size.chunks);
        break;
      }
    }
  }
  dynamic_ = config.adaptive_share >= 1 || (config.adaptive_share > 0 && next_unit(random_) <= config.adaptive_share);
  priority_ = !dynamic_ && config.priority_share > 0 && next_unit(random_) <= config.priority_share;
  hints_ = network.topology().hints(network.router(node_).coordinates(), network.topology().coordinates(destination_),
                                    network.router(node_).cut_offs());
  planned_ = true;
}

/// Any free FIFO for dynamic packets, the one of the first hop's direction for deterministic ones, so that a flow
/// keeps its order; of all groups' normal FIFOs, or of the priority ones.
unsigned TrafficEndpoint::choose_fifo() const {
  const TorusConfig& torus = run_->config.torus;
  const unsigned groups = torus.fifo_groups;
  const unsigned normal = std::max(1u, torus.injection_fifos - 1);
  const auto first = static_cast<unsigned>(__builtin_ctz(hints_));
  if (priority_) return first % groups * torus.injection_fifos + torus.injection_fifos - 1;
  const unsigned all = groups * normal;
  const auto number = [&](unsigned i) { return i / normal * torus.injection_fifos + i % normal; };
  unsigned best = number(first % all);
  if (dynamic_) {
    for (unsigned i = 0; i < all; ++i) {
      if (free_at_[number(i)] < free_at_[best]) best = number(i);
    }
  }
  return best;
}

/// Injects what is due as long as its FIFO is free; else leaves it to the event that frees the FIFO, or to the time
/// at which it is due.
void TrafficEndpoint::send_due(Cycle present) {
  while (!waiting_for_due_ && !run_->stopped) {
    if (due_ >= run_->stop_generating) return;
    if (due_ > present) {
      waiting_for_due_ = true;
      run_->network.wheel().post(due_, *this, 0, 0);
      return;
    }
    if (!planned_) plan_packet();
    const unsigned fifo = choose_fifo();
    if (free_at_[fifo] == kNever) return;
    const Cycle at = std::max(present, free_at_[fifo]);
    free_at_[fifo] = kNever;
    planned_ = false;

    Packet& packet = run_->network.pool().allocate();
    packet.source = node_;
    packet.serial = serial_++;
    packet.waited = static_cast<std::uint32_t>(at - due_);
    packet.destination = run_->network.topology().coordinates(destination_);
    packet.hints = hints_;
    packet.chunks = chunks_;
    packet.dynamic = dynamic_;
    packet.channel = dynamic_ ? Channel::dynamic0 : priority_ ? Channel::priority : Channel::bubble;
    run_->account.generated(due_, chunks_);
    run_->network.router(node_).inject(packet, fifo, at);
    draw_next();
  }
}

void TrafficEndpoint::on_event(std::uint32_t, std::uint32_t) {
  waiting_for_due_ = false;
  send_due(run_->network.wheel().now());
}

void TrafficEndpoint::injection_taken(unsigned fifo, unsigned, Cycle at) {
  free_at_[fifo] = at;
  // A packet that falls due between now and then goes into the FIFO when it is free; it cannot be made earlier.
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
