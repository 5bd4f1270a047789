// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "torus/torus/config.h"
#include "torus/torus/packet.h"

namespace toroid {

inline constexpr std::uint32_t kNoNode = ~std::uint32_t{0};

/// Extent of each dimension, and whether its ends are joined.
struct Shape {
  unsigned dimensions = 3;
  std::array<std::uint16_t, kMaxDimensions> extent{1, 1, 1, 1, 1};
  std::array<bool, kMaxDimensions> torus{true, true, true, true, true};
  std::string names = "XYZUV";  ///< a letter for each dimension, as its machine has them; here for shapes without one

  /// "8x8x8", "4x4x4x4x2"; a dimension followed by 'm' is a mesh ("8x8x4m"). Throws std::invalid_argument.
  static Shape parse(const std::string& text);
  std::string text() const;
  /// "X+".
  std::string direction_name(Direction direction) const {
    return std::string(1, names[direction / 2]) + (direction % 2 == 0 ? "+" : "-");
  }
};

/// Per dimension, the last coordinate reached by going plus and by going minus (torus DCRs +0x05 and +0x06): a
/// destination above the own coordinate is reached by plus when it is <= plus[d], one below it by minus when it
/// is >= minus[d], otherwise the other way around.
struct CutOffs {
  Coordinates plus{};
  Coordinates minus{};
};

/// Which nodes there are and which are joined. Nodes are numbered with x varying fastest.
class Topology {
 public:
  /// Throws std::invalid_argument for an impossible shape.
  explicit Topology(const Shape& shape);

  const Shape& shape() const { return shape_; }
  unsigned dimensions() const { return shape_.dimensions; }
  unsigned directions() const { return 2 * shape_.dimensions; }
  unsigned extent(unsigned dimension) const { return shape_.extent[dimension]; }
  bool torus(unsigned dimension) const { return shape_.torus[dimension]; }
  std::uint32_t nodes() const { return nodes_; }
  std::string direction_name(Direction direction) const { return shape_.direction_name(direction); }

  std::uint32_t node(const Coordinates& at) const;
  Coordinates coordinates(std::uint32_t node) const;
  bool contains(const Coordinates& at) const;
  /// The node behind the link in `direction`, or kNoNode at the edge of a mesh.
  std::uint32_t neighbour(std::uint32_t node, Direction direction) const;

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
  std::uint32_t nodes_ = 0;
};

/// "(1,0,2)".
std::string coordinates_text(const Coordinates& at, unsigned dimensions);

}  // namespace toroid
