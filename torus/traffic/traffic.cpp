// SPDX-License-Identifier: Apache-2.0
#include "torus/traffic/traffic.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "torus/base/latency.h"
#include "torus/torus/network.h"
#include "torus/torus/stuck_report.h"
#include "torus/traffic/capacity.h"
#include "torus/traffic/endpoint.h"

namespace toroid {
namespace {

void validate(const TrafficConfig& config) {
  const auto require = [](bool good, const char* what) {
    if (!good) throw std::invalid_argument(std::string("traffic: ") + what);
  };
  require(config.load >= 0 && config.load <= 100, "load must be from 0 to 100 (1 = capacity)");
  require(config.adaptive_share >= 0 && config.adaptive_share <= 1, "adaptive_share must be from 0 to 1");
  require(config.priority_share >= 0 && config.priority_share <= 1, "priority_share must be from 0 to 1");
  require(!config.sizes.empty(), "at least one packet size is needed");
  for (const PacketShare& size : config.sizes) {
    require(size.chunks >= 1 && size.chunks <= kMaxChunks, "a packet has 1 to 8 chunks");
    require(size.weight > 0, "a packet size's weight must be above 0");
  }
  require(config.fill_hops || config.measure > 0, "measure must be at least 1 cycle");
}

/// How many nodes send. Throws std::invalid_argument if none does.
std::uint32_t count_senders(const TrafficConfig& config, const Topology& topology, const TrafficPattern& pattern) {
  std::uint32_t senders = 0;
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) senders += pattern.sends(node);
  if (senders == 0) {
    throw std::invalid_argument("traffic: no node of shape " + config.shape.text() + " sends; the pattern " +
                                config.pattern + " needs " + pattern_needs(config.pattern));
  }
  return senders;
}

struct LinkMark {
  std::uint64_t packets = 0;
  Cycle busy = 0;
  std::uint64_t retransmissions = 0;
};

std::vector<LinkMark> mark_links(const TorusNetwork& network) {
  std::vector<LinkMark> marks;
  const Topology& topology = network.topology();
  marks.reserve(std::size_t{topology.nodes()} * topology.directions());
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    for (unsigned d = 0; d < topology.directions(); ++d) {
      const LinkCounters link = network.link(node, static_cast<Direction>(d));
      marks.push_back({link.packets, link.busy_cycles, link.retransmissions});
    }
  }
  return marks;
}

void report_links(const TorusNetwork& network, const std::vector<LinkMark>& before, const std::vector<LinkMark>& after,
                  Cycle cycles, TrafficResult& result) {
  const Topology& topology = network.topology();
  double sum = 0;
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    for (unsigned d = 0; d < topology.directions(); ++d) {
      const auto direction = static_cast<Direction>(d);
      if (topology.neighbour(node, direction) == kNoNode) continue;
      const std::size_t i = std::size_t{node} * topology.directions() + d;
      LinkLoad load;
      load.node = node;
      load.direction = direction;
      load.packets = after[i].packets - before[i].packets;
      load.retransmissions = after[i].retransmissions - before[i].retransmissions;
      // A packet is counted busy in full when it starts.
      load.load = std::min(1.0, static_cast<double>(after[i].busy - before[i].busy) / static_cast<double>(cycles));
      sum += load.load;
      result.link_load_max = std::max(result.link_load_max, load.load);
      result.links.push_back(load);
    }
  }
  if (!result.links.empty()) result.link_load_mean = sum / static_cast<double>(result.links.size());
}

/// Runs the wheel to `limit`, or until keep_going says no; returns whether it got there.
bool advance(Wheel& wheel, Cycle limit, const TrafficConfig& config) {
  constexpr Cycle kSlice = 4096;
  while (wheel.now() < limit) {
    wheel.run_until(std::min(wheel.now() + kSlice, limit));
    if (config.keep_going && !config.keep_going()) return false;
  }
  return true;
}

