// SPDX-License-Identifier: Apache-2.0
// Every field of a packet does what the header says.
#include <gtest/gtest.h>

#include <algorithm>

#include "testbench/shipped.h"
#include "testbench/tests/torus/test_device.h"
#include "torus/base/random.h"
#include "torus/torus/latency.h"

namespace toroid {
namespace {

using test::Bench;
using test::Delivery;

std::uint64_t sent(const Bench& bench, const Coordinates& at, Direction direction) {
  return bench.network.link(bench.network.topology().node(at), direction).packets;
}

TEST(Routing, DeterministicGoesXThenYThenZ) {
  Bench bench("4x4x4");
  bench.devices[0]->send(bench.packet({1, 1, 1}));
  bench.run();
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(sent(bench, {0, 0, 0}, 0), 1u);
  EXPECT_EQ(sent(bench, {1, 0, 0}, 2), 1u);
  EXPECT_EQ(sent(bench, {1, 1, 0}, 4), 1u);
  EXPECT_EQ(bench.deliveries[0].channel, BlueGeneLpChannel::bubble);
}

TEST(Routing, DynamicGoesAroundABusyLink) {
  Bench bench("4x4x4");
  bench.network.set_stopped(0, 0, true);  // X+ of node 0
  Packet& p = bench.packet({1, 1, 0});
  p.dynamic = true;
  p.channel = BlueGeneLpChannel::dynamic0;
  bench.devices[0]->send(p);
  Packet& q = bench.packet({1, 1, 0});
  bench.devices[0]->send(q, 1);
  bench.run(1000);
  ASSERT_EQ(bench.deliveries.size(), 1u);  // the deterministic one waits
  EXPECT_EQ(bench.deliveries[0].serial, 0u);
  EXPECT_EQ(sent(bench, {0, 0, 0}, 2), 1u);
  bench.network.set_stopped(0, 0, false);
  bench.run(1000);
  EXPECT_EQ(bench.deliveries.size(), 2u);
}

TEST(Routing, DynamicJoinsTheShortestQueue) {
  Bench bench("4x4x4");
  bench.devices[1]->reads = false;
  // Fill the buffers of X+ behind node 0: node 1 does not read, 32 chunks of its FIFO and 64 of D0 and D1.
  bench.send_full(0, {1, 0, 0}, 12, true);
  bench.run(10000);
  ASSERT_EQ(bench.network.sender_tokens(0, 0, BlueGeneLpChannel::dynamic0), 0u);
  ASSERT_EQ(bench.network.sender_tokens(0, 0, BlueGeneLpChannel::dynamic1), 0u);
  ASSERT_EQ(bench.network.receiver_fullness(1, 1, BlueGeneLpChannel::dynamic0), 32u);
  Packet& p = bench.packet({1, 1, 0});
  p.dynamic = true;
  p.channel = BlueGeneLpChannel::dynamic0;
  bench.devices[0]->send(p, 1);
  bench.run(1000);
  EXPECT_EQ(bench.deliveries.back().node, 5u);
  EXPECT_EQ(sent(bench, {0, 0, 0}, 2), 1u);  // Y+ first
}

TEST(Routing, DynamicFallsIntoTheBubbleChannelAndComesBack) {
  Bench bench("8x1x1");
  bench.devices[1]->reads = false;
  bench.send_full(0, {1, 0, 0}, 12, true);
  bench.run(10000);
  Packet& p = bench.packet({3, 0, 0});
  p.dynamic = true;
  p.channel = BlueGeneLpChannel::dynamic0;
  bench.devices[0]->send(p, 1);
  bench.run(1000);
  ASSERT_EQ(bench.deliveries.back().node, 3u);                            // passed the full dynamic channels on BN
  EXPECT_NE(bench.deliveries.back().channel, BlueGeneLpChannel::bubble);  // and left it at node 1
}

TEST(Routing, EnteringARingLeavesTheBubbleFree) {
  TorusConfig config = test::shipped_torus();
  config.buffer_chunks = 24;
  Bench bench("4x4x4", config);
  bench.devices[1]->reads = false;
  bench.send_full(0, {1, 0, 0}, 12);
  bench.run(20000);
  // 4 packets fill the reception FIFO, 2 of 3 packet slots the buffer; the third may not be taken from injection.
  EXPECT_EQ(bench.network.sender_tokens(0, 0, BlueGeneLpChannel::bubble), 8u);
  EXPECT_EQ(bench.network.receiver_fullness(1, 1, BlueGeneLpChannel::bubble), 16u);
  // A packet that stays in its ring may take it: from node 3 through node 0 to node 1.
  Packet& p = bench.packet({1, 0, 0});
  p.hints = 1;
  bench.devices[3]->send(p);
  bench.run(5000);
  EXPECT_EQ(bench.network.sender_tokens(0, 0, BlueGeneLpChannel::bubble), 0u);
}

TEST(Routing, AQueueIsReadByOnePacketAtATime) {
  Bench bench("4x4x4");
  bench.network.set_stopped(1, 2, true);  // Y+ of node 1
  for (const Coordinates& to : {Coordinates{1, 1, 0}, Coordinates{1, 0, 1}}) {
    bench.send_full(0, to, 1);
  }
  bench.run(5000);
  EXPECT_EQ(bench.deliveries.size(), 0u);  // the second waits behind the first, though its link is free
  bench.network.set_stopped(1, 2, false);
  bench.run(5000);
  ASSERT_EQ(bench.deliveries.size(), 2u);
  EXPECT_EQ(bench.deliveries[1].at - bench.deliveries[0].at, 270u);
}

TEST(Routing, HintBitsAreObeyed) {
  Bench bench("8x1x1");
  Packet& p = bench.packet({1, 0, 0});
  p.hints = 2;  // X-: the long way
  bench.devices[0]->send(p);
  bench.run();
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].hops, 7u);
  EXPECT_EQ(bench.deliveries[0].fifo, 0u);  // came in from X+
}

