// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "testbench/shipped.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/torus/latency.h"
#include "torus/traffic/messages.h"
#include "torus/traffic/messages_under_way.h"

namespace toroid {
namespace {

constexpr unsigned kHeader = 16;

MessageTraffic messages(const char* shape, std::array<unsigned, kMaxDimensions> displacement, std::uint64_t bytes,
                        std::uint32_t count = 1) {
  MessageTraffic config(test::shipped_torus());
  config.shape = Shape::parse(shape);
  config.pattern = "displacement";
  config.pattern_options.displacement = displacement;
  config.header_bytes = kHeader;
  config.bytes = bytes;
  config.count = count;
  return config;
}

TEST(Displacement, LeadsAroundTheRingsFromSomeOrAllNodes) {
  const Topology topology(Shape::parse("4x3x2"));
  PatternOptions options;
  options.displacement = {1, 2, 1};
  const auto all = make_pattern("displacement", topology, options);
  options.senders_every = 2;
  const auto half = make_pattern("displacement", topology, options);
  std::uint64_t random = 1;
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    const Coordinates at = topology.coordinates(node);
    const Coordinates to = topology.coordinates(all->destination(node, 0, random));
    EXPECT_EQ(to[0], (at[0] + 1) % 4);
    EXPECT_EQ(to[1], (at[1] + 2) % 3);
    EXPECT_EQ(to[2], (at[2] + 1) % 2);
    EXPECT_TRUE(all->sends(node));
    EXPECT_EQ(half->sends(node), at[0] % 2 == 0);
  }
  options.displacement = {4, 3, 2};  // around and back
  EXPECT_FALSE(make_pattern("displacement", topology, options)->sends(0));
  options.senders_every = 0;
  EXPECT_THROW(make_pattern("displacement", topology, options), std::invalid_argument);
}

TEST(Messages, AreCutIntoPacketsOfOneSize) {
  const auto cut = [](std::uint64_t bytes) {
    const MessagePackets packets = message_packets(messages("2x2x2", {1}, bytes), kBlueGeneLpRouters);
    return std::pair{packets.count, packets.chunks};
  };
  EXPECT_EQ(cut(1), (std::pair{1u, 1u}));
  EXPECT_EQ(cut(16), (std::pair{1u, 1u}));
  EXPECT_EQ(cut(17), (std::pair{1u, 2u}));
  EXPECT_EQ(cut(208), (std::pair{1u, 7u}));
  EXPECT_EQ(cut(209), (std::pair{1u, 8u}));
  EXPECT_EQ(cut(240), (std::pair{1u, 8u}));
  EXPECT_EQ(cut(241), (std::pair{2u, 8u}));
  EXPECT_EQ(cut(1 << 20), (std::pair{4370u, 8u}));
}

/// A node's time alone on the network: the first packet's way, and the link's time for the others behind it.
TEST(Messages, TakeTheTimeOfTheLinkOnAnIdleNetwork) {
  for (const bool adaptive : {false, true}) {
    for (const std::uint64_t bytes : {8u, 240u, 1000u, 100000u}) {
      for (const std::uint32_t count : {1u, 5u}) {
        MessageTraffic config = messages("8x1x1", {3}, bytes, count);
        config.pattern_options.senders_every = 8;
        config.adaptive = adaptive;
        const MessagePackets cut = message_packets(config, kBlueGeneLpRouters);
        const Cycle wire = wire_cycles(config.torus, kBlueGeneLpRouters, 0, cut.chunks);
        const Cycle first = zero_load_latency(config.torus, kBlueGeneLpRouters, 3, cut.chunks);
        const MessageResult result = run_messages(config);
        ASSERT_TRUE(result.complete);
        EXPECT_EQ(result.sending_nodes, 1u);
        EXPECT_EQ(result.messages, count);
        EXPECT_EQ(result.packets, std::uint64_t{count} * cut.count);
        EXPECT_EQ(result.hops, 3 * result.packets);
        const Cycle time = first + wire * (result.packets - 1);
        EXPECT_DOUBLE_EQ(result.operation.mean * count, static_cast<double>(time.count()));
        EXPECT_DOUBLE_EQ(result.rate.mean * static_cast<double>(time.count()), static_cast<double>(bytes * count));
        // Each message waits in the FIFO alone: the time of its own packets.
        const Cycle own = first + wire * (cut.count - 1);
        EXPECT_DOUBLE_EQ(result.message.min, static_cast<double>(own.count()));
      }
    }
  }
}

TEST(Messages, KeepTheirDistance) {
  MessageTraffic config = messages("8x1x1", {1}, 8, 100);
  config.interval = Cycle{700};
  const MessageResult result = run_messages(config);
  const double last = static_cast<double>(zero_load_latency(config.torus, kBlueGeneLpRouters, 1, 1).count());
  EXPECT_DOUBLE_EQ(result.operation.min, (99 * 700 + last) / 100);
  EXPECT_DOUBLE_EQ(result.operation.max, result.operation.min);
}

/// Half-way around a ring: by the routers' rule all go plus; by parity, set by the sources, both directions share.
TEST(Messages, ChooseTheirWayAtTies) {
  MessageTraffic config = messages("8", {4}, 24000, 4);
  config.torus.tie_rule = TieRule::plus;
  const MessageResult plus = run_messages(config);
  config.tie_rule = TieRule::parity;
  const MessageResult parity = run_messages(config);
  ASSERT_TRUE(plus.complete && parity.complete);
  EXPECT_EQ(plus.hops, parity.hops);
  EXPECT_NEAR(plus.link_load_mean / plus.link_load_max, 0.5, 0.05);  // of the links of the ring, one way
  EXPECT_GT(parity.link_load_mean / parity.link_load_max, 0.9);
  EXPECT_GT(parity.rate.mean, 1.7 * plus.rate.mean);
  config.torus.tie_rule = TieRule::parity;
  config.tie_rule.reset();
  EXPECT_EQ(run_messages(config).digest, parity.digest);
}

/// Planes that the displacement does not leave have nothing to do with each other: how many there are changes only the
/// random choices.
TEST(Messages, OfPlanesAreIndependent) {
  MessageTraffic config = messages("1x8x8", {0, 4, 4}, 4096, 10);
  config.adaptive = true;
  config.start_within = Cycle{400};
  const MessageResult one = run_messages(config);
  config.shape = Shape::parse("6x8x8");
  const MessageResult six = run_messages(config);
  EXPECT_EQ(six.packets, 6 * one.packets);
  EXPECT_NEAR(six.rate.mean, one.rate.mean, 0.05 * one.rate.mean);
}

void expect_equal(const MessageResult& result, const MessageResult& expected) {
  EXPECT_EQ(result.digest, expected.digest);
  EXPECT_EQ(result.cycles, expected.cycles);
  EXPECT_EQ(result.rate.mean, expected.rate.mean);
  EXPECT_EQ(result.message.min, expected.message.min);
  EXPECT_EQ(result.message.mean, expected.message.mean);
  EXPECT_EQ(result.message.max, expected.message.max);
  EXPECT_EQ(result.link_load_max, expected.link_load_max);
}

TEST(Messages, DoNotDependOnTheOrderOfElaborationOrOfEvents) {
  for (const bool adaptive : {false, true}) {
    for (const bool transit_first : {false, true}) {
      MessageTraffic config = messages("4x4x4", {2, 2, 1}, 1000, 20);
      config.adaptive = adaptive;
      config.torus.transit_first = transit_first;
      config.start_within = Cycle{300};
      const MessageResult expected = run_messages(config);
      ASSERT_TRUE(expected.complete);
      EXPECT_EQ(expected.messages, 64u * 20);
      for (config.elaboration_order = 1; config.elaboration_order <= 3; ++config.elaboration_order) {
        expect_equal(run_messages(config), expected);
      }
      config.elaboration_order = 0;
      config.seed = 2;
      EXPECT_NE(run_messages(config).digest, expected.digest);
    }
  }
}

TEST(Messages, ArriveOverLinksWithErrorsAndInOtherPatterns) {
  MessageTraffic config = messages("4x4x4", {}, 2000, 10);
  config.adaptive = true;
  config.torus.bit_error_rate = 1e-5;
  for (const char* pattern : {"uniform", "alltoall", "transpose"}) {
    config.pattern = pattern;
    const MessageResult result = run_messages(config);
    EXPECT_TRUE(result.complete) << pattern;
    EXPECT_EQ(result.packets, std::uint64_t{result.sending_nodes} * 10 * 9) << pattern;
    EXPECT_GT(result.retransmissions, 0u) << pattern;
  }
}

TEST(Messages, TellOfANetworkThatIsStuckOrInterrupted) {
  MessageTraffic config = messages("2x2x2", {1}, 2000, 3);
  config.torus.bit_error_rate = 0.5;
  config.torus.stuck_after = Cycle{100000};
  const MessageResult stuck = run_messages(config);
  EXPECT_TRUE(stuck.stuck);
  EXPECT_FALSE(stuck.complete);
  EXPECT_NE(stuck.stuck_report, "");
  config.torus.bit_error_rate = 0;
  config.keep_going = [] { return false; };
  EXPECT_TRUE(run_messages(config).interrupted);
}

TEST(Messages, RefuseWhatMakesNoSense) {
  const auto refusal = [](MessageTraffic config) -> std::string {
    try {
      check_messages(config);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(messages("2x2x2", {1}, 8)), "");
  EXPECT_EQ(refusal(messages("2x2x2", {2, 2}, 8)),
            "traffic: no node of shape 2x2x2 sends; the pattern displacement needs a displacement that leads to "
            "another node");
  EXPECT_EQ(refusal(messages("2x2x2", {1}, 0)), "messages: a source must have a message of at least a byte");
  EXPECT_EQ(refusal(messages("2x2x2", {1}, 1 << 20, 4000000)),
            "messages: 4000000 messages of 1048576 bytes are more than 2^32 packets of a source");
  MessageTraffic config = messages("2x2x2", {1}, 8);
  config.header_bytes = 256;
  EXPECT_EQ(refusal(config), "messages: a packet of up to 256 bytes has no room for payload beside a header of 256");
}

TEST(MessagesUnderWay, PacketsMayArriveInAnyOrder) {
  MessagesUnderWay under_way;
  std::vector<Cycle> times;
  const auto complete = [&](const MessagesUnderWay::Message& done) { times.push_back(done.last - done.start); };
  for (std::uint32_t number = 0; number < 5; ++number) under_way.begin(Cycle{100 * number}, 2);
  under_way.arrived(3, Cycle{450}, complete);
  under_way.arrived(3, Cycle{420}, complete);
  EXPECT_EQ(times, (std::vector<Cycle>{Cycle{150}}));
  under_way.arrived(0, Cycle{500}, complete);
  for (std::uint32_t number = 5; number < 20; ++number) under_way.begin(Cycle{100 * number}, 1);
  under_way.arrived(0, Cycle{501}, complete);
  EXPECT_EQ(times.back(), Cycle{501});
  for (std::uint32_t number = 19; number >= 5; --number) under_way.arrived(number, Cycle{2000 + number}, complete);
  EXPECT_EQ(times.back(), Cycle{2005 - 500});
  for (const std::uint32_t number : {4u, 2u, 1u}) {
    under_way.arrived(number, Cycle{1000}, complete);
    under_way.arrived(number, Cycle{900}, complete);
    EXPECT_EQ(times.back(), Cycle{1000 - 100 * number});
  }
}

}  // namespace
}  // namespace toroid
