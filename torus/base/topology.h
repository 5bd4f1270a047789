// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "torus/base/dimensions.h"

namespace toroid {

inline constexpr std::uint32_t kNoNode = ~std::uint32_t{0};

/// Which way a packet goes around a ring when both ways are equally long.
enum class TieRule : std::uint8_t {
  parity,      ///< plus from even coordinates, minus from odd ones: both directions of a ring carry the same load
  plus,        ///< always plus
  sum_parity,  ///< plus from nodes with an even sum of coordinates, minus from the others
};

/// Extent of each dimension, and whether its ends are joined.
struct Shape {
  unsigned dimensions = 3;
  std::array<std::uint16_t, kMaxDimensions> extent{1, 1, 1, 1, 1};
  std::array<bool, kMaxDimensions> torus{true, true, true, true, true};
  std::string names;  ///< a letter for each dimension, as the machine has them; empty: they are numbered from 0 on

  /// "8x8x8", "4x4x4x4x2"; a dimension followed by 'm' is a mesh ("8x8x4m"). Throws std::invalid_argument.
  static Shape parse(const std::string& text, const std::string& names = {});
  std::string text() const;
  /// "X+".
  std::string direction_name(Direction direction) const {
    const unsigned dimension = direction / 2;
    return (names.empty() ? std::to_string(dimension) : std::string(1, names[dimension])) +
           (direction % 2 == 0 ? "+" : "-");
  }
  /// "X+" and, for the second of parallel links, "X+2".
  std::string link_name(Direction direction, unsigned lane) const {
    return direction_name(direction) + (lane == 0 ? "" : std::to_string(lane + 1));
  }
};

/// What stands at each point of the torus, and how many links lead from it.
struct RouterLayout {
  unsigned nodes = 1;                                             ///< at one router
  std::array<std::uint8_t, kMaxDimensions> links{1, 1, 1, 1, 1};  ///< parallel links of each direction, by dimension
};

/// Per dimension, the last coordinate reached by going plus and by going minus (torus DCRs +0x05 and +0x06): a
/// destination above the own coordinate is reached by plus when it is <= plus[d], one below it by minus when it
/// is >= minus[d], otherwise the other way around.
struct CutOffs {
  Coordinates plus{};
  Coordinates minus{};
};

/// Which nodes there are and which are joined. Routers are numbered with the first dimension varying fastest; the nodes
/// of one router follow each other. With one node a router, the two numbers are the same.
class Topology {
 public:
  /// Throws std::invalid_argument for an impossible shape.
  explicit Topology(const Shape& shape, const RouterLayout& layout = {});

  const Shape& shape() const { return shape_; }
  unsigned dimensions() const { return shape_.dimensions; }
  unsigned directions() const { return 2 * shape_.dimensions; }
  unsigned extent(unsigned dimension) const { return shape_.extent[dimension]; }
  bool torus(unsigned dimension) const { return shape_.torus[dimension]; }
  std::uint32_t nodes() const { return routers_ * layout_.nodes; }
  std::uint32_t routers() const { return routers_; }
  std::string direction_name(Direction direction) const { return shape_.direction_name(direction); }
  const RouterLayout& layout() const { return layout_; }
  /// Parallel links of each direction of a dimension.
  unsigned links(unsigned dimension) const { return layout_.links[dimension]; }

  std::uint32_t router_of(std::uint32_t node) const { return layout_.nodes == 1 ? node : node / layout_.nodes; }
  /// Which of its router's nodes it is.
  unsigned local(std::uint32_t node) const { return layout_.nodes == 1 ? 0 : node % layout_.nodes; }
  std::uint32_t node(const Coordinates& at, unsigned local = 0) const { return router(at) * layout_.nodes + local; }
  std::uint32_t router(const Coordinates& at) const;
  Coordinates coordinates(std::uint32_t node) const { return router_coordinates(router_of(node)); }
  Coordinates router_coordinates(std::uint32_t router) const;
  bool contains(const Coordinates& at) const;
  /// The router behind the links in `direction`, or kNoNode at the edge of a mesh.
  std::uint32_t neighbour(std::uint32_t router, Direction direction) const;

  /// Fewest hops between two coordinates of a dimension, and between two nodes.
  unsigned distance(unsigned dimension, unsigned from, unsigned to) const;
  unsigned distance(std::uint32_t from, std::uint32_t to) const;

  /// The cut-offs that make every route minimal, equal distances decided by `rule`.
  CutOffs minimal_cut_offs(const Coordinates& at, TieRule rule) const;
  /// The hint bits for a packet from `from` to `to` by the given cut-offs; 0 when they are the same node.
  std::uint16_t hints(const Coordinates& from, const Coordinates& to, const CutOffs& cut_offs) const;

  /// Links, counted one way, that cross the narrowest of the cuts of the machine into halves along one dimension.
  std::uint64_t bisection_links() const;

 private:
  Shape shape_;
  RouterLayout layout_;
  std::uint32_t routers_ = 0;
};

/// "(1,0,2)".
std::string coordinates_text(const Coordinates& at, unsigned dimensions);

}  // namespace toroid
