// SPDX-License-Identifier: Apache-2.0
// The tree alone: latency to the cycle, who gets what, back-pressure, and what is said when it stops.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "testbench/shipped.h"
#include "testbench/tests/torus/tree_bench.h"
#include "torus/base/random.h"
#include "torus/tree/classes.h"
#include "torus/tree/latency.h"
#include "torus/tree/left_over.h"
#include "torus/tree/stuck_report.h"

namespace toroid {
namespace {

using namespace test::tree;

TEST(TreeNetwork, BroadcastReachesAllOthersInTheClosedFormsTime) {
  for (const char* shape : {"1", "2x1x1", "3x3x2", "4x4x4", "8x4x4"}) {
    Bench bench(shape);
    const TreeTopology& tree = bench.network.topology();
    for (std::uint32_t from = 0; from < tree.compute_nodes(); from += 5) {
      bench.deliveries.clear();
      const Cycle start = bench.wheel.now() + 1;
      bench.send(from, bench.packet(kBroadcast, TreeOpcode::none, 77));
      bench.run(3000);
      ASSERT_EQ(bench.deliveries.size(), tree.compute_nodes() - 1u) << shape;
      std::vector<bool> seen(tree.nodes(), false);
      for (const Delivery& got : bench.deliveries) {
        ASSERT_NE(got.node, from);
        ASSERT_FALSE(seen[got.node]);
        seen[got.node] = true;
        ASSERT_EQ(got.value, 77u);
        ASSERT_EQ(got.at - start, tree_latency(bench.network.config(), tree.distance(from, got.node)));
      }
    }
    EXPECT_EQ(bench.network.pool().in_use(), 0u);
    EXPECT_EQ(bench.network.pool().data_in_use(), 0u);
    EXPECT_EQ(bench.network.in_flight(), 0u);
  }
}

TEST(TreeNetwork, ReductionGivesAllTheSumInTheClosedFormsTime) {
  TreeConfig other = test::shipped<TreeConfig>();
  other.link_bytes_per_cycle = 1;
  other.receiver_cycles = 5;
  other.arbiter_cycles = 1;
  other.alu_cycles = 7;
  other.sender_cycles = 2;
  other.link_cycles = 9;
  other.injection_cycles = 3;
  other.reception_cycles = 4;
  other.nodes_per_io_node = 16;
  for (const TreeConfig& config : {test::shipped<TreeConfig>(), other}) {
    for (const char* shape : {"1", "2x1x1", "3x3x2", "5x4x3m", "8x8x2"}) {
      Bench bench(shape, config);
      const TreeTopology& tree = bench.network.topology();
      unsigned deepest = 0;
      std::uint64_t sum = 0;
      for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) {
        deepest = std::max(deepest, tree.depth(node));
        const std::uint64_t value = 0x123456789ABCDEFu * (node + 1);
        sum += value;
        bench.send(node, bench.packet(kReduce, TreeOpcode::add, value));
      }
      bench.run(20000);
      ASSERT_EQ(bench.deliveries.size(), tree.compute_nodes());
      for (const Delivery& got : bench.deliveries) {
        ASSERT_EQ(got.value, sum);
        ASSERT_EQ(got.at - 1, tree_reduction_latency(config, deepest, tree.depth(got.node)));
      }
      EXPECT_EQ(bench.network.pool().in_use(), 0u);
      EXPECT_EQ(bench.network.pool().data_in_use(), 0u);
    }
  }
}

TEST(TreeNetwork, MembersAloneTakePart) {
  Bench bench("4x4x8");
  const TreeTopology& tree = bench.network.topology();
  std::uint64_t seed = 3;
  for (unsigned repeat = 0; repeat < 40; ++repeat) {
    std::vector<bool> members(tree.nodes(), false);
    std::vector<std::uint32_t> list;
    const std::uint32_t share = 1 + next_random(seed, 16);
    for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) {
      members[node] = next_random(seed, 16) < share;
      if (members[node]) list.push_back(node);
    }
    if (list.empty()) continue;
    bench.set_classes(members);
    bench.deliveries.clear();
    for (const std::uint32_t node : list) bench.send(node, bench.packet(kReduce, TreeOpcode::add, 1));
    bench.run(3000);
    ASSERT_EQ(bench.deliveries.size(), list.size());
    for (const Delivery& got : bench.deliveries) {
      ASSERT_EQ(got.value, list.size());
      ASSERT_TRUE(members[got.node]);
    }
    bench.deliveries.clear();
    bench.send(list.back(), bench.packet(kBroadcast, TreeOpcode::none, 9));
    bench.run(3000);
    ASSERT_EQ(bench.deliveries.size(), list.size() - 1);
  }
  EXPECT_EQ(bench.network.in_flight(), 0u);
}

