// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <stdexcept>

#include "torus/base/topology.h"

namespace toroid {
namespace {

Topology make(const std::string& text) {
  return Topology(Shape::parse(text));
}

TEST(Shape, ParsesWhatItPrints) {
  for (const char* text : {"4x4x2", "8x8x4m", "4x4x4x4x2", "1m"}) EXPECT_EQ(Shape::parse(text).text(), text);
  EXPECT_FALSE(Shape::parse("8x8x4m").torus[2]);
  for (const char* text : {"", "x", "4x", "4x4x", "0x4", "257x2", "4*4", "2x2x2x2x2x2", "4mx", "-1x2", "99999999999"}) {
    EXPECT_THROW(Shape::parse(text), std::invalid_argument) << text;
  }
}

TEST(Shape, NamesDirectionsAsItsMachineNamesDimensions) {
  EXPECT_EQ(Shape::parse("2x2", "AB").direction_name(3), "B-");
  EXPECT_EQ(Shape::parse("2x2", "AB").link_name(2, 1), "B+2");
  EXPECT_EQ(Shape::parse("2x2").direction_name(3), "1-");  // without a machine
}

TEST(Topology, RefusesImpossibleShapes) {
  Shape shape;
  shape.dimensions = 6;
  EXPECT_THROW(Topology{shape}, std::invalid_argument);
  shape.dimensions = 3;
  shape.extent = {4, 0, 4, 1, 1};
  EXPECT_THROW(Topology{shape}, std::invalid_argument);
  shape.extent = {256, 256, 256, 256, 1};
  shape.dimensions = 4;
  EXPECT_THROW(Topology{shape}, std::invalid_argument);
}

TEST(Topology, NumbersNodesWithXFastest) {
  const Topology topology = make("4x3x2");
  EXPECT_EQ(topology.node({1, 0, 0}), 1u);
  EXPECT_EQ(topology.node({0, 1, 0}), 4u);
  EXPECT_EQ(topology.node({0, 0, 1}), 12u);
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    EXPECT_EQ(topology.node(topology.coordinates(node)), node);
  }
}

TEST(Topology, NeighboursAreMutualAndMeshesEnd) {
  for (const char* text : {"4x4x2", "8x5x3m", "3x2x4mx2x5"}) {
    const Topology topology = make(text);
    for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
      for (unsigned d = 0; d < topology.directions(); ++d) {
        const std::uint32_t other = topology.neighbour(node, static_cast<Direction>(d));
        const unsigned x = topology.coordinates(node)[d / 2];
        const bool edge = !topology.torus(d / 2) && x == (d % 2 ? 0 : topology.extent(d / 2) - 1);
        ASSERT_EQ(other == kNoNode, edge);
        if (edge) continue;
        ASSERT_EQ(topology.neighbour(other, opposite(static_cast<Direction>(d))), node);
      }
    }
  }
}

/// Follows the hints of the cut-offs hop by hop.
unsigned walk(const Topology& topology, std::uint32_t from, std::uint32_t to, TieRule rule) {
  const std::uint16_t hints = topology.hints(topology.coordinates(from), topology.coordinates(to),
                                             topology.minimal_cut_offs(topology.coordinates(from), rule));
  unsigned hops = 0;
  for (unsigned d = 0; d < topology.directions(); ++d) {
    if (!(hints >> d & 1)) continue;
    while (topology.coordinates(from)[d / 2] != topology.coordinates(to)[d / 2]) {
      from = topology.neighbour(from, static_cast<Direction>(d));
      if (from == kNoNode || ++hops > 10000) return 10000;
    }
  }
  return from == to ? hops : 10000;
}

TEST(Topology, CutOffsGiveMinimalRoutesEverywhere) {
  for (const char* text : {"8x5x3m", "4x2x1x3x2", "7mx6"}) {
    const Topology topology = make(text);
    for (const TieRule rule : {TieRule::parity, TieRule::plus}) {
      for (std::uint32_t from = 0; from < topology.nodes(); ++from) {
        for (std::uint32_t to = 0; to < topology.nodes(); ++to) {
          ASSERT_EQ(walk(topology, from, to, rule), topology.distance(from, to)) << text << " " << from << " " << to;
        }
      }
    }
  }
}

TEST(Topology, TiesFollowTheRule) {
  const Topology topology = make("8x1x1");
  const auto hints = [&](unsigned from, unsigned to, TieRule rule) {
    const Coordinates at{static_cast<std::uint8_t>(from)};
    return topology.hints(at, {static_cast<std::uint8_t>(to)}, topology.minimal_cut_offs(at, rule));
  };
  for (unsigned x = 0; x < 8; ++x) {
    EXPECT_EQ(hints(x, (x + 4) % 8, TieRule::plus), 1u);
    EXPECT_EQ(hints(x, (x + 4) % 8, TieRule::parity), x % 2 ? 2u : 1u);
  }
}

TEST(Topology, CutOffsSetByHandDecideTheDirection) {
  const Topology topology = make("8x1x1");
  const CutOffs all_plus{{7}, {8}};  // above: plus up to the last; below: minus from 8 on, that is never
  for (unsigned from = 0; from < 8; ++from) {
    for (unsigned to = 0; to < 8; ++to) {
      const std::uint16_t expected = from == to ? 0 : 1;
      EXPECT_EQ(topology.hints({static_cast<std::uint8_t>(from)}, {static_cast<std::uint8_t>(to)}, all_plus), expected);
    }
  }
}

TEST(Topology, BisectionCountsLinksBothWaysAndAroundTheRing) {
  EXPECT_EQ(make("8x8x8").bisection_links(), 4u * 64);
  EXPECT_EQ(make("8x4x4").bisection_links(), 4u * 16);
  EXPECT_EQ(make("8mx4x4").bisection_links(), 2u * 16);
}

TEST(Topology, NoCutOffLeadsOffTheEdgeOfAMesh) {
  const Topology topology(Shape::parse("4m"));
  const CutOffs zero;
  EXPECT_EQ(topology.hints({1}, {3}, zero), 1u);
  EXPECT_EQ(topology.hints({3}, {1}, zero), 2u);
}

}  // namespace
}  // namespace toroid
