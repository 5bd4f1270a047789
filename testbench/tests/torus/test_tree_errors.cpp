// SPDX-License-Identifier: Apache-2.0
// Links of the tree that damage frames: what it costs; nothing is lost, repeated or reordered, and tokens come back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "testbench/shipped.h"
#include "testbench/tests/torus/tree_bench.h"

namespace toroid {
namespace {

using namespace test::tree;

TreeConfig with_errors(double rate) {
  TreeConfig config = test::shipped<TreeConfig>();
  config.bit_error_rate = rate;
  return config;
}

/// A packet from the one compute node to the I/O node, over the one link.
void send_up(Bench& bench, std::uint64_t value, unsigned vc = 0) {
  TreePacket& packet = bench.packet(kUp, TreeOpcode::none, value);
  packet.point_to_point = true;
  packet.target = 1;
  bench.send(0, packet, vc);
}

void run_to_delivery(Bench& bench, std::size_t count) {
  while (bench.deliveries.size() < count && bench.wheel.next() != kNever) bench.wheel.run_events(bench.wheel.next());
  ASSERT_EQ(bench.deliveries.size(), count);
}

/// With nothing under way: every sender has all its tokens, no packet is left.
void expect_nothing_lost(const Bench& bench) {
  const TreeNetwork& network = bench.network;
  for (std::uint32_t node = 0; node < network.topology().nodes(); ++node) {
    for (unsigned vc = 0; vc < kTreeVirtualChannels; ++vc) {
      for (unsigned port = 0; port < TreeRouter::kPorts; ++port) {
        const bool local = port == kTreeLocal;
        if (!local && network.topology().neighbour(node, port) == kNoNode) continue;
        ASSERT_EQ(network.router(node).tokens(vc, port),
                  local ? network.config().fifo_packets : network.config().buffer_packets)
            << "node " << node << " port " << port << " VC" << vc;
        ASSERT_EQ(network.router(node).head(vc, port), nullptr);
      }
    }
  }
  EXPECT_EQ(network.in_flight(), 0u);
}

/// Reductions, broadcasts and packets to the I/O node, so that much comes in one cycle; what arrived where and when.
std::vector<std::tuple<std::uint32_t, unsigned, Cycle, std::uint64_t>> deliveries_in_order(std::uint64_t order) {
  Bench bench("3x3x2", with_errors(1e-4));
  bench.wheel.shuffle(order);
  const std::uint32_t nodes = bench.network.topology().compute_nodes();
  for (std::uint64_t i = 0; i < 40; ++i) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
      bench.send(node, bench.packet(kReduce, TreeOpcode::add, i), 0, Cycle{1 + i * 150});
      if (node % 5 == 0) bench.send(node, bench.packet(kBroadcast, TreeOpcode::none, i), 1, Cycle{1 + i * 150});
    }
  }
  bench.run(100000);
  expect_nothing_lost(bench);
  std::vector<std::tuple<std::uint32_t, unsigned, Cycle, std::uint64_t>> found;
  for (const Delivery& got : bench.deliveries) found.emplace_back(got.node, got.vc, got.at, got.value);
  std::sort(found.begin(), found.end());
  return found;
}

TEST(TreeErrors, TheOrderOfACyclesEventsChangesNothing) {
  const auto expected = deliveries_in_order(0);
  EXPECT_EQ(expected.size(), 40u * 18 + 40u * 4 * 17);
  for (std::uint64_t order = 1; order <= 3; ++order) EXPECT_EQ(deliveries_in_order(order), expected) << order;
}