TEST(TreeNetwork, PacketsStreamAtLinkRate) {
  Bench bench("4x4x4");
  const TreeTopology& tree = bench.network.topology();
  constexpr unsigned kPackets = 8;
  for (unsigned i = 0; i < kPackets; ++i) {
    for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) {
      bench.send(node, bench.packet(kReduce, TreeOpcode::add, i));
    }
  }
  bench.run(10000);
  std::map<std::uint32_t, Cycle> last;
  for (const Delivery& got : bench.deliveries) {
    if (last.count(got.node)) {
      ASSERT_EQ(got.at - last[got.node], tree_wire_cycles(bench.network.config()));
    }
    last[got.node] = got.at;
  }
  EXPECT_EQ(bench.deliveries.size(), kPackets * tree.compute_nodes());
}

TEST(TreeNetwork, KeepsTheOrderOfAClassAndTheVirtualChannelsApart) {
  Bench bench("4x4x4");
  const TreeTopology& tree = bench.network.topology();
  constexpr unsigned kPackets = 30;
  std::uint64_t seed = 5;
  for (unsigned vc = 0; vc < kTreeVirtualChannels; ++vc) {
    for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) {
      Cycle delay = 1;
      for (unsigned i = 0; i < kPackets; ++i) {
        delay += next_random(seed, 300);
        bench.send(node, bench.packet(kReduce, TreeOpcode::maximum, 1000 * vc + i), vc, delay);
      }
    }
  }
  bench.run(100000);
  std::map<std::pair<std::uint32_t, unsigned>, unsigned> next;
  for (const Delivery& got : bench.deliveries) {
    const unsigned number = next[std::make_pair(got.node, got.vc)]++;
    ASSERT_EQ(got.value, 1000 * got.vc + number);
  }
  EXPECT_EQ(bench.deliveries.size(), 2 * kPackets * tree.compute_nodes());
}

TEST(TreeNetwork, PointToPointPacketsAreAcceptedByTheNodeNamed) {
  Bench bench("4x4x8");
  const TreeTopology& tree = bench.network.topology();
  for (std::uint32_t node = 0; node < tree.compute_nodes(); node += 7) {
    const std::uint32_t io_node = tree.io_node_of(node);
    for (const bool up : {true, false}) {
      TreePacket& packet = bench.packet(up ? kUp : kDown, TreeOpcode::none, node);
      packet.point_to_point = true;
      packet.target = up ? io_node : node;
      bench.deliveries.clear();
      bench.send(up ? node : io_node, packet);
      bench.run(3000);
      ASSERT_EQ(bench.deliveries.size(), 1u);
      EXPECT_EQ(bench.deliveries[0].node, packet.target);
    }
  }
  EXPECT_EQ(bench.network.pool().in_use(), 0u);
}

