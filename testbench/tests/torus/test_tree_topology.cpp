// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "torus/tree/topology.h"

namespace toroid {
namespace {

TreeTopology make(const std::string& shape, std::uint32_t nodes_per_io_node = 64) {
  return TreeTopology(Topology(Shape::parse(shape)), nodes_per_io_node);
}

TEST(TreeTopology, IsOneTreeOfAllNodes) {
  for (const char* shape : {"1", "2x1x1", "3x5x7", "4x4x4", "8x8x8", "5x1x9m", "16x8x8", "7x11x2"}) {
    for (const std::uint32_t per_io_node : {1u, 8u, 64u}) {
      const TreeTopology tree = make(shape, per_io_node);
      std::uint32_t links = 0;
      for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
        // Every walk up ends at the root, so all hang together; with one link fewer than nodes there is no ring.
        unsigned steps = 0;
        for (std::uint32_t at = node; at != tree.root(); at = tree.parent(at)) ASSERT_LE(++steps, tree.nodes());
        ASSERT_EQ(steps, tree.depth(node)) << shape << " node " << node;
        ASSERT_LE(steps, tree.depth());
        for (const std::uint32_t child : tree.children(node)) {
          ++links;
          ASSERT_EQ(tree.parent(child), node);
          ASSERT_EQ(tree.neighbour(node, tree.channel_at_parent(child)), child);
        }
      }
      EXPECT_EQ(links, tree.nodes() - 1) << shape;
    }
  }
}

TEST(TreeTopology, GivesEachProcessingSetItsIoNodeAndASubtree) {
  for (const char* shape : {"4x4x4", "8x8x8", "16x8x8", "3x5x7"}) {
    const Topology torus(Shape::parse(shape));
    const TreeTopology tree(torus, 64);
    std::map<std::uint32_t, std::uint32_t> members;
    for (std::uint32_t node = 0; node < torus.nodes(); ++node) {
      const std::uint32_t io_node = tree.io_node_of(node);
      ASSERT_TRUE(tree.is_io_node(io_node));
      ++members[io_node];
      // The way to the I/O node stays among the set's own nodes and is short.
      unsigned steps = 0;
      for (std::uint32_t at = node; at != io_node; at = tree.parent(at)) {
        ASSERT_EQ(tree.io_node_of(at), io_node);
        ++steps;
      }
      ASSERT_LE(steps, 6u);
    }
    EXPECT_EQ(members.size(), tree.io_nodes());
    for (const auto& set : members) EXPECT_LE(set.second, 64u);
  }
}

TEST(TreeTopology, CutsProcessingSetsAsBlocks) {
  const Topology torus(Shape::parse("8x8x8"));
  const TreeTopology tree(torus, 64);
  for (std::uint32_t node = 0; node < torus.nodes(); ++node) {
    const Coordinates at = torus.coordinates(node);
    // Two node cards of 4x4x2 each: all blocks of 4x4x4 differ.
    const Coordinates corner{static_cast<std::uint8_t>(at[0] & ~3), static_cast<std::uint8_t>(at[1] & ~3),
                             static_cast<std::uint8_t>(at[2] & ~3), 0, 0};
    ASSERT_EQ(tree.io_node_of(node), tree.io_node_of(torus.node(corner)));
  }
  EXPECT_EQ(tree.io_nodes(), 8u);
}

TEST(TreeTopology, IsAsDeepAsDocumented) {
  const std::map<std::string, unsigned> depths{{"1", 1},      {"2x1x1", 1},   {"4x4x2", 5},    {"4x4x4", 6},
                                               {"8x8x8", 12}, {"8x8x16", 12}, {"64x32x32", 18}};
  for (const auto& [shape, depth] : depths) EXPECT_EQ(make(shape).depth(), depth) << shape;
}

TEST(TreeTopology, CountsLinksBetweenNodes) {
  const TreeTopology tree = make("4x4x4");
  EXPECT_EQ(tree.distance(5, 5), 0u);
  EXPECT_EQ(tree.distance(tree.root(), 9), tree.depth(9));
  const std::vector<std::uint32_t> tops = tree.children(tree.root());
  ASSERT_EQ(tops.size(), 2u);
  EXPECT_EQ(tree.distance(tops[0], tops[1]), 2u);
}

TEST(TreeTopology, RefusesEmptyProcessingSets) {
  EXPECT_THROW(make("2x2x2", 0), std::invalid_argument);
}

}  // namespace
}  // namespace toroid
