// SPDX-License-Identifier: Apache-2.0
//
// Write-combining buffers alone; on a core: test_x86_combining.cpp.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw/core/write_combining.h"

namespace toroid {
namespace {

struct Buffers {
  explicit Buffers(unsigned count, std::uint64_t seed = 1)
      : combining(count, seed, [this](std::uint64_t address, std::uint8_t* data, unsigned size) {
          sent.emplace_back(address, std::string(data, data + size));
          return true;
        }) {}
  void store(std::uint64_t address, const std::string& bytes) {
    combining.store(address, reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<unsigned>(bytes.size()));
  }

  std::vector<std::pair<std::uint64_t, std::string>> sent;
  WriteCombining combining;
};
using Sent = decltype(Buffers::sent);

TEST(WriteCombining, JoinsStoresToALine) {
  Buffers buffers(4);
  buffers.store(0x1008, "bbbbbbbb");
  buffers.store(0x1000, "aaaaaaaa");
  buffers.store(0x100C, "cc");
  buffers.combining.send_closed();
  EXPECT_TRUE(buffers.sent.empty());
  buffers.combining.drain();
  EXPECT_EQ(buffers.sent, (Sent{{0x1000, "aaaaaaaabbbbccbb"}}));
  EXPECT_TRUE(buffers.combining.empty());
}

TEST(WriteCombining, AFullLineIsClosed) {
  Buffers buffers(4);
  for (unsigned i = 0; i < 4; ++i) buffers.store(0x1000 + 16 * i, std::string(16, static_cast<char>('a' + i)));
  EXPECT_TRUE(buffers.combining.has_closed());
  buffers.store(0x1000, "new");
  buffers.combining.send_closed();
  ASSERT_EQ(buffers.sent.size(), 1u);
  EXPECT_EQ(buffers.sent[0].second.size(), 64u);
  buffers.combining.drain();
  EXPECT_EQ(buffers.sent[1], (Sent::value_type{0x1000, "new"}));
}

TEST(WriteCombining, AnotherLineClosesTheOpenOneForGood) {
  Buffers buffers(4);
  buffers.store(0x1000, "a");
  buffers.store(0x2000, "b");
  buffers.store(0x1001, "c");
  buffers.combining.send_closed();
  EXPECT_EQ(buffers.sent.size(), 2u);
  buffers.combining.drain();
  EXPECT_EQ(buffers.sent.back(), (Sent::value_type{0x1001, "c"}));
}

TEST(WriteCombining, ALineLeavesWhereThereAreNoBuffersLeft) {
  Buffers buffers(1);
  buffers.store(0x1000, "a");
  buffers.store(0x1040, "b");
  EXPECT_EQ(buffers.sent, (Sent{{0x1000, "a"}}));
  buffers.store(0x103F, "cd");  // over the end of a line
  buffers.combining.drain();
  EXPECT_EQ(buffers.sent, (Sent{{0x1000, "a"}, {0x1040, "b"}, {0x103F, "c"}, {0x1040, "d"}}));
}

TEST(WriteCombining, GapsAreNotSent) {
  Buffers buffers(4);
  buffers.store(0x1000, "a");
  buffers.store(0x1003, "b");
  buffers.combining.drain();
  EXPECT_EQ(buffers.sent, (Sent{{0x1000, "a"}, {0x1003, "b"}}));
}

TEST(WriteCombining, ASeedChoosesTheOrderOfClosedLines) {
  std::set<Sent> orders;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    Buffers buffers(4, seed);
    for (unsigned i = 0; i < 3; ++i) buffers.store(0x1000 + 64 * i, "x");
    buffers.combining.drain();
    Buffers again(4, seed);
    for (unsigned i = 0; i < 3; ++i) again.store(0x1000 + 64 * i, "x");
    again.combining.drain();
    EXPECT_EQ(buffers.sent, again.sent);
    orders.insert(buffers.sent);
  }
  EXPECT_EQ(orders.size(), 6u);
}

}  // namespace
}  // namespace toroid