TEST(TreeNetwork, AReaderThatStopsHoldsAllUpAndLosesNothing) {
  TreeConfig config = test::shipped<TreeConfig>();
  config.stuck_after = 5000;
  Bench bench("4x4x4", config);
  const TreeTopology& tree = bench.network.topology();
  constexpr std::uint32_t kSleeper = 21;
  bench.clients[kSleeper].reads = false;
  unsigned stuck = 0;
  bench.network.progress().set_on_stuck([&] { ++stuck; });
  constexpr unsigned kPackets = 40;
  for (unsigned i = 0; i < kPackets; ++i) bench.send(0, bench.packet(kBroadcast, TreeOpcode::none, i));
  bench.run(50000);
  EXPECT_EQ(stuck, 1u);
  const std::vector<TreeWaiting> waiting = tree_waiting(bench.network);
  ASSERT_EQ(waiting.size(), 1u) << tree_stuck_text(bench.network);
  EXPECT_EQ(waiting[0].why, TreeWaiting::Why::reception_full);
  EXPECT_EQ(waiting[0].node, kSleeper);
  EXPECT_EQ(waiting[0].route_class, kBroadcast);
  EXPECT_NE(tree_stuck_text(bench.network).find("tree node 21, class 1 on VC0: the reception FIFO is full"),
            std::string::npos);
  EXPECT_GT(bench.clients[0].waiting[0], 0u);
  bench.clients[kSleeper].reads = true;
  for (unsigned i = 0; i < config.fifo_packets; ++i) {
    bench.network.router(kSleeper).return_reception(0, bench.wheel.now() + 1);
  }
  bench.run(50000);
  EXPECT_EQ(bench.deliveries.size(), kPackets * (tree.compute_nodes() - 1u));
  EXPECT_EQ(bench.network.pool().in_use(), 0u);
}

TEST(TreeNetwork, NamesTheNodesThatNeverCame) {
  TreeConfig config = test::shipped<TreeConfig>();
  config.stuck_after = 5000;
  Bench bench("8x8x8", config);
  unsigned stuck = 0;
  bench.network.progress().set_on_stuck([&] { ++stuck; });
  for (std::uint32_t node = 0; node < 512; ++node) {
    if (node != 17 && node != 300) bench.send(node, bench.packet(kReduce, TreeOpcode::add, 1));
  }
  bench.run(50000);
  EXPECT_EQ(stuck, 1u);
  const std::vector<TreeWaiting> waiting = tree_waiting(bench.network);
  ASSERT_EQ(waiting.size(), 2u) << tree_stuck_text(bench.network);
  EXPECT_EQ(waiting[0].node, 17u);
  EXPECT_EQ(waiting[1].node, 300u);
  for (const TreeWaiting& one : waiting) EXPECT_EQ(one.why, TreeWaiting::Why::contribution);
  EXPECT_NE(tree_stuck_text(bench.network).find("tree node 17, class 0 on VC0: its processor has injected nothing"),
            std::string::npos)
      << tree_stuck_text(bench.network);
}

TEST(TreeNetwork, NamesMismatchedClassesAndOpcodes) {
  for (const bool other_class : {true, false}) {
    TreeConfig config = test::shipped<TreeConfig>();
    config.stuck_after = 5000;
    Bench bench("4x4x4", config);
    bench.network.set_class(
        2, tree_reduction_class(bench.network.topology(), std::vector<bool>(bench.network.topology().nodes(), true)));
    for (std::uint32_t node = 0; node < 64; ++node) {
      const bool odd = node == 9;
      bench.send(node, bench.packet(odd && other_class ? 2 : kReduce,
                                    odd && !other_class ? TreeOpcode::maximum : TreeOpcode::add, 1));
    }
    bench.run(50000);
    EXPECT_TRUE(bench.network.progress().stuck());
    bool named = false;
    for (const TreeWaiting& one : tree_waiting(bench.network)) {
      named = named || (one.why == TreeWaiting::Why::mismatch &&
                        (one.node == 9 || bench.network.topology().parent(9) == one.node));
    }
    EXPECT_TRUE(named) << tree_stuck_text(bench.network);
  }
}

