// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "testbench/tests/torus/test_device.h"
#include "torus/crc.h"
#include "torus/random.h"
#include "torus/traffic/traffic.h"
#include "torus/wire_image.h"

namespace toroid {
namespace {

using test::Bench;

TEST(Crc, KnownValues) {
  const std::uint8_t text[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  EXPECT_EQ(crc8(text, 9), 0xF4);        // CRC-8 check value
  EXPECT_EQ(crc24(text, 9), 0x21CF02u);  // CRC-24/OPENPGP check value
}

TEST(WireImage, EverySingleFlipIsNoticed) {
  Packet packet;
  packet.chunks = 3;
  packet.hints = 5;
  ASSERT_TRUE(WireImage(packet, 9).header_good());
  ASSERT_TRUE(WireImage(packet, 9).packet_good());
  for (unsigned bit = 0; bit < WireImage::bits(3); ++bit) {
    WireImage image(packet, 9);
    image.flip(bit);
    ASSERT_FALSE(image.packet_good()) << bit;
    ASSERT_EQ(image.header_good(), bit >= 64) << bit;
  }
}

TEST(WireImage, GivesItsPayloadButNotItsHeader) {
  PacketData data;
  data.bytes.fill(0x11);
  Packet packet;
  packet.chunks = 2;
  packet.data = &data;
  WireImage image(packet, 77);
  image.flip(8 * 63);
  image.flip(0);
  image.copy_contents(packet);
  EXPECT_EQ(data.bytes[63], 0x91);
  EXPECT_EQ(data.bytes[0], 0x11);
  EXPECT_EQ(data.bytes[6], 0x11);
  EXPECT_EQ(data.bytes[64], 0x11);
}

TEST(WireImage, BurstsAndPairsAreNoticed) {
  Packet packet;
  packet.chunks = 8;
  std::uint64_t random = 3;
  for (unsigned i = 0; i < 20000; ++i) {
    WireImage image(packet, 1);
    const unsigned first = next_random(random, WireImage::bits(8));
    const unsigned second = next_random(random, WireImage::bits(8));
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
  TorusConfig config;
  config.bit_error_rate = 1e-4;  // about every fifth maximum packet
  Bench bench("4x1x1", config);
  for (unsigned i = 0; i < 1000; ++i) {
    Packet& p = bench.packet({2, 0, 0}, true);
    p.chunks = static_cast<std::uint8_t>(1 + i % 8);
    p.data->bytes.fill(static_cast<std::uint8_t>(i));
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
  TorusConfig config;
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
  TorusConfig config;
  config.bit_error_rate = 1e-3;
  config.resend_packets = 1;
  config.retransmit_timeout = 100;
  Bench bench("3x3x1", config);
  for (unsigned i = 0; i < 100; ++i) bench.devices[0]->send(bench.packet({1, 1, 0}));
  bench.run(10000000);
  ASSERT_EQ(bench.deliveries.size(), 100u);
  for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(bench.deliveries[i].serial, i);
}

TrafficConfig noisy(unsigned dimensions, std::uint64_t seed) {
  TrafficConfig config;
  config.shape = Shape::parse(dimensions == 3 ? "4x4x4" : "3x2x3x2x2");
  config.torus.bit_error_rate = 2e-5;
  config.adaptive_share = 0.5;
  config.priority_share = 0.2;
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