TEST(TreeErrors, OneFrameTakesWhatItsNacksAndTimeOutsCost) {
  TreeConfig other = with_errors(1e-3);
  other.nack_timeout = 1777;
  other.receiver_cycles = 20;
  other.link_bytes_per_cycle = 4;
  other.link_cycles = 9;
  for (const TreeConfig& config : {with_errors(2e-4), with_errors(1e-3), with_errors(2e-3), other}) {
    std::set<std::uint64_t> damaged;
    std::set<std::uint64_t> lost_nacks;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      Bench bench("1", config, seed);
      send_up(bench, seed);
      run_to_delivery(bench, 1);
      const TreeLinkCounters links = bench.network.links();
      ASSERT_EQ(bench.deliveries[0].at - 1, tree_latency(config, 1) +
                                                (links.damaged - links.timeouts) * tree_nack_cycles(config) +
                                                links.timeouts * tree_lost_nack_cycles(config));
      ASSERT_EQ(bench.deliveries[0].value, seed);
      ASSERT_TRUE(bench.deliveries[0].rest_is_zero);
      ASSERT_EQ(links.nacks, links.damaged);
      ASSERT_EQ(links.retransmissions, links.damaged);
      damaged.insert(links.damaged);
      lost_nacks.insert(links.timeouts);
      bench.run(100000);  // an acknowledgement may be lost too
      ASSERT_EQ(bench.deliveries.size(), 1u);
      expect_nothing_lost(bench);
      ASSERT_EQ(bench.network.pool().in_use(), 0u);
    }
    EXPECT_TRUE(damaged.count(1));
    EXPECT_TRUE(damaged.count(2));
    if (config.bit_error_rate >= 1e-3) {
      EXPECT_TRUE(damaged.count(8));
      EXPECT_TRUE(lost_nacks.count(1));
    }
  }
}

TEST(TreeErrors, ALostAcknowledgementIsMadeUpForByTheTimeOut) {
  // The receiver has the frame already: it comes again, once a time-out, until an acknowledgement gets through.
  const TreeConfig config = with_errors(1e-3);
  unsigned lost = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Bench bench("1", config, seed);
    send_up(bench, seed);
    run_to_delivery(bench, 1);
    const TreeLinkCounters before = bench.network.links();
    bench.run(100000);
    const TreeLinkCounters after = bench.network.links();
    if (after.timeouts == before.timeouts) continue;
    ++lost;
    ASSERT_GT(after.retransmissions, before.retransmissions);
    ASSERT_EQ(bench.deliveries.size(), 1u);
    bench.run(100000);
    ASSERT_EQ(bench.network.links().retransmissions, after.retransmissions) << "something is still sent";
  }
  EXPECT_GT(lost, 5u);
}

TEST(TreeErrors, FramesBehindADamagedOneGoAgain) {
  // A stream without gaps: the frame behind the damaged one is half sent when the NACK comes, and both go again.
  constexpr unsigned kPackets = 6;
  Bench good("1");
  for (unsigned i = 0; i < kPackets; ++i) send_up(good, i);
  run_to_delivery(good, kPackets);
  const TreeConfig config = with_errors(1e-4);
  const Cycle wire = tree_wire_cycles(config);
  std::map<unsigned, unsigned> seen;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Bench bench("1", config, seed);
    for (unsigned i = 0; i < kPackets; ++i) send_up(bench, i);
    run_to_delivery(bench, kPackets);
    const TreeLinkCounters links = bench.network.links();
    for (unsigned i = 0; i < kPackets; ++i) ASSERT_EQ(bench.deliveries[i].value, i);
    if (links.damaged != 1 || links.timeouts != 0) continue;
    unsigned hit = 0;
    while (bench.deliveries[hit].at == good.deliveries[hit].at) ++hit;
    ++seen[hit];
    const bool last = hit == kPackets - 1;
    const Cycle delay = last ? tree_nack_cycles(config) : 2 * wire;
    for (unsigned i = hit; i < kPackets; ++i) ASSERT_EQ(bench.deliveries[i].at, good.deliveries[i].at + delay);
    ASSERT_EQ(links.retransmissions, last ? 1u : 2u);
    ASSERT_EQ(links.nacks, last ? 1u : 2u);
  }
  EXPECT_EQ(seen.size(), kPackets);
}

