// SPDX-License-Identifier: Apache-2.0
#include "torus/traffic/capacity.h"

#include <algorithm>
#include <vector>

namespace toroid {
namespace {

/// Packets that go from coordinate to coordinate of one dimension, as a matrix; then per link position.
class PlaneFlows {
 public:
  PlaneFlows(const Topology& topology, unsigned dimension)
      : topology_(topology), dimension_(dimension), extent_(topology.extent(dimension)), packets_(extent_ * extent_) {}

  void add(unsigned from, unsigned to, double packets) { packets_[from * extent_ + to] += packets; }

  /// The most that crosses between two planes in one direction, a link.
  double busiest(const LinkSlowness& slowness) const {
    std::vector<double> plus(extent_);   // plus[i]: from plane i to i + 1
    std::vector<double> minus(extent_);  // minus[i]: from plane i to i - 1
    for (unsigned from = 0; from < extent_; ++from) {
      for (unsigned to = 0; to < extent_; ++to) {
        const double packets = packets_[from * extent_ + to];
        if (packets > 0 && from != to) spread(from, to, packets, plus, minus);
      }
    }
    const double most = std::max(*std::max_element(plus.begin(), plus.end()) * slowness[2 * dimension_],
                                 *std::max_element(minus.begin(), minus.end()) * slowness[2 * dimension_ + 1]);
    return most / (topology_.routers() / extent_ * topology_.links(dimension_));
  }

 private:
  void spread(unsigned from, unsigned to, double packets, std::vector<double>& plus, std::vector<double>& minus) const {
    const unsigned up = (to + extent_ - from) % extent_;
    const unsigned down = extent_ - up;
    double share_up = up < down ? 1 : up > down ? 0 : 0.5;
    if (!topology_.torus(dimension_)) share_up = to > from ? 1 : 0;
    for (unsigned i = 0; share_up > 0 && i < up; ++i) plus[(from + i) % extent_] += share_up * packets;
    for (unsigned i = 0; share_up < 1 && i < down; ++i) {
      minus[(from + extent_ - i) % extent_] += (1 - share_up) * packets;
    }
  }

  const Topology& topology_;
  unsigned dimension_;
  unsigned extent_;
  std::vector<double> packets_;
};

/// Links of a router, slow ones counted for less.
double links_of(const Topology& topology, std::uint32_t router, const LinkSlowness& slowness) {
  double links = 0;
  for (unsigned d = 0; d < topology.directions(); ++d) {
    const std::uint32_t other = topology.neighbour(router, static_cast<Direction>(d));
    if (other != kNoNode && other != router) links += topology.links(d / 2) / slowness[d];
  }
  return links;
}

/// What the nodes of each router send to others, and get from them.
struct RouterTraffic {
  explicit RouterTraffic(std::uint32_t routers) : sent(routers), received(routers) {}
  std::vector<double> sent;
  std::vector<double> received;
};

RouterTraffic router_traffic(const Topology& topology, const TrafficPattern& pattern) {
  RouterTraffic traffic(topology.routers());
  // Of what goes to all other nodes alike.
  const double inside = pattern.uniform_share() * (topology.layout().nodes - 1) / (topology.nodes() - 1);
  for (double& received : traffic.received) received = topology.layout().nodes * (pattern.uniform_share() - inside);
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    const std::uint32_t router = topology.router_of(node);
    if (!pattern.sends(node)) continue;
    traffic.sent[router] += 1 - inside;
    for (const auto& flow : pattern.flows(node)) {
      const std::uint32_t to = topology.router_of(flow.destination);
      if (to == router && flow.destination != node) {
        traffic.sent[router] -= flow.share;
      } else {
        traffic.received[to] += flow.share;
      }
    }
  }
  return traffic;
}

}  // namespace

double busiest_link_share(const Topology& topology, const TrafficPattern& pattern, const LinkSlowness& slowness) {
  const std::uint32_t nodes = topology.nodes();
  if (nodes < 2) return 0;
  const double uniform = pattern.uniform_share();
  std::vector<PlaneFlows> planes;
  for (unsigned d = 0; d < topology.dimensions(); ++d) {
    planes.emplace_back(topology, d);
    // To all other nodes alike: of nodes / extent senders in each plane, to as many in each plane.
    const double senders = static_cast<double>(nodes) / topology.extent(d);
    for (unsigned from = 0; uniform > 0 && from < topology.extent(d); ++from) {
      for (unsigned to = 0; to < topology.extent(d); ++to) {
        planes[d].add(from, to, uniform * senders * senders / (nodes - 1));
      }
    }
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (!pattern.sends(node)) continue;
    const Coordinates from = topology.coordinates(node);
    for (const auto& flow : pattern.flows(node)) {
      const Coordinates to = topology.coordinates(flow.destination);
      for (unsigned d = 0; d < topology.dimensions(); ++d) planes[d].add(from[d], to[d], flow.share);
    }
  }
  double most = 0;
  for (const PlaneFlows& plane : planes) most = std::max(most, plane.busiest(slowness));
  const RouterTraffic traffic = router_traffic(topology, pattern);
  for (std::uint32_t router = 0; router < topology.routers(); ++router) {
    const double links = links_of(topology, router, slowness);
    if (links > 0) most = std::max({most, traffic.received[router] / links, traffic.sent[router] / links});
  }
  return most;
}

}  // namespace toroid
