// SPDX-License-Identifier: Apache-2.0
// A traffic run on one family of routers; included where it is instantiated (families.cpp, and tests with families of
// their own).
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "torus/base/random.h"
#include "torus/torus/latency.h"
#include "torus/torus/network.h"
#include "torus/torus/stuck_report.h"
#include "torus/traffic/capacity.h"
#include "torus/traffic/endpoint_run.h"
#include "torus/traffic/traffic.h"

namespace toroid {
namespace traffic {

struct LinkMark {
  std::uint64_t packets = 0;
  Cycle busy{};
  std::uint64_t retransmissions = 0;
};

template <typename F>
std::vector<LinkMark> mark_links(const BasicTorusNetwork<F>& network) {
  std::vector<LinkMark> marks;
  const std::uint32_t routers = network.topology().routers();
  marks.reserve(std::size_t{routers} * network.ports());
  for (std::uint32_t router = 0; router < routers; ++router) {
    for (unsigned port = 0; port < network.ports(); ++port) {
      const LinkCounters link = network.link(router, port);
      marks.push_back({link.packets, link.busy_cycles, link.retransmissions});
    }
  }
  return marks;
}

template <typename F>
void report_links(const BasicTorusNetwork<F>& network, const std::vector<LinkMark>& before,
                  const std::vector<LinkMark>& after, Cycle cycles, TrafficResult& result) {
  double sum = 0;
  for (std::uint32_t router = 0; router < network.topology().routers(); ++router) {
    for (unsigned port = 0; port < network.ports(); ++port) {
      if (network.router(router).neighbour(port) == kNoNode) continue;
      const std::size_t i = std::size_t{router} * network.ports() + port;
      LinkLoad load;
      load.router = router;
      load.direction = FamilyTables<F>::direction_of(port);
      load.lane = FamilyTables<F>::lane_of(port);
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

/// The nodes in the order in which their endpoints are made; has the wheel shuffle events as well if asked to.
inline std::vector<std::uint32_t> elaboration_order(const NetworkRun& config, Wheel& wheel, std::uint32_t count) {
  std::vector<std::uint32_t> nodes(count);
  std::iota(nodes.begin(), nodes.end(), 0);
  if (config.elaboration_order != 0) {
    wheel.shuffle(config.elaboration_order);
    std::uint64_t random = config.elaboration_order;
    shuffle(nodes, random);
  }
  return nodes;
}

/// Runs the wheel to `limit`, or until keep_going says no; returns whether it got there.
inline bool advance(Wheel& wheel, Cycle limit, const NetworkRun& config) {
  constexpr Cycle kSlice = 4096;
  while (wheel.now() < limit) {
    wheel.run_until(std::min(wheel.now() + kSlice, limit));
    if (config.keep_going && !config.keep_going()) return false;
  }
  return true;
}

/// Runs the wheel until everything generated is delivered, nothing moves any more, or `limit`. The sources are done by
/// then, or have a packet in the network and the next ones behind it. Returns false when keep_going said no.
inline bool drain(AnyTorusNetwork& network, Cycle limit, const NetworkRun& config) {
  Wheel& wheel = network.wheel();
  while (network.in_flight() && wheel.now() < limit && !network.progress().stuck()) {
    if (!advance(wheel, std::min(wheel.now() + 1024, limit), config)) return false;
  }
  return true;
}

/// Reports where a network without progress is stuck, and the host's memory; then the run has ended.
template <typename Endpoint, typename F, typename Result>
void end_run(BasicTorusNetwork<F>& network, const NetworkRun& config, Result& result) {
  result.stuck = network.progress().stuck();
  if (result.stuck) result.stuck_report = stuck_report(network).text();
  const Topology& topology = network.topology();
  const std::uint64_t endpoints = topology.nodes() * sizeof(Endpoint);
  result.memory_per_router =
      static_cast<double>(network.memory_bytes() + network.wheel().memory_bytes() + endpoints) / topology.routers();
  if (config.on_end) config.on_end();
}

template <typename F>
void add_link_errors(const BasicTorusNetwork<F>& network, TrafficResult& result) {
  for (std::uint32_t router = 0; router < network.topology().routers(); ++router) {
    for (unsigned port = 0; port < network.ports(); ++port) {
      const LinkCounters link = network.link(router, port);
      result.crc_errors += link.crc_errors;
      result.retransmissions += link.retransmissions;
    }
  }
}

/// What the sources are to generate, from the offered load.
template <typename F>
void set_load(TrafficRun<F>& run, const TrafficPattern& pattern, TrafficResult& result) {
  const TrafficConfig& config = run.config;
  constexpr const RouterFamily& family = kRouterFamily<F>;
  double weighted_chunks = 0;
  double weighted_cycles = 0;  // on a link of the first direction
  for (const PacketShare& size : config.sizes) {
    run.total_weight += size.weight;
    weighted_chunks += size.weight * size.chunks;
    weighted_cycles += size.weight * static_cast<double>(wire_cycles(config.torus, family, 0, size.chunks));
  }
  LinkSlowness slowness;
  for (unsigned d = 0; d < run.network.topology().directions(); ++d) {
    double cycles = 0;
    for (const PacketShare& size : config.sizes) {
      cycles +=
          size.weight * static_cast<double>(wire_cycles(config.torus, family, static_cast<Direction>(d), size.chunks));
    }
    slowness[d] = cycles / weighted_cycles;
  }
  result.busiest_link_share = busiest_link_share(run.network.topology(), pattern, slowness);
  if (result.busiest_link_share == 0) return;
  const double packets = run.total_weight / (result.busiest_link_share * weighted_cycles);  // a cycle, load 1.0
  result.capacity = packets * F::kChunkBytes * weighted_chunks / run.total_weight;
  run.log_idle = std::log1p(-std::min(config.load * packets, 0.999999));
}

/// Runs the network while the sources generate; returns false when keep_going said no.
template <typename F>
bool generate(TrafficRun<F>& run, TrafficResult& result) {
  BasicTorusNetwork<F>& network = run.network;
  const TrafficConfig& config = run.config;
  Wheel& wheel = network.wheel();
  bool going = true;
  if (config.fill_hops) {
    const std::vector<LinkMark> before = mark_links(network);
    while (going && !run.stopped && !network.progress().stuck() && wheel.next() != kNever) {
      going = advance(wheel, wheel.now() + 1024, config);
      run.stopped = network.hops() >= config.fill_hops;  // between cycles: within one, hops have no order
    }
    report_links(network, before, mark_links(network), std::max(wheel.now(), Cycle{1}), result);
    return going;
  }
  going = advance(wheel, config.warm_up, config);
  const std::vector<LinkMark> before = mark_links(network);
  going = going && advance(wheel, config.warm_up + config.measure, config);
  report_links(network, before, mark_links(network), config.measure, result);
  return going;
}

}  // namespace traffic

/// `config` has packet sizes and has been checked.
template <typename F>
TrafficResult run_traffic_on(const TrafficConfig& config) {
  constexpr const RouterFamily& family = kRouterFamily<F>;
  const Topology topology = router_topology(family, config.shape);
  const std::unique_ptr<TrafficPattern> pattern = make_pattern(config.pattern, topology, config.pattern_options);
  Wheel wheel;
  BasicTorusNetwork<F> network(wheel, config.torus, config.shape, config.seed);
  TrafficRun<F> run(network, config, *pattern);

  TrafficResult result;
  result.nodes = topology.nodes();
  result.sending_nodes = count_senders(config, topology, *pattern);
  if (config.on_network) config.on_network(network);
  traffic::set_load(run, *pattern, result);
  run.stop_generating = config.fill_hops ? kNever : config.warm_up + config.measure;
  network.progress().set_on_stuck([&wheel] { wheel.hold(wheel.now()); });

  const auto endpoints = std::make_unique<TrafficEndpoint<F>[]>(topology.nodes());
  const std::vector<std::uint32_t> nodes = traffic::elaboration_order(config, wheel, topology.nodes());
  for (const std::uint32_t node : nodes) endpoints[node].initialise(run, node);
  for (const std::uint32_t node : nodes) endpoints[node].start();

  if (config.on_start) config.on_start();

  const bool going =
      traffic::generate(run, result) &&
      traffic::drain(network, config.drain > kNever - wheel.now() ? kNever : wheel.now() + config.drain, config);
  result.interrupted = !going;

  run.account.report(result);
  if (result.capacity > 0) {
    result.offered_share = result.offered / result.capacity;
    result.accepted_share = result.accepted / result.capacity;
  }
  result.hops = network.hops();
  traffic::add_link_errors(network, result);
  result.drained = network.in_flight() == 0 && network.pool().in_use() == 0 && result.generated == result.delivered;
  result.cycles = run.account.last_delivery();
  result.wheel_events = wheel.events();
  traffic::end_run<TrafficEndpoint<F>>(network, config, result);
  return result;
}

}  // namespace toroid
