// SPDX-License-Identifier: Apache-2.0
#include "torus/traffic/traffic.h"

#include <stdexcept>

#include "torus/torus/network.h"
#include "torus/traffic/families.h"

namespace toroid {
namespace {

void validate(const TrafficConfig& config, const RouterFamily& family) {
  const auto require = [](bool good, const char* what) {
    if (!good) throw std::invalid_argument(std::string("traffic: ") + what);
  };
  require(config.load >= 0 && config.load <= 100, "load must be from 0 to 100 (1 = capacity)");
  require(config.adaptive_share >= 0 && config.adaptive_share <= 1, "adaptive_share must be from 0 to 1");
  require(config.other_classes_share >= 0 && config.other_classes_share <= 1,
          "other_classes_share must be from 0 to 1");
  for (const PacketShare& size : config.sizes) {
    if (size.chunks < 1 || size.chunks > family.max_chunks) {
      throw std::invalid_argument("traffic: a packet has 1 to " + std::to_string(family.max_chunks) + " chunks of " +
                                  std::to_string(family.chunk_bytes) + " bytes, not " + std::to_string(size.chunks) +
                                  " (routers of family " + family.name + "; " + kWhatCanBeChanged + ")");
    }
    require(size.weight > 0, "a packet size's weight must be above 0");
  }
  require(config.zone == 0 || (family.zones && config.zone < kZones), "routers have no such zone");
  require(config.fill_hops || config.measure > 0, "measure must be at least 1 cycle");
}

}  // namespace

std::uint32_t count_senders(const NetworkRun& config, const Topology& topology, const TrafficPattern& pattern) {
  std::uint32_t senders = 0;
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) senders += pattern.sends(node);
  if (senders == 0) {
    throw std::invalid_argument("traffic: no node of shape " + config.shape.text() + " sends; the pattern " +
                                config.pattern + " needs " + pattern_needs(config.pattern));
  }
  return senders;
}

void check_network(const NetworkRun& config) {
  const RouterFamily& family = router_family(config);
  config.torus.validate(family);
  const Topology topology = router_topology(family, config.shape);
  count_senders(config, topology, *make_pattern(config.pattern, topology, config.pattern_options));
}

const RouterFamily& router_family(const NetworkRun& config) {
  return *traffic_family(config.torus.router, config.shape.dimensions).family;
}

unsigned chunks_of_packet(const RouterFamily& family, unsigned bytes) {
  const unsigned most = family.chunk_bytes * family.max_chunks;
  if (bytes == 0 || bytes % family.chunk_bytes != 0 || bytes > most) {
    throw std::invalid_argument("traffic: a packet of " + std::to_string(bytes) + " bytes; packets have multiples of " +
                                std::to_string(family.chunk_bytes) + " bytes, up to " + std::to_string(most) +
                                " (routers of family " + family.name + "; " + kWhatCanBeChanged + ")");
  }
  return bytes / family.chunk_bytes;
}

void check_traffic(const TrafficConfig& config) {
  validate(config, router_family(config));
  check_network(config);
}

TrafficResult run_traffic(const TrafficConfig& config) {
  check_traffic(config);
  const TrafficFamily& routers = traffic_family(config.torus.router, config.shape.dimensions);
  if (!config.sizes.empty()) return routers.run(config);
  TrafficConfig maximum = config;
  maximum.sizes = {{routers.family->max_chunks, 1}};
  return routers.run(maximum);
}

}  // namespace toroid