TEST(TreeErrors, AFullRetryBufferWaitsForAcknowledgements) {
  // One packet: the next one goes when the acknowledgement of the last is back, a round trip after its start.
  for (const unsigned packets : {1u, 2u}) {
    TreeConfig config = with_errors(1e-12);
    config.retry_packets = packets;
    Bench bench("1", config);
    for (unsigned i = 0; i < 8; ++i) send_up(bench, i);
    run_to_delivery(bench, 8);
    for (unsigned i = 1; i < 8; ++i) {
      ASSERT_EQ(bench.deliveries[i].at - bench.deliveries[i - 1].at,
                packets == 1 ? tree_nack_cycles(config) : tree_wire_cycles(config));
    }
    // Each virtual channel has a buffer of its own.
    bench.deliveries.clear();
    for (unsigned vc = 0; vc < 2; ++vc) send_up(bench, vc, vc);
    run_to_delivery(bench, 2);
    EXPECT_EQ(bench.deliveries[1].at - bench.deliveries[0].at, tree_wire_cycles(config));
    EXPECT_EQ(bench.network.links().retransmissions, 0u);
  }
}

/// Reductions on VC0; on VC1 node 0's broadcasts and, between compute and I/O nodes, packets up and down.
struct Mixed {
  static constexpr unsigned kPackets = 12;
  static constexpr std::uint64_t kUpValue = 1000;
  static constexpr std::uint64_t kDownValue = 2000;

  Mixed(const TreeConfig& config, std::uint64_t seed) : bench("4x4x4", config, seed) {
    const TreeTopology& tree = bench.network.topology();
    for (unsigned i = 0; i < kPackets; ++i) {
      for (std::uint32_t node = 0; node < tree.compute_nodes(); ++node) {
        bench.send(node, bench.packet(kReduce, TreeOpcode::add, node * i + 1));
      }
      bench.send(0, bench.packet(kBroadcast, TreeOpcode::none, i), 1);
      send_between(9, tree.io_node_of(9), kUp, kUpValue + i);
      send_between(tree.io_node_of(33), 33, kDown, kDownValue + i);
    }
  }
  void send_between(std::uint32_t from, std::uint32_t to, unsigned route_class, std::uint64_t value) {
    TreePacket& packet = bench.packet(route_class, TreeOpcode::none, value);
    packet.point_to_point = true;
    packet.target = to;
    bench.send(from, packet, 1);
  }

  /// Runs to the end and looks whether each got all that it should, once and in order.
  void check() {
    bench.wheel.run_events(kNever - 1);
    ASSERT_EQ(bench.deliveries.size(), kPackets * (64 + 63 + 1 + 1));
    std::map<std::pair<std::uint32_t, std::uint64_t>, unsigned> next;
    for (const Delivery& got : bench.deliveries) {
      ASSERT_TRUE(got.rest_is_zero);
      if (got.vc == 0) {
        const unsigned i = next[{got.node, 0}]++;
        ASSERT_EQ(got.value, 64 * 63 / 2 * i + 64);
        continue;
      }
      const std::uint64_t from = got.value / 1000 * 1000;
      ASSERT_EQ(got.value - from, (next[{got.node, 1 + from}]++));
      if (from != 0) {
        ASSERT_EQ(got.node, from == kUpValue ? bench.network.topology().io_node_of(9) : 33u);
      }
    }
    ASSERT_EQ(bench.network.pool().in_use(), 0u);
    ASSERT_EQ(bench.network.pool().data_in_use(), 0u);
    expect_nothing_lost(bench);
  }
  Cycle end() const {
    Cycle last = 0;
    for (const Delivery& got : bench.deliveries) last = std::max(last, got.at);
    return last;
  }

  Bench bench;
};

TEST(TreeErrors, NothingIsLostRepeatedOrReorderedWhereHardlyAFramePasses) {
  Mixed mixed(with_errors(2e-3), 1);  // one in 70
  mixed.check();
}

