// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

#include "testbench/shipped.h"
#include "testbench/tests/torus/test_device.h"
#include "torus/base/crc.h"
#include "torus/base/random.h"
#include "torus/torus/wire_image.h"
#include "torus/traffic/traffic.h"

namespace toroid {
namespace {

using test::Bench;

TEST(Crc, KnownValues) {
  const std::uint8_t text[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  EXPECT_EQ(crc8(text, 9), 0xF4);        // CRC-8 check value
  EXPECT_EQ(crc24(text, 9), 0x21CF02u);  // CRC-24/OPENPGP check value
}

constexpr unsigned kBytes = BlueGeneLpFamily::kChunkBytes;

TEST(WireImage, EverySingleFlipIsNoticed) {
  Packet packet;
  packet.chunks = 3;
  packet.hints = 5;
  ASSERT_TRUE(WireImage(packet, 9, kBytes).header_good());
  ASSERT_TRUE(WireImage(packet, 9, kBytes).packet_good());
  for (unsigned bit = 0; bit < WireImage::bits(3 * kBytes); ++bit) {
    WireImage image(packet, 9, kBytes);
    image.flip(bit);
    ASSERT_FALSE(image.packet_good()) << bit;
    ASSERT_EQ(image.header_good(), bit >= 64) << bit;
  }
}

TEST(WireImage, GivesItsPayloadButNotItsHeader) {
  std::array<std::uint8_t, 2 * kBytes + 1> data{};
  data.fill(0x11);
  Packet packet;
  packet.chunks = 2;
  packet.data = data.data();
  WireImage image(packet, 77, kBytes);
  image.flip(8 * 63);
  image.flip(0);
  image.copy_contents(packet);
  EXPECT_EQ(data[63], 0x91);
  EXPECT_EQ(data[0], 0x11);
  EXPECT_EQ(data[6], 0x11);
  EXPECT_EQ(data[64], 0x11);
}

TEST(WireImage, BurstsAndPairsAreNoticed) {
  Packet packet;
  packet.chunks = 8;
  std::uint64_t random = 3;
  for (unsigned i = 0; i < 20000; ++i) {
    WireImage image(packet, 1, kBytes);
    const unsigned first = next_random(random, WireImage::bits(8 * kBytes));
    const unsigned second = next_random(random, WireImage::bits(8 * kBytes));
    if (first == second) continue;
    image.flip(first);
    image.flip(second);
    ASSERT_FALSE(image.packet_good());
  }
}

std::uint64_t total(const TorusNetwork& network, std::uint64_t LinkCounters::*counter) {
  std::uint64_t sum = 0;
  for (std::uint32_t node = 0; node < network.topology().nodes(); ++node) {
    for (unsigned d = 0; d < network.topology().directions(); ++d) {
      sum += network.link(node, static_cast<Direction>(d)).*counter;
    }
  }
  return sum;
}

TEST(LinkErrors, OneLinkKeepsOrderAndContents) {
  TorusConfig config = test::shipped_torus();
  config.bit_error_rate = 1e-4;  // about every fifth maximum packet
  Bench bench("4x1x1", config);
  for (unsigned i = 0; i < 1000; ++i) {
    Packet& p = bench.packet({2, 0, 0}, true);
    p.chunks = static_cast<std::uint8_t>(1 + i % 8);
    std::fill_n(p.data, BlueGeneLpFamily::kMaxPacketBytes, static_cast<std::uint8_t>(i));
    bench.devices[0]->send(p);
  }
  bench.run(10000000);
  ASSERT_EQ(bench.deliveries.size(), 1000u);
  for (unsigned i = 0; i < 1000; ++i) {
    ASSERT_EQ(bench.deliveries[i].serial, i);
    ASSERT_EQ(bench.deliveries[i].bytes, std::vector<std::uint8_t>(32 * (1 + i % 8), static_cast<std::uint8_t>(i)));
  }
  EXPECT_GT(total(bench.network, &LinkCounters::crc_errors), 100u);
  EXPECT_GE(total(bench.network, &LinkCounters::retransmissions), total(bench.network, &LinkCounters::crc_errors) / 2);
  EXPECT_EQ(bench.network.in_flight(), 0u);
  EXPECT_EQ(bench.network.pool().in_use(), 0u);
  EXPECT_EQ(bench.network.resend_begin(0, 0), bench.network.resend_end(0, 0));
}

TEST(LinkErrors, RateOfErrorsIsTheRateAskedFor) {
  TorusConfig config = test::shipped_torus();
  config.bit_error_rate = 2e-5;
  Bench bench("2x1x1", config);
  for (unsigned i = 0; i < 20000; ++i) bench.devices[0]->send(bench.packet({1, 0, 0}));
  bench.run(100000000);
  ASSERT_EQ(bench.deliveries.size(), 20000u);
  const LinkCounters link = bench.network.link(0, 0);
  // 36 bytes of each packet are checked.
  const double expected = 2e-5 * 36 * 8 * static_cast<double>(link.packets);
  EXPECT_NEAR(static_cast<double>(link.crc_errors), expected, 4 * std::sqrt(expected));
}

TEST(LinkErrors, ASmallWindowStillMoves) {
  TorusConfig config = test::shipped_torus();
  config.bit_error_rate = 1e-3;
  config.resend_packets = 1;
  config.retransmit_timeout = 100;
  Bench bench("3x3x1", config);
  for (unsigned i = 0; i < 100; ++i) bench.devices[0]->send(bench.packet({1, 1, 0}));
  bench.run(10000000);
  ASSERT_EQ(bench.deliveries.size(), 100u);
  for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(bench.deliveries[i].serial, i);
}

TEST(LinkErrors, BothEndsOfALinkHaveTheSameRunningCrc) {
  TorusConfig config = test::shipped_torus();
  config.bit_error_rate = 1e-3;
  Bench bench("4x1x1", config);
  for (unsigned i = 0; i < 200; ++i) bench.devices[0]->send(bench.packet({static_cast<std::uint8_t>(1 + i % 2), 0, 0}));
  bench.run(10000000);
  ASSERT_EQ(bench.deliveries.size(), 200u);
  ASSERT_GT(bench.network.link(0, 0).retransmissions, 20u);
  EXPECT_NE(bench.network.sender_crc(0, 0), 0u);
  EXPECT_EQ(bench.network.sender_crc(0, 0), bench.network.receiver_crc(1, 1));
  EXPECT_NE(bench.network.sender_crc(1, 0), 0u);
  EXPECT_EQ(bench.network.sender_crc(1, 0), bench.network.receiver_crc(2, 1));
  EXPECT_NE(bench.network.sender_crc(0, 0), bench.network.sender_crc(1, 0));
  EXPECT_EQ(bench.network.sender_crc(1, 1), 0u) << "nothing went that way";
  EXPECT_EQ(bench.network.receiver_crc(0, 0), 0u);

  const std::uint32_t other_end = bench.network.sender_crc(1, 0);
  bench.network.clear_link_crcs(1);
  EXPECT_EQ(bench.network.receiver_crc(1, 1), 0u);
  EXPECT_EQ(bench.network.sender_crc(1, 0), 0u);
  EXPECT_NE(bench.network.sender_crc(0, 0), 0u);
  EXPECT_EQ(bench.network.receiver_crc(2, 1), other_end);
}

TEST(LinkErrors, TheRunningCrcTellsLostAndExchangedPackets) {
  const auto crc_of = [](std::initializer_list<std::uint8_t> destinations) {
    TorusConfig config = test::shipped_torus();
    config.bit_error_rate = 1e-12;
    Bench bench("5x1x1", config);
    for (const std::uint8_t x : destinations) bench.devices[0]->send(bench.packet({x, 0, 0}));
    bench.run();
    return bench.network.receiver_crc(1, 1);
  };
  EXPECT_EQ(crc_of({1, 2, 1}), crc_of({1, 2, 1}));
  EXPECT_NE(crc_of({1, 2, 1}), crc_of({1, 1, 2}));
  EXPECT_NE(crc_of({1, 1, 1}), crc_of({1, 1}));

  // Packets alike differ in their sequence numbers, and even the first one to node 0 leaves a trace.
  TorusConfig config = test::shipped_torus();
  config.bit_error_rate = 1e-12;
  Bench bench("4x1x1", config);
  std::uint32_t before = 0;
  for (unsigned i = 0; i < 3; ++i) {
    bench.devices[1]->send(bench.packet({0, 0, 0}));
    bench.run();
    EXPECT_NE(bench.network.sender_crc(1, 1), before);
    EXPECT_EQ(bench.network.sender_crc(1, 1), bench.network.receiver_crc(0, 0));
    before = bench.network.sender_crc(1, 1);
    bench.network.clear_link_crcs(0);
    bench.network.clear_link_crcs(1);
  }
}

// A link that damages every packet: its sender does nothing but wait and send again.
struct DeadLink {
  explicit DeadLink(unsigned timeout) : bench("3x3x1", config(timeout)) {
    bench.devices[0]->send(bench.packet({1, 0, 0}));
    bench.run(100);
  }
  static TorusConfig config(unsigned timeout) {
    TorusConfig config = test::shipped_torus();
    config.bit_error_rate = 0.5;
    config.retransmit_timeout = timeout;
    return config;
  }
  std::uint64_t sent_again_in(Cycle cycles) {
    const std::uint64_t before = bench.network.link(0, 0).retransmissions;
    bench.run(cycles);
    return bench.network.link(0, 0).retransmissions - before;
  }
  static constexpr unsigned kWireCycles = 32 + 14;  // one chunk
  Bench bench;
};

TEST(LinkErrors, APacketGoesAgainAfterEachTimeOut) {
  for (const unsigned timeout : {1u, 100u, 954u}) {
    DeadLink link(600);
    link.bench.network.set_retransmit_timeout(0, 0, timeout);
    EXPECT_EQ(link.bench.network.retransmit_timeout(0, 0), timeout);
    link.bench.run(2000);  // past the time-out that was under way
    EXPECT_NEAR(static_cast<double>(link.sent_again_in(Cycle{50 * (timeout + DeadLink::kWireCycles)})), 50, 1)
        << timeout;
  }
}

TEST(LinkErrors, AShorterTimeOutHoldsForPacketsUnderWay) {
  DeadLink link(60000);
  EXPECT_EQ(link.sent_again_in(1000), 0u);
  link.bench.network.set_retransmit_timeout(0, 0, 200);
  EXPECT_EQ(link.sent_again_in(10), 1u) << "it has waited longer than that";
  EXPECT_NEAR(static_cast<double>(link.sent_again_in(Cycle{20 * (200 + DeadLink::kWireCycles)})), 20, 1);
  // The timer that was running to the old time-out must not start another chain of them.
  link.bench.run(60000);
  EXPECT_NEAR(static_cast<double>(link.sent_again_in(Cycle{20 * (200 + DeadLink::kWireCycles)})), 20, 1);
  const std::uint64_t events = link.bench.wheel.events();
  link.sent_again_in(Cycle{20 * (200 + DeadLink::kWireCycles)});
  EXPECT_LE(link.bench.wheel.events() - events, 41u) << "one time-out and one end of a packet for each";
}

TEST(LinkErrors, ALongerTimeOutHoldsForPacketsUnderWay) {
  DeadLink link(200);
  link.bench.network.set_retransmit_timeout(0, 0, 60000);
  EXPECT_EQ(link.sent_again_in(50000), 0u);
  EXPECT_EQ(link.sent_again_in(10100), 1u);
}

TEST(LinkErrors, ATimeOutIsOfOneSender) {
  DeadLink link(600);
  link.bench.network.set_retransmit_timeout(0, 1, 0);
  EXPECT_EQ(link.bench.network.retransmit_timeout(0, 1), 1u) << "0 counts as 1";
  EXPECT_EQ(link.bench.network.retransmit_timeout(0, 0), 600u);
  EXPECT_EQ(link.bench.network.retransmit_timeout(1, 1), 600u);
  EXPECT_NEAR(static_cast<double>(link.sent_again_in(Cycle{20 * (600 + DeadLink::kWireCycles)})), 20, 1);
}

TEST(LinkErrors, ATimeOutShorterThanTheWayBackRepeatsButLosesNothing) {
  TorusConfig config = test::shipped_torus();
  config.bit_error_rate = 1e-3;
  Bench bench("2x1x1", config);
  bench.network.set_retransmit_timeout(0, 0, 1);
  for (unsigned i = 0; i < 500; ++i) bench.devices[0]->send(bench.packet({1, 0, 0}));
  for (unsigned i = 0; i < 50; ++i) {
    bench.run(1000);
    bench.network.set_retransmit_timeout(0, 0, 1 + i * 37 % 100);
  }
  bench.run(10000000);
  ASSERT_EQ(bench.deliveries.size(), 500u);
  for (unsigned i = 0; i < 500; ++i) EXPECT_EQ(bench.deliveries[i].serial, i);
  EXPECT_EQ(bench.network.sender_crc(0, 0), bench.network.receiver_crc(1, 1));
}

TEST(LinkErrors, ALinkWithoutErrorsHasNoErrorControl) {
  Bench bench("4x1x1");
  bench.network.set_retransmit_timeout(0, 0, 5);
  bench.devices[0]->send(bench.packet({1, 0, 0}));
  bench.run();
  EXPECT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.network.retransmit_timeout(0, 0), 0u);
  EXPECT_EQ(bench.network.sender_crc(0, 0), 0u);
  EXPECT_EQ(bench.network.receiver_crc(1, 1), 0u);
}

TrafficConfig noisy(unsigned dimensions, std::uint64_t seed) {
  TrafficConfig config(test::shipped_torus());
  config.shape = Shape::parse(dimensions == 3 ? "4x4x4" : "3x2x3x2x2");
  config.torus.bit_error_rate = 2e-5;
  config.adaptive_share = 0.5;
  config.other_classes_share = 0.2;
  config.sizes = {{8, 1}, {3, 1}, {1, 2}};
  config.check = true;
  config.load = 0.6;
  config.seed = seed;
  return config;
}

TEST(LinkErrors, ANetworkOfBadLinksLosesRepeatsAndReordersNothing) {
  for (const unsigned dimensions : {3u, 5u}) {
    const TrafficResult result = run_traffic(noisy(dimensions, 7));
    EXPECT_GT(result.crc_errors, 100u);
    EXPECT_TRUE(result.drained);
    EXPECT_EQ(result.repeated + result.misdelivered + result.reordered, 0u);
  }
}

TEST(LinkErrors, SameSeedSameErrors) {
  const TrafficResult first = run_traffic(noisy(3, 7));
  const TrafficResult second = run_traffic(noisy(3, 7));
  const TrafficResult other = run_traffic(noisy(3, 8));
  EXPECT_EQ(first.digest, second.digest);
  EXPECT_EQ(first.crc_errors, second.crc_errors);
  EXPECT_NE(first.digest, other.digest);
}

}  // namespace
}  // namespace toroid
