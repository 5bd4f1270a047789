// SPDX-License-Identifier: Apache-2.0
//
// What memory does in one step: every operation, at its limits; the loads and stores of an L2 cache.
#include <gtest/gtest.h>

#include "nic/common/l2_atomics.h"

namespace toroid {
namespace {

using Kind = MemoryOperation::Kind;
constexpr std::uint64_t kMost = ~std::uint64_t{0};
constexpr std::uint64_t kSign = 1ull << 63;

struct Case {
  MemoryOperation operation;
  std::uint64_t word;
  std::uint64_t other;
  std::uint64_t given;
  std::uint64_t after;
  std::uint64_t other_after;
};

void expect(const Case& each) {
  const MemoryEffect effect = perform(each.operation, each.word, each.other);
  const auto kind = static_cast<int>(each.operation.kind);
  EXPECT_EQ(effect.given, each.given) << kind;
  EXPECT_EQ(effect.word, each.after) << kind;
  EXPECT_EQ(effect.other, each.other_after) << kind;
  if (!effect.changed) {
    EXPECT_EQ(each.word, each.after);
    EXPECT_EQ(each.other, each.other_after);
  }
}

TEST(MemoryOperation, L2Loads) {
  const auto load = [](L2Load which) { return l2_load(static_cast<unsigned>(which)); };
  expect({load(L2Load::load), 7, 9, 7, 7, 9});
  expect({load(L2Load::clear), 7, 9, 7, 0, 9});
  expect({load(L2Load::increment), kMost, 9, kMost, 0, 9});
  expect({load(L2Load::decrement), 0, 9, 0, kMost, 9});
  expect({load(L2Load::increment_bounded), 7, 9, 7, 8, 9});
  expect({load(L2Load::increment_bounded), 9, 9, kBoundReached, 9, 9});
  expect({load(L2Load::increment_bounded), 10, 9, 10, 11, 9});
  expect({load(L2Load::decrement_bounded), 9, 7, 9, 8, 7});
  expect({load(L2Load::decrement_bounded), 7, 7, kBoundReached, 7, 7});
  expect({load(L2Load::increment_if_equal), 9, 9, 9, 10, 9});
  expect({load(L2Load::increment_if_equal), 8, 9, kBoundReached, 8, 9});
  expect({load(L2Load::reserved), 8, 9, 8, 8, 9});
}

TEST(MemoryOperation, L2Stores) {
  const auto store = [](L2Store which, std::uint64_t value) { return l2_store(static_cast<unsigned>(which), value); };
  expect({store(L2Store::store, 5), 7, 9, 7, 5, 9});
  expect({store(L2Store::twin, 5), 7, 9, 7, 7, 9});
  expect({store(L2Store::twin, 5), 9, 9, 9, 5, 5});
  expect({store(L2Store::add, kMost), 0, 9, 0, kMost, 9});
  expect({store(L2Store::add, 2), kMost, 9, kMost, 1, 9});
  expect({store(L2Store::add_coherence_on_zero, kMost - 511), 512, 9, 512, 0, 9});
  expect({store(L2Store::bit_or, 0xF0), 0x3C, 9, 0x3C, 0xFC, 9});
  expect({store(L2Store::bit_xor, 0xF0), 0x3C, 9, 0x3C, 0xCC, 9});
  expect({store(L2Store::max_unsigned, 3), kSign, 9, kSign, kSign, 9});
  expect({store(L2Store::max_unsigned, kMost), 4, 9, 4, kMost, 9});
  // A sign and an amount: of two numbers below zero the smaller amount is greater.
  expect({store(L2Store::max_signed, 3), kSign | 4, 9, kSign | 4, 3, 9});
  expect({store(L2Store::max_signed, kSign | 3), kSign | 4, 9, kSign | 4, kSign | 3, 9});
  expect({store(L2Store::max_signed, kSign | 5), kSign | 4, 9, kSign | 4, kSign | 4, 9});
  expect({store(L2Store::max_signed, 5), 4, 9, 4, 5, 9});
  expect({store(L2Store::max_signed, kSign | 5), 0, 9, 0, 0, 9});
}

TEST(MemoryOperation, WordsOfFourBytes) {
  expect({{Kind::add, 4, kMost, 0}, 0, 0, 0, 0xFFFFFFFF, 0});
  expect({{Kind::increment_bounded, 4, 0, 0}, 0xFFFFFFFF, 1, 0xFFFFFFFF, 0, 1});
  expect({{Kind::increment_bounded, 4, 0, 0}, 1, 1, 0x80000000, 1, 1});
  expect({{Kind::max_signed, 4, 0x80000001, 0}, 0x80000002, 0, 0x80000002, 0x80000001, 0});
  expect({{Kind::compare_exchange, 4, 7, 5}, 5, 0, 5, 7, 0});
  expect({{Kind::compare_exchange, 4, 7, 5}, 6, 0, 6, 6, 0});
}

TEST(MemoryOperation, PairsLieInOnePiece) {
  const MemoryOperation next = l2_load(static_cast<unsigned>(L2Load::increment_bounded));
  const MemoryOperation previous = l2_load(static_cast<unsigned>(L2Load::decrement_bounded));
  const MemoryOperation alone = l2_store(static_cast<unsigned>(L2Store::add), 1);
  for (std::uint64_t address = 64; address < 128; ++address) {
    const bool aligned = address % 8 == 0;
    EXPECT_EQ(is_aligned(alone, address), aligned) << address;
    EXPECT_EQ(is_aligned(next, address), aligned && address % 32 != 24) << address;
    EXPECT_EQ(is_aligned(previous, address), aligned && address % 32 != 0) << address;
  }
}

}  // namespace
}  // namespace toroid