TEST(TreeErrors, NothingIsLostRepeatedOrReordered) {
  for (const double rate : {1e-5, 1e-4, 8e-4}) {
    for (const unsigned retry_packets : {1u, 4u, 63u}) {
      for (const unsigned buffer_packets : {1u, 4u, 9u}) {
        for (const unsigned nack_timeout : {1u, 600u}) {
          TreeConfig config = with_errors(rate);
          config.retry_packets = retry_packets;
          config.buffer_packets = buffer_packets;
          config.nack_timeout = nack_timeout;  // 1: shorter than the way of an answer, so all is sent again and again
          Mixed mixed(config, retry_packets + buffer_packets);
          mixed.check();
          if (HasFatalFailure()) FAIL() << rate << " " << retry_packets << " " << buffer_packets << " " << nack_timeout;
          const TreeLinkCounters links = mixed.bench.network.links();
          EXPECT_GT(links.damaged, 0u);
          EXPECT_GE(links.nacks, links.damaged);
          EXPECT_GE(links.retransmissions, links.damaged);
        }
      }
    }
  }
}

TEST(TreeErrors, MoreErrorsTakeLongerAndTheirNumberIsTheRates) {
  std::vector<Cycle> ends;
  for (const double rate : {0.0, 1e-4, 1e-3}) {
    Mixed mixed(with_errors(rate), 1);
    mixed.check();
    ends.push_back(mixed.end());
    const TreeLinkCounters links = mixed.bench.network.links();
    EXPECT_EQ(links.retransmissions > 0, rate > 0);
    const double hit = 1 - std::pow(1 - rate, 8 * (kTreePayloadBytes + mixed.bench.network.config().wire_overhead));
    const double expected = static_cast<double>(links.packets + links.retransmissions) * hit;
    EXPECT_NEAR(static_cast<double>(links.damaged), expected, 5 * std::sqrt(expected));
  }
  EXPECT_LT(ends[0], ends[1]);
  EXPECT_LT(ends[1], ends[2]);
}

TEST(TreeErrors, WithoutADamagedBitNoCycleChanges) {
  Mixed without(test::shipped<TreeConfig>(), 1);
  Mixed with(with_errors(1e-12), 1);
  without.check();
  with.check();
  EXPECT_EQ(with.bench.network.links().damaged, 0u);
  EXPECT_EQ(with.bench.network.links().retransmissions, 0u);
  ASSERT_EQ(without.bench.deliveries.size(), with.bench.deliveries.size());
  for (std::size_t i = 0; i < with.bench.deliveries.size(); ++i) {
    const Delivery& a = without.bench.deliveries[i];
    const Delivery& b = with.bench.deliveries[i];
    ASSERT_EQ(std::make_tuple(a.node, a.vc, a.at, a.value), std::make_tuple(b.node, b.vc, b.at, b.value));
  }
}

TEST(TreeErrors, SameSeedSameErrors) {
  const auto cycles_of = [](std::uint64_t seed) {
    Mixed mixed(with_errors(5e-4), seed);
    mixed.check();
    std::vector<Cycle> cycles;
    for (const Delivery& got : mixed.bench.deliveries) cycles.push_back(got.at);
    return cycles;
  };
  EXPECT_EQ(cycles_of(7), cycles_of(7));
  EXPECT_NE(cycles_of(7), cycles_of(8));
}

TEST(TreeErrors, RefusesSenselessParameters) {
  TreeConfig config = test::shipped<TreeConfig>();
  config.wire_overhead = TreeLinkRecovery::kFrameBytes - 1;
  EXPECT_NO_THROW(Bench("1", config));
  config.bit_error_rate = 1e-6;
  EXPECT_THROW(Bench("1", config), std::invalid_argument) << "no room for a CRC";
  for (const unsigned packets : {0u, 64u}) {
    config = test::shipped<TreeConfig>();
    config.retry_packets = packets;
    EXPECT_THROW(Bench("1", config), std::invalid_argument);
  }
}

}  // namespace
}  // namespace toroid
