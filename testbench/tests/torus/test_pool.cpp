// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "torus/torus/packet_pool.h"

namespace toroid {
namespace {

TEST(PacketPool, HandlesStayGoodAndMemoryIsUsedAgain) {
  PacketPool pool(256);
  std::vector<Packet*> packets;
  for (unsigned i = 0; i < 5000; ++i) {
    packets.push_back(&pool.allocate(i % 2));
    packets.back()->serial = i;
  }
  EXPECT_EQ(pool.in_use(), 5000u);
  EXPECT_EQ(pool.data_in_use(), 2500u);
  for (unsigned i = 0; i < 5000; ++i) {
    EXPECT_EQ(&pool.at(packets[i]->index), packets[i]);
    EXPECT_EQ(packets[i]->serial, i);
  }
  const std::size_t bytes = pool.memory_bytes();
  for (Packet* packet : packets) pool.release(*packet);
  EXPECT_EQ(pool.in_use(), 0u);
  EXPECT_EQ(pool.data_in_use(), 0u);
  for (unsigned i = 0; i < 5000; ++i) {
    Packet& packet = pool.allocate(i % 2);
    EXPECT_EQ(packet.serial, 0u);  // fresh
    EXPECT_EQ(packet.data != nullptr, i % 2 == 1);
  }
  EXPECT_EQ(pool.memory_bytes(), bytes);
}

TEST(PacketPool, ACloneHasContentsOfItsOwn) {
  PacketPool pool(256);
  Packet& packet = pool.allocate(true);
  packet.chunks = 4;
  packet.serial = 77;
  std::fill_n(packet.data, 256, std::uint8_t{5});
  Packet& copy = pool.clone(packet);
  std::fill_n(packet.data, 256, std::uint8_t{6});
  EXPECT_EQ(copy.serial, 77u);
  EXPECT_EQ(copy.chunks, 4u);
  EXPECT_NE(copy.index, packet.index);
  EXPECT_EQ(copy.data[100], 5);
}

}  // namespace
}  // namespace toroid