TEST(Routing, CutOffsDecideWithoutHints) {
  Bench bench("8x1x1");
  bench.network.set_cut_offs(0, CutOffs{{0}, {0}});  // nothing above is reached by plus
  bench.devices[0]->send(bench.packet({1, 0, 0}));
  bench.run();
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].hops, 7u);
}

TEST(Routing, PacketToItsOwnNodeTravelsTheRing) {
  for (const char* shape : {"4x4x4", "4x2x1"}) {
    Bench bench(shape);
    for (unsigned d = 0; d < 6; ++d) {
      Packet& p = bench.packet({0, 0, 0});
      p.hints = static_cast<std::uint16_t>(1u << d);
      bench.deliveries.clear();
      bench.devices[0]->send(p);
      bench.run();
      ASSERT_EQ(bench.deliveries.size(), 1u);
      EXPECT_EQ(bench.deliveries[0].node, 0u);
      EXPECT_EQ(bench.deliveries[0].hops, bench.network.topology().extent(d / 2));
      EXPECT_EQ(bench.deliveries[0].fifo, d ^ 1);
    }
  }
}

TEST(Routing, ReceptionFifoByArrivalGroupAndPriority) {
  Bench bench("3x3x3");
  const Coordinates centre{1, 1, 1};
  const Topology& topology = bench.network.topology();
  for (unsigned d = 0; d < 6; ++d) {
    for (unsigned group = 0; group < 2; ++group) {
      for (const bool priority : {false, true}) {
        Packet& p = bench.packet(centre);
        p.group = static_cast<std::uint8_t>(group);
        if (priority) p.channel = BlueGeneLpChannel::priority;
        bench.deliveries.clear();
        bench.devices[topology.neighbour(topology.node(centre), static_cast<Direction>(d))]->send(p, priority ? 3 : 0);
        bench.run();
        ASSERT_EQ(bench.deliveries.size(), 1u);
        EXPECT_EQ(bench.deliveries[0].fifo, group * 7 + (priority ? 6 : d));
        EXPECT_EQ(bench.deliveries[0].channel, priority ? BlueGeneLpChannel::priority : BlueGeneLpChannel::bubble);
      }
    }
  }
}

TEST(Routing, PriorityGoesFirst) {
  Bench bench("4x4x4");
  // Three normal FIFOs and the priority one want X+ in one cycle.
  for (unsigned fifo = 0; fifo < 3; ++fifo) {
    Packet& p = bench.packet({1, 0, 0});
    p.chunks = 8;
    bench.devices[0]->send(p, fifo);
  }
  Packet& p = bench.packet({1, 0, 0});
  p.channel = BlueGeneLpChannel::priority;
  bench.devices[0]->send(p, 3);
  bench.run();
  ASSERT_EQ(bench.deliveries.size(), 4u);
  EXPECT_EQ(bench.deliveries[0].serial, 3u);
}

