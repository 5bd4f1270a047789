// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "torus/base/topology.h"
#include "torus/torus/config.h"
#include "torus/traffic/pattern.h"

namespace toroid {

class AnyTorusNetwork;

/// Packets of `chunks` chunks, in proportion to `weight` among all sizes of a mix.
struct PacketShare {
  unsigned chunks = 0;
  double weight = 1;
};

/// What any run of the network alone is given, without processors.
struct NetworkRun {
  explicit NetworkRun(const TorusConfig& network) : torus(network) {}

  TorusConfig torus;
  Shape shape;
  std::string pattern = "uniform";
  PatternOptions pattern_options;
  std::uint64_t seed = 1;

  /// Called once, with the network before packets flow, and with the end of the run before the network goes; may be
  /// empty.
  std::function<void(AnyTorusNetwork&)> on_network;
  std::function<void()> on_end;
  /// Called once, when the network is built and the run begins; may be empty.
  std::function<void()> on_start;
  /// Not 0: endpoints are made, and the events of each cycle run, in a random order drawn with this number. No result
  /// depends on it.
  std::uint64_t elaboration_order = 0;
  /// Asked every few thousand cycles; the run ends early, undrained, when it says no. May be empty.
  std::function<bool()> keep_going;
};

/// Open-loop sources with geometric gaps at every node, and sinks that take every packet at once.
struct TrafficConfig : NetworkRun {
  using NetworkRun::NetworkRun;

  /// Injection rate as a share of capacity: 1.0 = the busiest link is never idle under ideal minimal balanced routing
  /// (busiest_link_share()); for uniform traffic on a torus, the bisection bound. Links are taken as wide as X+.
  double load = 0.3;
  /// Share of the packets that are dynamic (adaptively routed); the others are deterministic.
  double adaptive_share = 1;
  /// Of the dynamic packets, where routers have zones.
  unsigned zone = 0;
  bool stay_on_bubble = false;  ///< dynamic packets that have escaped
  /// Share of the packets that travel in another message class than the first. Dynamic packets do so only if such a
  /// class has adaptive channels.
  double other_classes_share = 0;
  std::vector<PacketShare> sizes;  ///< empty: maximum packets
  Cycle warm_up = 20000;
  Cycle measure = 50000;
  /// Most cycles that draining may take after measuring.
  Cycle drain = 10000000;
  /// Keep account of every packet: each delivered once, deterministic ones in order.
  bool check = false;
  /// When not 0: sources send as fast as the network takes it until it has made this many packet-hops, then drain;
  /// load, warm_up and measure do not count.
  std::uint64_t fill_hops = 0;
};

struct LinkLoad {
  std::uint32_t router = 0;  ///< that sends
  Direction direction = 0;
  unsigned lane = 0;  ///< which of parallel links
  std::uint64_t packets = 0;
  std::uint64_t retransmissions = 0;
  double load = 0;  ///< share of the measured cycles in which it was busy
};

struct TrafficResult {
  std::uint32_t nodes = 0;
  std::uint32_t sending_nodes = 0;
  double busiest_link_share = 0;       ///< packets on the busiest link for a packet of every node
  double capacity = 0;                 ///< bytes (of chunks) a sending node and cycle at load 1.0
  double offered = 0;                  ///< bytes generated a sending node and cycle while measuring
  double accepted = 0;                 ///< bytes delivered a sending node and cycle while measuring
  double offered_share = 0;            ///< of capacity
  double accepted_share = 0;           ///< above 1 only while buffers fill (a hot spot, a short run)
  double accepted_packets = 0;         ///< packets a sending node and cycle
  std::uint64_t measured_packets = 0;  ///< generated while measuring and delivered; the latencies are theirs
  double latency_mean = 0;             ///< cycles from generation, waiting at the source included
  std::uint64_t latency_min = 0;
  std::uint64_t latency_p50 = 0;
  std::uint64_t latency_p95 = 0;
  std::uint64_t latency_p99 = 0;
  std::uint64_t latency_max = 0;
  double network_latency_mean = 0;  ///< cycles from the injection FIFO
  double hops_mean = 0;
  double link_load_mean = 0;
  double link_load_max = 0;
  std::vector<LinkLoad> links;  ///< by router and port, while measuring
  std::uint64_t generated = 0;  ///< whole run
  std::uint64_t delivered = 0;
  std::uint64_t hops = 0;
  std::uint64_t crc_errors = 0;
  std::uint64_t retransmissions = 0;
  std::uint64_t repeated = 0;      ///< check: packets delivered again
  std::uint64_t misdelivered = 0;  ///< check: at a node that is not theirs
  std::uint64_t reordered = 0;     ///< check: deterministic packets that overtook one of the same flow
  bool drained = false;            ///< everything generated has been delivered
  bool interrupted = false;        ///< keep_going said no
  bool stuck = false;              ///< nothing moved for stuck_after cycles
  std::string stuck_report;        ///< what waits where
  Cycle cycles = 0;                ///< when the last packet was delivered
  std::uint64_t digest = 0;        ///< of every delivery (packet, node, cycle): equal runs have equal ones
  std::uint64_t wheel_events = 0;
  double memory_per_router = 0;  ///< host bytes, everything included
};

/// The routers that a configuration asks for. Throws std::invalid_argument if there is no such family, or none for so
/// many dimensions.
const RouterFamily& router_family(const NetworkRun& config);

/// How many nodes send. Throws std::invalid_argument if none does.
std::uint32_t count_senders(const NetworkRun& config, const Topology& topology, const TrafficPattern& pattern);

/// Throws std::invalid_argument for a network that cannot be, or in which no node sends.
void check_network(const NetworkRun& config);

/// Throws std::invalid_argument for a configuration that makes no sense, as run_traffic() does before it begins.
void check_traffic(const TrafficConfig& config);

/// Of a packet of `bytes`. Throws std::invalid_argument, saying which sizes there are, if routers of the family take no
/// such packet.
unsigned chunks_of_packet(const RouterFamily& family, unsigned bytes);

/// Throws std::invalid_argument for a configuration that makes no sense.
TrafficResult run_traffic(const TrafficConfig& config);

}  // namespace toroid
