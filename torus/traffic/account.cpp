// SPDX-License-Identifier: Apache-2.0
#include "torus/traffic/account.h"

#include <algorithm>

#include "torus/base/random.h"

namespace toroid {

TrafficAccount::TrafficAccount(const TrafficConfig& config, const RouterFamily& family)
    : family_(family),
      check_(config.check),
      from_(config.fill_hops ? 0 : config.warm_up),
      to_(config.fill_hops ? kNever : config.warm_up + config.measure) {}

void TrafficAccount::generated(Cycle due, unsigned chunks) {
  ++generated_;
  if (measured(due)) offered_chunks_ += chunks;
}

void TrafficAccount::delivered(const Packet& packet, std::uint32_t node, bool at_home, Cycle at) {
  ++delivered_;
  last_delivery_ = std::max(last_delivery_, at);
  hops_ += packet.hops;
  // A sum, because deliveries of one cycle at different nodes have no order.
  digest_ += mix(mix(std::uint64_t{packet.source} << 32 | packet.serial, node), at.count());
  if (measured(at)) {
    accepted_chunks_ += packet.chunks;
    ++accepted_packets_;
  }
  const Cycle due = packet.injected - packet.waited;
  if (measured(due)) {
    latency_.add((at - due).count());
    network_latency_ += (at - packet.injected).count();
  }
  if (check_) check(packet, node, at_home);
}

void TrafficAccount::check(const Packet& packet, std::uint32_t node, bool at_home) {
  if (!at_home) ++misdelivered_;
  if (seen_.size() <= packet.source) seen_.resize(packet.source + 1);
  std::vector<bool>& seen = seen_[packet.source];
  if (seen.size() <= packet.serial) seen.resize(packet.serial + packet.serial / 2 + 64);
  if (seen[packet.serial]) ++repeated_;
  seen[packet.serial] = true;
  if (packet.dynamic) return;
  // Packets of one flow and class follow each other; classes overtake each other.
  const unsigned message_class = family_.vcs[packet.channel].message_class;
  const std::uint64_t flow = std::uint64_t{packet.source} << 32 | std::uint64_t{node} << 3 | message_class;
  const auto [newest, first] = newest_.try_emplace(flow, packet.serial);
  if (first) return;
  if (newest->second > packet.serial) ++reordered_;
  newest->second = packet.serial;
}

void TrafficAccount::report(TrafficResult& result) const {
  const double cycles_of_senders = static_cast<double>(to_ - from_) * result.sending_nodes;
  if (cycles_of_senders > 0) {
    result.offered = static_cast<double>(offered_chunks_ * family_.chunk_bytes) / cycles_of_senders;
    result.accepted = static_cast<double>(accepted_chunks_ * family_.chunk_bytes) / cycles_of_senders;
    result.accepted_packets = static_cast<double>(accepted_packets_) / cycles_of_senders;
  }
  result.measured_packets = latency_.count();
  result.latency_mean = latency_.mean();
  result.latency_min = latency_.min();
  result.latency_p50 = latency_.percentile(0.50);
  result.latency_p95 = latency_.percentile(0.95);
  result.latency_p99 = latency_.percentile(0.99);
  result.latency_max = latency_.max();
  if (latency_.count()) {
    result.network_latency_mean = static_cast<double>(network_latency_) / static_cast<double>(latency_.count());
  }
  if (delivered_) result.hops_mean = static_cast<double>(hops_) / static_cast<double>(delivered_);
  result.generated = generated_;
  result.delivered = delivered_;
  result.repeated = repeated_;
  result.misdelivered = misdelivered_;
  result.reordered = reordered_;
  result.digest = digest_;
}

}  // namespace toroid