TEST(Routing, DepositCopiesAtEveryNodePassed) {
  for (const bool dynamic : {false, true}) {
    Bench bench("8x4x4");
    Packet& p = bench.packet({4, 2, 0}, true);
    p.chunks = 8;
    p.deposit = true;
    p.dynamic = dynamic;
    if (dynamic) p.channel = BlueGeneLpChannel::dynamic0;
    p.group = 1;
    for (unsigned i = 0; i < 256; ++i) p.data[i] = static_cast<std::uint8_t>(i * 7);
    const std::vector<std::uint8_t> bytes(p.data, p.data + BlueGeneLpFamily::kMaxPacketBytes);
    bench.devices[2 * 8]->send(p);
    bench.run();
    ASSERT_EQ(bench.deliveries.size(), 4u);
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(bench.deliveries[i].node, 2u * 8 + i + 1);
      EXPECT_EQ(bench.deliveries[i].fifo, 7u + 1);
      EXPECT_EQ(bench.deliveries[i].bytes, bytes);
      EXPECT_EQ(bench.deliveries[i].at, zero_load_latency(test::shipped_torus(), kBlueGeneLpRouters, i + 1, 8));
    }
    EXPECT_EQ(bench.network.copied(), 3u);
    EXPECT_EQ(bench.network.in_flight(), 0u);
    EXPECT_EQ(bench.network.pool().in_use(), 0u);
    EXPECT_EQ(bench.network.pool().data_in_use(), 0u);
  }
}

TEST(Routing, DepositWaitsForReceptionSpaceOnItsWay) {
  Bench bench("8x1x1");
  bench.devices[1]->reads = false;
  for (unsigned i = 0; i < 5; ++i) {
    Packet& p = bench.packet({3, 0, 0});
    p.chunks = 8;
    p.deposit = true;
    bench.devices[0]->send(p);
  }
  bench.run(10000);
  // Node 1 has taken 4 copies into its 32 chunks; the fifth packet may not pass without leaving one.
  EXPECT_EQ(bench.deliveries.size(), 4u * 3);
  EXPECT_EQ(bench.network.in_flight(), 1u);
  bench.network.router(1).return_tokens(1, 32, bench.wheel.now() + 1);
  bench.run(10000);
  EXPECT_EQ(bench.deliveries.size(), 5u * 3);
}

TEST(Routing, DepositStreamsAtLinkRate) {
  Bench bench("8x1x1");
  for (unsigned i = 0; i < 10; ++i) {
    Packet& p = bench.packet({4, 0, 0});
    p.chunks = 8;
    p.deposit = true;
    bench.devices[0]->send(p);
  }
  bench.run(20000);
  ASSERT_EQ(bench.deliveries.size(), 40u);
  EXPECT_EQ(bench.deliveries.back().at, zero_load_latency(test::shipped_torus(), kBlueGeneLpRouters, 4, 8) + 9 * 270);
}

TEST(Routing, NothingIsLostWhenTheReaderStopsForAWhile) {
  Bench bench("4x1x1");
  bench.devices[2]->reads = false;
  for (unsigned i = 0; i < 30; ++i) {
    Packet& p = bench.packet({2, 0, 0});
    p.chunks = static_cast<std::uint8_t>(1 + i % 8);
    bench.devices[0]->send(p);
  }
  bench.run(20000);
  unsigned held = 0;
  for (const Delivery& delivery : bench.deliveries) held += delivery.chunks;
  EXPECT_LE(held, 32u);
  EXPECT_GT(held, 24u);
  bench.devices[2]->reads = true;
  bench.network.router(2).return_tokens(bench.deliveries[0].fifo, held, bench.wheel.now() + 1);
  bench.run(20000);
  ASSERT_EQ(bench.deliveries.size(), 30u);
  for (unsigned i = 0; i < 30; ++i) EXPECT_EQ(bench.deliveries[i].serial, i);
}

TEST(Routing, TokensAllComeBack) {
  Bench bench("4x3x2");
  std::uint64_t random = 5;
  for (unsigned i = 0; i < 2000; ++i) {
    const std::uint32_t from = next_random(random, 24);
    const std::uint32_t to = next_random(random, 24);
    if (from == to) continue;
    Packet& p = bench.packet(bench.network.topology().coordinates(to));
    p.chunks = static_cast<std::uint8_t>(1 + next_random(random, 8));
    p.dynamic = next_random(random, 2);
    p.channel = p.dynamic                ? BlueGeneLpChannel::dynamic0
                : next_random(random, 4) ? BlueGeneLpChannel::bubble
                                         : BlueGeneLpChannel::priority;
    bench.devices[from]->send(p, next_random(random, 8));
  }
  bench.run(1000000);
  EXPECT_EQ(bench.network.in_flight(), 0u);
  EXPECT_EQ(bench.network.injected(), bench.network.received());
  EXPECT_EQ(bench.network.pool().in_use(), 0u);
  for (std::uint32_t node = 0; node < 24; ++node) {
    for (unsigned d = 0; d < 6; ++d) {
      for (unsigned channel = 0; channel < Router::kVcs; ++channel) {
        const auto direction = static_cast<Direction>(d);
        EXPECT_EQ(bench.network.sender_tokens(node, direction, static_cast<VirtualChannel>(channel)), 32u);
        EXPECT_EQ(bench.network.receiver_fullness(node, direction, static_cast<VirtualChannel>(channel)), 0u);
      }
      EXPECT_EQ(bench.network.router(node).output(static_cast<Direction>(d)).requests.empty(), true);
    }
    for (unsigned fifo = 0; fifo < 14; ++fifo) EXPECT_EQ(bench.network.router(node).reception_tokens(fifo), 32u);
  }
}

