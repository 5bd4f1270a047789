// SPDX-License-Identifier: Apache-2.0
// The plan of a broadcast against its promises, on every shape up to 4x4x4 (and some larger), mesh, torus or mixed,
// from every root: each piece reaches every node once, from a node that has it, and no link carries two.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "firmware/torus/broadcast_plan.h"

namespace toroid::testing {
namespace {

using Node = std::array<unsigned, 3>;

struct Machine {
  Node size;
  unsigned ring;

  std::string name() const {
    return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]) + " rings " +
           std::to_string(ring);
  }
  unsigned nodes() const { return size[0] * size[1] * size[2]; }
  Node node(unsigned number) const {
    return {number % size[0], number / size[0] % size[1], number / size[0] / size[1]};
  }
  unsigned number(const Node& at) const { return at[0] + size[0] * (at[1] + size[1] * at[2]); }

  /// The neighbour in a direction, or no node past the end of a mesh.
  bool step(Node& at, unsigned direction) const {
    const unsigned d = direction / 2;
    if (!(ring >> d & 1u) && at[d] == (direction % 2 ? 0 : size[d] - 1)) return false;
    at[d] = (at[d] + (direction % 2 ? size[d] - 1 : 1)) % size[d];
    return true;
  }

  torus_broadcast_plan_t plan(const Node& root, const Node& here) const {
    torus_broadcast_place_t place{};
    for (unsigned d = 0; d < 3; ++d) {
      place.size[d] = static_cast<std::uint8_t>(size[d]);
      place.root[d] = static_cast<std::uint8_t>(root[d]);
      place.here[d] = static_cast<std::uint8_t>(here[d]);
    }
    place.ring = static_cast<std::uint8_t>(ring);
    torus_broadcast_plan_t plan;
    torus_broadcast_plan(&place, &plan);
    return plan;
  }
};

/// What is wrong with the plans of all nodes for one root; empty where nothing is.
std::string fault(const Machine& machine, const Node& root) {
  std::vector<torus_broadcast_plan_t> plans;
  for (unsigned n = 0; n < machine.nodes(); ++n) plans.push_back(machine.plan(root, machine.node(n)));
  const unsigned pieces = plans[0].pieces;
  std::set<std::pair<unsigned, unsigned>> used;             // links
  std::map<std::pair<unsigned, unsigned>, unsigned> comes;  // times each piece comes to a node
  std::map<std::pair<unsigned, unsigned>, unsigned> source;
  for (unsigned n = 0; n < machine.nodes(); ++n) {
    if (plans[n].pieces != pieces) return "nodes disagree on the number of pieces";
    for (unsigned direction = 0; direction < 6; ++direction) {
      const torus_broadcast_line_t line = plans[n].lines[direction];
      Node at = machine.node(n);
      for (unsigned hop = 0; hop < line.hops; ++hop) {
        if (!used.insert({machine.number(at), direction}).second) return "a link is used twice";
        if (!machine.step(at, direction)) return "a line leaves the mesh";
        const unsigned to = machine.number(at);
        comes[{to, line.piece}] += 1;
        source[{to, line.piece}] = n;
        const torus_broadcast_way_t way = plans[to].ways[line.piece];
        if (way.direction != direction) return "a piece comes from elsewhere than the receiver thinks";
        if (way.hops != line.hops - hop - 1) return "the receiver counts other links behind it";
      }
    }
  }
  for (unsigned n = 0; n < machine.nodes(); ++n) {
    for (unsigned piece = 0; piece < pieces; ++piece) {
      const bool is_root = machine.node(n) == root;
      if (comes[{n, piece}] != (is_root ? 0u : 1u)) return "a piece does not come exactly once";
      if (is_root && plans[n].ways[piece].direction != TORUS_NO_DIRECTION) return "the root expects a piece";
      unsigned steps = 0;  // back to the root
      for (unsigned at = n; machine.node(at) != root; at = source[{at, piece}]) {
        if (++steps > 4) return "a piece takes more than four lines";
      }
    }
  }
  return "";
}

void check_all_roots(const Machine& machine) {
  for (unsigned n = 0; n < machine.nodes(); ++n) {
    ASSERT_EQ(fault(machine, machine.node(n)), "") << machine.name() << " root " << n;
  }
}

TEST(BroadcastPlan, EveryShapeUpTo4x4x4FromEveryRoot) {
  for (unsigned x = 1; x <= 4; ++x) {
    for (unsigned y = 1; y <= 4; ++y) {
      for (unsigned z = 1; z <= 4; ++z) {
        for (unsigned ring = 0; ring < 8; ++ring) check_all_roots({{x, y, z}, ring});
      }
    }
  }
}

TEST(BroadcastPlan, LargerOnes) {
  for (unsigned ring = 0; ring < 8; ++ring) {
    check_all_roots({{7, 5, 1}, ring});
    check_all_roots({{5, 6, 3}, ring});
  }
}

TEST(BroadcastPlan, AsManyPiecesAsTheRootHasLinks) {
  const auto pieces = [](const Machine& machine) { return static_cast<unsigned>(machine.plan({}, {}).pieces); };
  EXPECT_EQ(pieces({{1, 1, 1}, 7}), 0u);
  EXPECT_EQ(pieces({{4, 1, 1}, 0}), 1u);
  EXPECT_EQ(pieces({{4, 1, 1}, 7}), 2u);
  EXPECT_EQ(pieces({{4, 4, 1}, 0}), 2u);
  EXPECT_EQ(pieces({{4, 4, 1}, 7}), 4u);
  EXPECT_EQ(pieces({{4, 4, 1}, 1}), 2u);
  EXPECT_EQ(pieces({{4, 4, 4}, 0}), 3u);
  EXPECT_EQ(pieces({{2, 2, 2}, 7}), 6u);
}

}  // namespace
}  // namespace toroid::testing
