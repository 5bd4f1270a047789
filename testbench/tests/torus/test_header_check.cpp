// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/torus/header_check.h"

namespace toroid {
namespace {

const Topology kTorus{Shape::parse("4x4x4")};
const Topology kMesh{Shape::parse("4mx4x4")};

std::uint32_t check(const Topology& topology, const Packet& packet, std::uint32_t node, unsigned fifo_groups = 2) {
  return header_check(kBlueGeneLpRouters, topology, packet, node, fifo_groups);
}

Packet packet(const Coordinates& destination, std::uint16_t hints) {
  Packet p;
  p.destination = destination;
  p.hints = hints;
  p.channel = BlueGeneLpChannel::bubble;
  return p;
}

TEST(HeaderCheck, GoodPackets) {
  EXPECT_EQ(check(kTorus, packet({1, 2, 3}, 0), 0), 0u);         // hints by hardware
  EXPECT_EQ(check(kTorus, packet({1, 2, 3}, 0b100101), 0), 0u);  // X+ Y+ Z-
  EXPECT_EQ(check(kTorus, packet({1, 2, 3}, 0b100110), 0), 0u);  // the long way in X
  EXPECT_EQ(check(kTorus, packet({0, 0, 0}, 0b000010), 0), 0u);  // own node, around the X ring
}

TEST(HeaderCheck, EveryFault) {
  EXPECT_EQ(check(kTorus, packet({1, 0, 0}, 0b000011), 0), kHintsConflict);
  EXPECT_EQ(check(kTorus, packet({1, 1, 0}, 0b000001), 0), kHintsMissing);
  EXPECT_EQ(check(kTorus, packet({0, 0, 0}, 0), 0), kHintsMissing);
  EXPECT_EQ(check(kTorus, packet({1, 0, 0}, 0b000101), 0), kHintsPointless);
  EXPECT_EQ(check(kTorus, packet({1, 0, 0}, 0b1000001), 0), kHintsPointless);  // a fourth dimension
  EXPECT_EQ(check(kMesh, packet({0, 0, 0}, 0b000001), 0), kHintsPointless);    // no ring in a mesh
  EXPECT_EQ(check(kMesh, packet({1, 0, 0}, 0b000010), 0), kHintsPointless);    // away from it in a mesh
  EXPECT_EQ(check(kTorus, packet({4, 0, 0}, 0), 0), kDestinationOutside);
  EXPECT_EQ(check(kTorus, packet({0, 0, 0, 1}, 1), 0), kDestinationOutside);
}

TEST(HeaderCheck, ChannelsAgainstTheDynamicBit) {
  for (const VirtualChannel channel : {BlueGeneLpChannel::dynamic0, BlueGeneLpChannel::dynamic1,
                                       BlueGeneLpChannel::bubble, BlueGeneLpChannel::priority}) {
    for (const bool dynamic : {false, true}) {
      Packet p = packet({1, 0, 0}, 0);
      p.channel = channel;
      p.dynamic = dynamic;
      const bool adaptive = channel == BlueGeneLpChannel::dynamic0 || channel == BlueGeneLpChannel::dynamic1;
      EXPECT_EQ(check(kTorus, p, 0), dynamic == adaptive ? 0u : kChannelMismatch);
    }
  }
}

TEST(HeaderCheck, DepositStaysOnALine) {
  Packet p = packet({2, 0, 0}, 0);
  p.deposit = true;
  EXPECT_EQ(check(kTorus, p, 0), 0u);
  p.destination = {2, 1, 0};
  EXPECT_EQ(check(kTorus, p, 0), kDepositOffLine);
}

TEST(HeaderCheck, SizeAndGroup) {
  Packet p = packet({1, 0, 0}, 0);
  p.chunks = 9;
  EXPECT_EQ(check(kTorus, p, 0), kBadSize);
  p.chunks = 0;
  EXPECT_EQ(check(kTorus, p, 0), kBadSize);
  p.chunks = 8;
  p.group = 1;
  EXPECT_EQ(check(kTorus, p, 0, 2), 0u);
  EXPECT_EQ(check(kTorus, p, 0, 1), kBadGroup);
}

}  // namespace
}  // namespace toroid
