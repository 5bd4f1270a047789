// SPDX-License-Identifier: Apache-2.0
#include "torus/traffic/pattern.h"

#include <numeric>
#include <stdexcept>

#include "torus/base/random.h"

namespace toroid {
namespace {

std::uint32_t any_other(std::uint32_t nodes, std::uint32_t node, std::uint64_t& random) {
  const std::uint32_t other = next_random(random, nodes - 1);
  return other + (other >= node);
}

/// Any other node, with equal chance.
class Uniform final : public TrafficPattern {
 public:
  explicit Uniform(const Topology& topology) : nodes_(topology.nodes()) {}
  std::uint32_t destination(std::uint32_t node, std::uint32_t, std::uint64_t& random) const override {
    return any_other(nodes_, node, random);
  }
  bool sends(std::uint32_t) const override { return nodes_ > 1; }
  double uniform_share() const override { return 1; }
  std::vector<Flow> flows(std::uint32_t) const override { return {}; }

 private:
  std::uint32_t nodes_;
};

/// Any direct neighbour, with equal chance for each link.
class Neighbour final : public TrafficPattern {
 public:
  explicit Neighbour(const Topology& topology) : topology_(topology) {}
  std::uint32_t destination(std::uint32_t node, std::uint32_t, std::uint64_t& random) const override {
    const std::vector<std::uint32_t> all = neighbours(node);
    return all[next_random(random, static_cast<std::uint32_t>(all.size()))];
  }
  bool sends(std::uint32_t node) const override { return !neighbours(node).empty(); }
  std::vector<Flow> flows(std::uint32_t node) const override {
    std::vector<Flow> result;
    const std::vector<std::uint32_t> all = neighbours(node);
    for (const std::uint32_t other : all) result.push_back({other, 1.0 / static_cast<double>(all.size())});
    return result;
  }

 private:
  std::vector<std::uint32_t> neighbours(std::uint32_t node) const {
    std::vector<std::uint32_t> result;
    const std::uint32_t router = topology_.router_of(node);
    for (unsigned d = 0; d < topology_.directions(); ++d) {
      const std::uint32_t other = topology_.neighbour(router, static_cast<Direction>(d));
      if (other != kNoNode && other != router) {
        result.push_back(other * topology_.layout().nodes + topology_.local(node));
      }
    }
    return result;
  }
  Topology topology_;
};

/// One fixed destination a node: the node of the same rank at the router that a function of its coordinates gives.
class Permutation final : public TrafficPattern {
 public:
  using Function = std::uint32_t (*)(const Topology&, const Coordinates&);
  Permutation(const Topology& topology, Function function) : topology_(topology), function_(function) {}
  std::uint32_t destination(std::uint32_t node, std::uint32_t, std::uint64_t&) const override {
    return destination(node);
  }
  bool sends(std::uint32_t node) const override { return destination(node) != node; }
  std::vector<Flow> flows(std::uint32_t node) const override { return {{destination(node), 1.0}}; }

 private:
  std::uint32_t destination(std::uint32_t node) const {
    return function_(topology_, topology_.coordinates(node)) * topology_.layout().nodes + topology_.local(node);
  }

  Topology topology_;
  Function function_;
};

/// Every coordinate to its mirror image.
std::uint32_t complement(const Topology& topology, const Coordinates& at) {
  Coordinates to{};
  for (unsigned d = 0; d < topology.dimensions(); ++d)
    to[d] = static_cast<std::uint8_t>(topology.extent(d) - 1 - at[d]);
  return topology.router(to);
}

/// The router number's digits read in the opposite order: x and z change places where the extents are equal, and it is
/// a permutation where they are not.
std::uint32_t transpose(const Topology& topology, const Coordinates& at) {
  std::uint32_t number = 0;
  for (unsigned d = 0; d < topology.dimensions(); ++d) number = number * topology.extent(d) + at[d];
  return number;
}

/// Just under half-way around each ring, all the same way.
std::uint32_t tornado(const Topology& topology, const Coordinates& at) {
  Coordinates to{};
  for (unsigned d = 0; d < topology.dimensions(); ++d) {
    const unsigned extent = topology.extent(d);
    to[d] = static_cast<std::uint8_t>((at[d] + (extent - 1) / 2) % extent);
  }
  return topology.router(to);
}

/// Every sender to the node of the same rank that lies a fixed displacement away, around the rings.
class Displacement final : public TrafficPattern {
 public:
  Displacement(const Topology& topology, const PatternOptions& options) : topology_(topology), options_(options) {
    if (options.senders_every == 0) throw std::invalid_argument("senders_every must be at least 1");
  }
  std::uint32_t destination(std::uint32_t node, std::uint32_t, std::uint64_t&) const override {
    return destination(node);
  }
  bool sends(std::uint32_t node) const override {
    return topology_.coordinates(node)[0] % options_.senders_every == 0 && destination(node) != node;
  }
  std::vector<Flow> flows(std::uint32_t node) const override { return {{destination(node), 1.0}}; }

