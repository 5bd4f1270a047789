// SPDX-License-Identifier: Apache-2.0
#include "torus/base/topology.h"

#include <algorithm>
#include <stdexcept>

namespace toroid {

Shape Shape::parse(const std::string& text, const std::string& names) {
  Shape shape;
  shape.names = names;
  shape.dimensions = 0;
  const auto fail = [&](const std::string& why) {
    throw std::invalid_argument("shape '" + text + "': " + why + "; a shape looks like 8x8x8 or, with a mesh, 8x8x4m");
  };
  std::size_t at = 0;
  while (true) {
    if (shape.dimensions == kMaxDimensions) fail("more than 5 dimensions");
    unsigned extent = 0;
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && extent <= 256) {
      extent = extent * 10 + static_cast<unsigned>(text[at++] - '0');
    }
    if (at == start) fail("a number is missing");
    if (extent < 1 || extent > 256) fail("an extent must be from 1 to 256");
    shape.extent[shape.dimensions] = static_cast<std::uint16_t>(extent);
    if (at < text.size() && text[at] == 'm') {
      shape.torus[shape.dimensions] = false;
      ++at;
    }
    ++shape.dimensions;
    if (at == text.size()) return shape;
    if (text[at++] != 'x') fail("the extents must be joined by x");
  }
}

std::string Shape::text() const {
  std::string result;
  for (unsigned d = 0; d < dimensions; ++d) {
    if (d) result += 'x';
    result += std::to_string(extent[d]);
    if (!torus[d]) result += 'm';
  }
  return result;
}

Topology::Topology(const Shape& shape, const RouterLayout& layout) : shape_(shape), layout_(layout) {
  if (shape.dimensions < 1 || shape.dimensions > kMaxDimensions) {
    throw std::invalid_argument("a torus has 1 to 5 dimensions, not " + std::to_string(shape.dimensions));
  }
  std::uint64_t nodes = layout.nodes;
  for (unsigned d = 0; d < shape.dimensions; ++d) {
    if (shape.extent[d] < 1 || shape.extent[d] > 256) {
      throw std::invalid_argument("dimension " + std::to_string(d) + " has extent " + std::to_string(shape.extent[d]) +
                                  "; it must be from 1 to 256 (8-bit coordinates)");
    }
    nodes *= shape.extent[d];
  }
  if (nodes > (std::uint64_t{1} << 24)) {
    throw std::invalid_argument("shape " + shape.text() + " has " + std::to_string(nodes) +
                                " nodes; at most 2^24 are possible");
  }
  for (unsigned d = shape.dimensions; d < kMaxDimensions; ++d) shape_.extent[d] = 1;
  routers_ = static_cast<std::uint32_t>(nodes / layout.nodes);
}

std::uint32_t Topology::router(const Coordinates& at) const {
  std::uint32_t number = 0;
  for (unsigned d = shape_.dimensions; d-- > 0;) number = number * shape_.extent[d] + at[d];
  return number;
}

Coordinates Topology::router_coordinates(std::uint32_t router) const {
  Coordinates at{};
  for (unsigned d = 0; d < shape_.dimensions; ++d) {
    at[d] = static_cast<std::uint8_t>(router % shape_.extent[d]);
    router /= shape_.extent[d];
  }
  return at;
}

bool Topology::contains(const Coordinates& at) const {
  for (unsigned d = 0; d < kMaxDimensions; ++d) {
    if (at[d] >= shape_.extent[d]) return false;
  }
  return true;
}

std::uint32_t Topology::neighbour(std::uint32_t router, Direction direction) const {
  const unsigned d = direction / 2;
  Coordinates at = router_coordinates(router);
  const unsigned extent = shape_.extent[d];
  const bool plus = direction % 2 == 0;
  if (!shape_.torus[d] && at[d] == (plus ? extent - 1 : 0)) return kNoNode;
  at[d] = static_cast<std::uint8_t>((at[d] + (plus ? 1 : extent - 1)) % extent);
  return this->router(at);
}

unsigned Topology::distance(unsigned dimension, unsigned from, unsigned to) const {
  const unsigned straight = from < to ? to - from : from - to;
  return shape_.torus[dimension] ? std::min(straight, shape_.extent[dimension] - straight) : straight;
}

unsigned Topology::distance(std::uint32_t from, std::uint32_t to) const {
  const Coordinates a = coordinates(from);
  const Coordinates b = coordinates(to);
  unsigned hops = 0;
  for (unsigned d = 0; d < shape_.dimensions; ++d) hops += distance(d, a[d], b[d]);
  return hops;
}

CutOffs Topology::minimal_cut_offs(const Coordinates& at, TieRule rule) const {
  CutOffs cut_offs;
  unsigned sum = 0;
  for (unsigned d = 0; d < shape_.dimensions; ++d) sum += at[d];
  for (unsigned d = 0; d < shape_.dimensions; ++d) {
    const int extent = shape_.extent[d];
    const int here = at[d];
    if (!shape_.torus[d]) {
      cut_offs.plus[d] = static_cast<std::uint8_t>(extent - 1);
      cut_offs.minus[d] = 0;
      continue;
    }
    const bool odd = (rule == TieRule::sum_parity ? sum : at[d]) % 2 != 0;
    const bool tie_plus = rule == TieRule::plus || !odd;
    const int reach_plus = tie_plus ? extent / 2 : (extent - 1) / 2;
    const int reach_minus = tie_plus ? (extent - 1) / 2 : extent / 2;
    cut_offs.plus[d] = static_cast<std::uint8_t>(std::min(here + reach_plus, extent - 1));
    cut_offs.minus[d] = static_cast<std::uint8_t>(std::max(here - reach_minus, 0));
  }
  return cut_offs;
}

std::uint16_t Topology::hints(const Coordinates& from, const Coordinates& to, const CutOffs& cut_offs) const {
  unsigned hints = 0;
  // Without branches on coordinates: destinations are random, so no host predicts them.
  for (unsigned d = 0; d < shape_.dimensions; ++d) {
    const bool above = to[d] > from[d];
    const bool below = to[d] < from[d];
    // A mesh has one way; whatever software has set, a packet cannot leave its edge.
    const bool joined = shape_.torus[d];
    const bool beyond_plus = joined & above & (to[d] > cut_offs.plus[d]);  // the other way around is chosen
    const bool beyond_minus = joined & below & (to[d] < cut_offs.minus[d]);
    hints |= unsigned{(above & !beyond_plus) | beyond_minus} << (2 * d);
    hints |= unsigned{(below & !beyond_minus) | beyond_plus} << (2 * d + 1);
  }
  return static_cast<std::uint16_t>(hints);
}

std::uint64_t Topology::bisection_links() const {
  std::uint64_t fewest = 0;
  for (unsigned d = 0; d < shape_.dimensions; ++d) {
    const unsigned extent = shape_.extent[d];
    if (extent < 2) continue;
    // A ring is cut in two places; each cut has links both ways.
    const std::uint64_t links = std::uint64_t{routers_} / extent * layout_.links[d] * (shape_.torus[d] ? 4 : 2);
    if (!fewest || links < fewest) fewest = links;
  }
  return fewest;
}

std::string coordinates_text(const Coordinates& at, unsigned dimensions) {
  std::string text = "(";
  for (unsigned d = 0; d < dimensions; ++d) text += (d ? "," : "") + std::to_string(at[d]);
  return text + ")";
}

}  // namespace toroid
