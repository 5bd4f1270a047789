// SPDX-License-Identifier: Apache-2.0
// A run of messages on one family of routers; included where it is instantiated (families.cpp).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "torus/traffic/message_endpoint.h"
#include "torus/traffic/traffic_run.h"

namespace toroid {
namespace traffic {

/// Fills in what the sources know. All of them are complete.
template <typename F>
void report_sources(const MessageEndpoint<F>* endpoints, const MessageTraffic& config, MessageResult& result) {
  const double bytes = static_cast<double>(config.bytes) * config.count;
  bool first = true;
  const auto add = [&](Spread& spread, double value) {
    spread.min = first ? value : std::min(spread.min, value);
    spread.max = first ? value : std::max(spread.max, value);
    spread.mean += value / result.sending_nodes;
  };
  for (std::uint32_t node = 0; node < result.nodes; ++node) {
    if (!endpoints[node].sends()) continue;
    const auto cycles = static_cast<double>(endpoints[node].time().count());
    add(result.rate, bytes / cycles);
    add(result.operation, cycles / config.count);
    first = false;
  }
}

template <typename F>
void report_link_loads(const BasicTorusNetwork<F>& network, MessageResult& result) {
  double links = 0;
  const auto cycles = static_cast<double>(result.cycles.count());
  for (std::uint32_t router = 0; router < network.topology().routers(); ++router) {
    for (unsigned port = 0; port < network.ports(); ++port) {
      if (network.router(router).neighbour(port) == kNoNode) continue;
      const LinkCounters link = network.link(router, port);
      const double load = static_cast<double>(link.busy_cycles.count()) / cycles;
      result.retransmissions += link.retransmissions;
      result.link_load_mean += load;
      result.link_load_max = std::max(result.link_load_max, load);
      ++links;
    }
  }
  if (links > 0) result.link_load_mean /= links;
}

}  // namespace traffic

/// `config` has been checked.
template <typename F>
MessageResult run_messages_on(const MessageTraffic& config) {
  const Topology topology = router_topology(kRouterFamily<F>, config.shape);
  const std::unique_ptr<TrafficPattern> pattern = make_pattern(config.pattern, topology, config.pattern_options);
  Wheel wheel;
  BasicTorusNetwork<F> network(wheel, config.torus, config.shape, config.seed);
  MessageRun<F> run(network, config, *pattern);

  MessageResult result;
  result.nodes = topology.nodes();
  result.sending_nodes = count_senders(config, topology, *pattern);
  result.packets_of_message = run.cut.count;
  if (config.on_network) config.on_network(network);
  network.progress().set_on_stuck([&wheel] { wheel.hold(wheel.now()); });

  const auto endpoints = std::make_unique<MessageEndpoint<F>[]>(topology.nodes());
  run.endpoints = endpoints.get();
  const std::vector<std::uint32_t> nodes = traffic::elaboration_order(config, wheel, topology.nodes());
  for (const std::uint32_t node : nodes) endpoints[node].initialise(run, node);
  for (const std::uint32_t node : nodes) endpoints[node].start();
  if (config.on_start) config.on_start();

  bool going = true;
  while (going && wheel.next() != kNever && !network.progress().stuck()) {
    going = traffic::advance(wheel, wheel.now() + 1024, config);
  }
  result.interrupted = !going;

  result.messages = run.messages;
  result.packets = run.packets;
  result.hops = network.hops();
  result.hops_mean = run.packets ? static_cast<double>(run.hops) / static_cast<double>(run.packets) : 0;
  result.digest = run.digest;
  result.cycles = run.last;
  result.complete = run.messages == std::uint64_t{result.sending_nodes} * config.count;
  if (result.complete) {
    traffic::report_sources(endpoints.get(), config, result);
    traffic::report_link_loads(network, result);
    result.message = {static_cast<double>(run.least_cycles),
                      static_cast<double>(run.sum_of_cycles) / static_cast<double>(run.messages),
                      static_cast<double>(run.most_cycles)};
  }
  traffic::end_run<MessageEndpoint<F>>(network, config, result);
  return result;
}

}  // namespace toroid