 private:
  std::uint32_t destination(std::uint32_t node) const {
    Coordinates at = topology_.coordinates(node);
    for (unsigned d = 0; d < topology_.dimensions(); ++d) {
      at[d] = static_cast<std::uint8_t>((at[d] + options_.displacement[d]) % topology_.extent(d));
    }
    return topology_.node(at, topology_.local(node));
  }

  Topology topology_;
  PatternOptions options_;
};

/// A share of the packets to one node, the rest uniform.
class Hotspot final : public TrafficPattern {
 public:
  Hotspot(const Topology& topology, const PatternOptions& options)
      : nodes_(topology.nodes()), hot_(options.hotspot_node), share_(options.hotspot_share) {
    if (hot_ >= nodes_)
      throw std::invalid_argument("the hot spot is node " + std::to_string(hot_) + " of " + std::to_string(nodes_));
    if (share_ < 0 || share_ > 1) throw std::invalid_argument("the hot spot's share must be from 0 to 1");
  }
  std::uint32_t destination(std::uint32_t node, std::uint32_t, std::uint64_t& random) const override {
    if (node != hot_ && next_unit(random) <= share_) return hot_;
    return any_other(nodes_, node, random);
  }
  bool sends(std::uint32_t) const override { return nodes_ > 1; }
  double uniform_share() const override { return 1 - share_; }
  std::vector<Flow> flows(std::uint32_t node) const override {
    if (node == hot_) return {};
    return {{hot_, share_}};
  }

 private:
  std::uint32_t nodes_;
  std::uint32_t hot_;
  double share_;
};

/// Every other node in turn, each node in an order of its own.
class AllToAll final : public TrafficPattern {
 public:
  explicit AllToAll(const Topology& topology) : nodes_(topology.nodes()) {}
  std::uint32_t destination(std::uint32_t node, std::uint32_t serial, std::uint64_t&) const override {
    const std::uint32_t others = nodes_ - 1;
    if (others == 1) return node ^ 1;
    std::uint64_t state = mix(0xA11, node);
    const std::uint32_t start = next_random(state, others);
    std::uint32_t step = 1 + next_random(state, others - 1);
    while (std::gcd(step, others) != 1) step = step % others + 1;
    const auto offset = static_cast<std::uint32_t>((start + std::uint64_t{serial} * step) % others);
    return static_cast<std::uint32_t>((std::uint64_t{node} + 1 + offset) % nodes_);
  }
  bool sends(std::uint32_t) const override { return nodes_ > 1; }
  double uniform_share() const override { return 1; }
  std::vector<Flow> flows(std::uint32_t) const override { return {}; }

 private:
  std::uint32_t nodes_;
};

using Maker = std::unique_ptr<TrafficPattern> (*)(const Topology&, const PatternOptions&);

template <Permutation::Function kFunction>
std::unique_ptr<TrafficPattern> make_permutation(const Topology& topology, const PatternOptions&) {
  return std::make_unique<Permutation>(topology, kFunction);
}
template <typename P>
std::unique_ptr<TrafficPattern> make(const Topology& topology, const PatternOptions&) {
  return std::make_unique<P>(topology);
}

constexpr struct {
  const char* name;
  Maker make;
  const char* needs = "at least two nodes";  ///< what of a shape, for any node to send
} kPatterns[] = {
    {"uniform", make<Uniform>},
    {"neighbour", make<Neighbour>},
    {"complement", make_permutation<complement>},
    {"transpose", make_permutation<transpose>, "at least two dimensions of two nodes or more"},
    {"tornado", make_permutation<tornado>, "a dimension of at least three nodes"},
    {"hotspot",
     [](const Topology& topology, const PatternOptions& options) -> std::unique_ptr<TrafficPattern> {
       return std::make_unique<Hotspot>(topology, options);
     }},
    {"alltoall", make<AllToAll>},
    {"displacement",
     [](const Topology& topology, const PatternOptions& options) -> std::unique_ptr<TrafficPattern> {
       return std::make_unique<Displacement>(topology, options);
     },
     "a displacement that leads to another node"},
};

}  // namespace

std::unique_ptr<TrafficPattern> make_pattern(const std::string& name, const Topology& topology,
                                             const PatternOptions& options) {
  std::string known;
  for (const auto& entry : kPatterns) {
    if (name == entry.name) return entry.make(topology, options);
    known += std::string(known.empty() ? "" : ", ") + entry.name;
  }
  throw std::invalid_argument("traffic pattern '" + name + "' is not one of " + known);
}

std::string pattern_needs(const std::string& name) {
  for (const auto& entry : kPatterns) {
    if (name == entry.name) return entry.needs;
  }
  return "";
}

std::vector<std::string> pattern_names() {
  std::vector<std::string> names;
  for (const auto& entry : kPatterns) names.emplace_back(entry.name);
  return names;
}

}  // namespace toroid
