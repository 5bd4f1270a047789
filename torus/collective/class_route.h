// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "torus/base/topology.h"
#include "torus/torus/zones.h"

namespace toroid {

inline constexpr unsigned kClassRoutes = 16;

/// Who may use a class, and so on which virtual channel its packets travel.
enum class ClassType : std::uint8_t {
  user_world = 0,
  system = 1,
  user_subset = 2,  ///< a sub-communicator, on a channel of its own
};

/// What a node does with the packets of one class: what it combines, and where the result goes. Together the nodes'
/// routes are a tree. The bits are those of the machine's registers.
struct ClassRoute {
  static constexpr std::uint16_t kLocal = 1;  ///< the node takes part
  static constexpr std::uint16_t kIo = 2;

  std::uint16_t input = 0;   ///< a bit for each link that leads to a child, kLocal, kIo
  std::uint16_t output = 0;  ///< the bit of the link to the parent; 0 at the root
  ClassType type = ClassType::user_world;

  /// The bit of a link: A- 11, A+ 10, ... E- 3, E+ 2.
  static constexpr std::uint16_t bit(Direction link) {
    return static_cast<std::uint16_t>(1u << (10 - link / 2 * 2 + link % 2));
  }

  /// As a half of a register that holds two classes: type in (IBM) bits 2 and 3, input 4 to 15, output 20 to 31.
  std::uint32_t word() const;
  static ClassRoute of_word(std::uint32_t word);
};

/// The coordinates from `low` to `high`, both included: the nodes of a job.
struct Box {
  Coordinates low{};
  Coordinates high{};
  bool contains(const Coordinates& at, unsigned dimensions) const;
};

inline constexpr DimensionOrder kDimensionsAsNamed{0, 1, 2, 3, 4};

/// The routes, by node, of a tree that spans a box: a node's parent is its neighbour towards `root` along the first
/// dimension, in the order `order`, in which they differ. The nodes `participants` (by number; none: all of the box)
/// take part, and those between them and the root pass packets on. Throws std::invalid_argument if the root is not in
/// the box.
std::vector<ClassRoute> spanning_routes(const Topology& topology, const Box& box, const Coordinates& root,
                                        ClassType type, const std::vector<std::uint32_t>& participants = {},
                                        const DimensionOrder& order = kDimensionsAsNamed);

}  // namespace toroid