/// Runs the wheel until everything generated is delivered, nothing moves any more, or `limit`. The sources are done by
/// then, or have a packet in the network and the next ones behind it. Returns false when keep_going said no.
bool drain(TorusNetwork& network, Cycle limit, const TrafficConfig& config) {
  Wheel& wheel = network.wheel();
  while (network.in_flight() && wheel.now() < limit && !network.progress().stuck()) {
    if (!advance(wheel, std::min(wheel.now() + 1024, limit), config)) return false;
  }
  return true;
}

}  // namespace

void check_traffic(const TrafficConfig& config) {
  validate(config);
  config.torus.validate();
  const Topology topology(config.shape);
  count_senders(config, topology, *make_pattern(config.pattern, topology, config.pattern_options));
}

TrafficResult run_traffic(const TrafficConfig& config) {
  validate(config);
  const Topology topology(config.shape);
  const std::unique_ptr<TrafficPattern> pattern = make_pattern(config.pattern, topology, config.pattern_options);
  Wheel wheel;
  TorusNetwork network(wheel, config.torus, topology, config.seed);
  TrafficRun run(network, config, *pattern);

  TrafficResult result;
  result.nodes = topology.nodes();
  result.sending_nodes = count_senders(config, topology, *pattern);
  if (config.on_network) config.on_network(network);
  double weighted_chunks = 0;
  double weighted_cycles = 0;
  for (const PacketShare& size : config.sizes) {
    run.total_weight += size.weight;
    weighted_chunks += size.weight * size.chunks;
    weighted_cycles += size.weight * static_cast<double>(wire_cycles(config.torus, 0, size.chunks));
  }
  result.busiest_link_share = busiest_link_share(topology, *pattern);
  if (result.busiest_link_share > 0) {
    const double packets = run.total_weight / (result.busiest_link_share * weighted_cycles);  // a cycle, load 1.0
    result.capacity = packets * kChunkBytes * weighted_chunks / run.total_weight;
    run.log_idle = std::log1p(-std::min(config.load * packets, 0.999999));
  }
  const Cycle end_measure = config.warm_up + config.measure;
  run.stop_generating = config.fill_hops ? kNever : end_measure;
  network.progress().set_on_stuck([&wheel] { wheel.hold(wheel.now()); });

  const auto endpoints = std::make_unique<TrafficEndpoint[]>(topology.nodes());
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) endpoints[node].initialise(run, node);
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) endpoints[node].start();

  if (config.on_start) config.on_start();

  bool going = true;
  if (config.fill_hops) {
    const std::vector<LinkMark> before = mark_links(network);
    while (going && !run.stopped && !network.progress().stuck() && wheel.next() != kNever) {
      going = advance(wheel, wheel.now() + 1024, config);
    }
    report_links(network, before, mark_links(network), std::max(wheel.now(), Cycle{1}), result);
  } else {
    going = advance(wheel, config.warm_up, config);
    const std::vector<LinkMark> before = mark_links(network);
    going = going && advance(wheel, end_measure, config);
    report_links(network, before, mark_links(network), config.measure, result);
  }
  going = going && drain(network, config.drain > kNever - wheel.now() ? kNever : wheel.now() + config.drain, config);
  result.interrupted = !going;

  run.account.report(result);
  if (result.capacity > 0) {
    result.offered_share = result.offered / result.capacity;
    result.accepted_share = result.accepted / result.capacity;
  }
  result.hops = network.hops();
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    for (unsigned d = 0; d < topology.directions(); ++d) {
      const LinkCounters link = network.link(node, static_cast<Direction>(d));
      result.crc_errors += link.crc_errors;
      result.retransmissions += link.retransmissions;
    }
  }
  result.drained = network.in_flight() == 0 && network.pool().in_use() == 0 && result.generated == result.delivered;
  result.stuck = network.progress().stuck();
  if (result.stuck) result.stuck_report = stuck_report(network).text();
  result.cycles = run.account.last_delivery();
  result.wheel_events = wheel.events();
  result.memory_per_router =
      static_cast<double>(network.memory_bytes() + wheel.memory_bytes() + topology.nodes() * sizeof(TrafficEndpoint)) /
      topology.nodes();
  if (config.on_end) config.on_end();
  return result;
}

}  // namespace toroid
