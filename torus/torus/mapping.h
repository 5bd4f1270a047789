// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

#include "torus/base/topology.h"

namespace toroid {

/// A fault in a mapping file; what() begins with "FILE:LINE: " ("FILE: " for the file as a whole).
class MappingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Where a rank runs: a node, and the processor in it (t; 0 with one process a node).
struct Place {
  std::uint32_t node = 0;
  std::uint32_t processor = 0;
};

/// Ranks to places and back. The default, XYZT, counts x fastest, then y, z and the further dimensions, and t slowest:
/// with one process a node, rank and node number are the same.
class Mapping {
 public:
  /// All places in XYZT order.
  static Mapping xyzt(const Topology& topology, unsigned processors_per_node = 1);
  /// All places in an order of letters, one for each dimension and T for the processor: the last one counts fastest
  /// ("ABCDET" fills a node, then goes on along E). Throws MappingError unless each stands there once.
  static Mapping by_letters(const std::string& letters, const Topology& topology, unsigned processors_per_node = 1);
  /// From text with one line per rank: a coordinate per dimension, then t. Empty lines and what follows a '#' do not
  /// count. The first `ranks` ranks must be there; 0 stands for one at each place. Throws MappingError; `name` is the
  /// file's name in messages.
  static Mapping parse(std::istream& text, const std::string& name, const Topology& topology,
                       unsigned processors_per_node = 1, std::uint32_t ranks = 0);
  static Mapping load(const std::string& path, const Topology& topology, unsigned processors_per_node = 1,
                      std::uint32_t ranks = 0);

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(places_.size()); }
  Place place(std::uint32_t rank) const { return places_[rank]; }
  /// The rank at a place, or kNoRank.
  std::uint32_t rank(const Place& place) const { return ranks_[place.node * processors_ + place.processor]; }
  static constexpr std::uint32_t kNoRank = ~std::uint32_t{0};

 private:
  Mapping(std::uint32_t nodes, unsigned processors)
      : processors_(processors), ranks_(std::size_t{nodes} * processors, kNoRank) {}
  void add(const Place& place);

  unsigned processors_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> ranks_;
};

}  // namespace toroid