TEST(Arbitration, FullestQueueInItsPhaseRandomInTheOther) {
  // Node 1 passes on from node 0 (a queue that fills) and sends itself; both want X+.
  const auto share = [](unsigned fullness, unsigned random) {
    TorusConfig config = test::shipped_torus();
    config.fullness_cycles = fullness;
    config.random_cycles = random;
    Bench bench("8x1x1", config);
    for (unsigned i = 0; i < 200; ++i) {
      for (const unsigned from : {0u, 1u}) {
        bench.send_full(from, {2, 0, 0}, 1);
      }
    }
    bench.run(100 * 270);
    return std::count_if(bench.deliveries.begin(), bench.deliveries.end(),
                         [](const Delivery& delivery) { return delivery.source == 1; });
  };
  EXPECT_LT(share(1, 0), 15);  // transit fills up and wins
  EXPECT_GT(share(0, 1), 30);
  EXPECT_LT(share(0, 1), 70);
}

TEST(Arbitration, TransitMayGoFirst) {
  // Node 1 passes on from node 0 and sends itself; both want X+, and chance decides unless transit goes first.
  const auto own_share = [](bool transit_first) {
    TorusConfig config = test::shipped_torus();
    config.fullness_cycles = 0;
    config.random_cycles = 1;
    config.transit_first = transit_first;
    Bench bench("8x1x1", config);
    for (unsigned i = 0; i < 200; ++i) {
      for (const unsigned from : {0u, 1u}) bench.send_full(from, {2, 0, 0}, 1);
    }
    bench.run(100 * 270);
    return bench.network.counters(1).injected;
  };
  EXPECT_GT(own_share(false), 30u);
  EXPECT_LT(own_share(true), 10u);  // only what transit leaves free at the beginning
  EXPECT_GT(own_share(true), 0u);
}

TEST(Arbitration, PriorityInjectionMayGoBeforePriorityTransit) {
  const auto own_share = [](std::uint8_t chance) {
    Bench bench("8x1x1");
    ArbitrationPhases phases = bench.network.arbitration(1);
    phases.priority_injection = chance;
    bench.network.set_arbitration(1, phases);
    for (unsigned i = 0; i < 200; ++i) {
      for (const unsigned from : {0u, 1u}) {
        Packet& p = bench.packet({2, 0, 0});
        p.chunks = 8;
        p.channel = BlueGeneLpChannel::priority;
        bench.devices[from]->send(p, 3);
      }
    }
    bench.run(100 * 270);
    return bench.network.counters(1).injected;
  };
  EXPECT_LT(own_share(0), 15u);
  EXPECT_GT(own_share(31), 40u);
  Bench bench("2x1x1");
  EXPECT_THROW(bench.network.set_arbitration(0, {0, 0, 0}), std::invalid_argument);
}

TEST(Config, WarnsOfRingsWithoutABubble) {
  TorusConfig config = test::shipped_torus();
  EXPECT_TRUE(config.warnings(kBlueGeneLpRouters).empty());
  for (const unsigned chunks : {0u, 1u, kBlueGeneLpRouters.max_chunks - 1u}) {
    config.bubble_chunks = chunks;
    config.validate(kBlueGeneLpRouters);
    ASSERT_EQ(config.warnings(kBlueGeneLpRouters).size(), 1u);
    const std::string begin = "torus.bubble_chunks is " + std::to_string(chunks) + ": a loaded ring can deadlock";
    EXPECT_EQ(config.warnings(kBlueGeneLpRouters)[0].find(begin), 0u) << config.warnings(kBlueGeneLpRouters)[0];
  }
}

TEST(Config, RefusesWhatCannotWork) {
  const auto fault = [](auto change) -> std::string {
    TorusConfig config = test::shipped_torus();
    change(config);
    try {
      Bench bench("2x2x2", config);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(fault([](TorusConfig& c) { c.buffer_chunks = 15; }),
            "torus.buffer_chunks must be from 16 (one maximum packet and bubble_chunks) to 255 (8-bit token counters)");
  EXPECT_NE(fault([](TorusConfig& c) { c.link_bytes_per_cycle = 0; }), "");
  EXPECT_NE(fault([](TorusConfig& c) { c.resend_packets = 128; }), "");
  EXPECT_NE(fault([](TorusConfig& c) { c.bit_error_rate = 1; }), "");
  EXPECT_NE(fault([](TorusConfig& c) { c.injection_cycles = 0; }), "");
}

}  // namespace
}  // namespace toroid
