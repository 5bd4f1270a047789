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
  double busiest() const {
    std::vector<double> plus(extent_);   // plus[i]: from plane i to i + 1
    std::vector<double> minus(extent_);  // minus[i]: from plane i to i - 1
    for (unsigned from = 0; from < extent_; ++from) {
      for (unsigned to = 0; to < extent_; ++to) {
        const double packets = packets_[from * extent_ + to];
        if (packets > 0 && from != to) spread(from, to, packets, plus, minus);
      }
    }
    const double most =
        std::max(*std::max_element(plus.begin(), plus.end()), *std::max_element(minus.begin(), minus.end()));
    return most / (topology_.nodes() / extent_);
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

unsigned links_of(const Topology& topology, std::uint32_t node) {
  unsigned links = 0;
  for (unsigned d = 0; d < topology.directions(); ++d) {
    const std::uint32_t other = topology.neighbour(node, static_cast<Direction>(d));
    links += other != kNoNode && other != node;
  }
  return links;
}

}  // namespace

double busiest_link_share(const Topology& topology, const TrafficPattern& pattern) {
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
  std::vector<double> received(nodes, uniform);
  double most = 0;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (!pattern.sends(node)) continue;
    const Coordinates from = topology.coordinates(node);
    for (const auto& flow : pattern.flows(node)) {
      const Coordinates to = topology.coordinates(flow.destination);
      for (unsigned d = 0; d < topology.dimensions(); ++d) planes[d].add(from[d], to[d], flow.share);
      received[flow.destination] += flow.share;
    }
  }
  for (const PlaneFlows& plane : planes) most = std::max(most, plane.busiest());
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const double links = links_of(topology, node);
    if (links > 0) most = std::max({most, received[node] / links, pattern.sends(node) ? 1 / links : 0.0});
  }
  return most;
}

}  // namespace toroid