TEST(TreeNetwork, NamesPacketsThatCannotCombineInTheirClass) {
  // A class for broadcasts has all neighbours as sources: each would wait for the other's packet.
  TreeConfig config = test::shipped<TreeConfig>();
  config.stuck_after = 5000;
  Bench bench("4x4x4", config);
  for (std::uint32_t node = 0; node < 64; ++node) bench.send(node, bench.packet(kBroadcast, TreeOpcode::add, 1));
  bench.run(50000);
  EXPECT_TRUE(bench.network.progress().stuck());
  const std::vector<TreeWaiting> waiting = tree_waiting(bench.network);
  ASSERT_FALSE(waiting.empty());
  for (const TreeWaiting& one : waiting) EXPECT_EQ(one.why, TreeWaiting::Why::circle);
  EXPECT_NE(tree_stuck_text(bench.network).find("class 1 on VC0: a packet from"), std::string::npos);
}

TEST(TreeNetwork, NamesWhoSendsInAnotherClass) {
  // Half of the nodes wait in one class, the others have nothing to say there.
  TreeConfig config = test::shipped<TreeConfig>();
  config.stuck_after = 5000;
  Bench bench("4x4x4", config);
  for (std::uint32_t node = 0; node < 64; ++node) {
    if (node % 2 == 0) {
      bench.send(node, bench.packet(kReduce, TreeOpcode::add, 1));
    } else if (node == 5) {
      bench.send(node, bench.packet(kBroadcast, TreeOpcode::none, 1));
    }
  }
  bench.run(50000);
  EXPECT_TRUE(bench.network.progress().stuck());
  std::vector<bool> named(64, false);
  for (const TreeWaiting& one : tree_waiting(bench.network)) {
    EXPECT_NE(one.why, TreeWaiting::Why::circle);
    if (one.why == TreeWaiting::Why::contribution) named[one.node] = true;
  }
  for (std::uint32_t node = 0; node < 64; ++node) EXPECT_EQ(named[node], node % 2 == 1) << node;
}

TEST(TreeNetwork, CountsWhatIsLeftOver) {
  Bench bench("4x4x4");
  for (unsigned i = 0; i < 3; ++i) bench.send(9, bench.packet(kReduce, TreeOpcode::add, i));
  bench.run(1000);
  const std::vector<TreeLeftOver> left = tree_left_over(bench.network, 0);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].node, 9u);
  EXPECT_EQ(left[0].route_class, kReduce);
  EXPECT_EQ(left[0].packets, 3u);
  EXPECT_EQ(tree_left_over_text(bench.network.topology(), left[0]), "tree node 9, class 0: 3 packets in its router");
  EXPECT_TRUE(tree_left_over(bench.network, 1).empty());
  bench.send(0, bench.packet(kBroadcast, TreeOpcode::none, 1), 1);
  bench.run(40);
  EXPECT_EQ(tree_left_over(bench.network, 1).back().where, TreeLeftOver::Where::link);
}

TEST(TreeNetwork, MeasuresTheLatenciesOfTheClosedForms) {
  for (const char* shape : {"1", "4x4x4", "8x8x8", "5x7x9"}) {
    const Topology torus(Shape::parse(shape));
    const TreeConfig config = test::shipped<TreeConfig>();
    const TreeTopology tree(torus, config.nodes_per_io_node);
    const TreeLatencies found = measure_tree(config, torus);
    EXPECT_EQ(found.compute_nodes, torus.nodes());
    EXPECT_EQ(found.depth, tree.depth());
    EXPECT_EQ(found.root_to_all, tree_latency(config, tree.depth())) << shape;
    EXPECT_EQ(found.reduction, tree_reduction_latency(config, tree.depth(), tree.depth())) << shape;
    EXPECT_GE(found.node_to_all, found.root_to_all);
  }
}

TEST(TreeNetwork, RefusesSenselessParameters) {
  TreeConfig config = test::shipped<TreeConfig>();
  config.buffer_packets = 0;
  EXPECT_THROW(Bench("2x2x2", config), std::invalid_argument);
  config = test::shipped<TreeConfig>();
  config.fifo_packets = 16;
  EXPECT_THROW(Bench("2x2x2", config), std::invalid_argument);
  config = test::shipped<TreeConfig>();
  config.link_bytes_per_cycle = 0;
  EXPECT_THROW(Bench("2x2x2", config), std::invalid_argument);
}

}  // namespace
}  // namespace toroid
