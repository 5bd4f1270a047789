// SPDX-License-Identifier: Apache-2.0
//
// Addresses of a block's accesses, told from the registers at its entry.
#include <gtest/gtest.h>

#include <bitset>
#include <systemc>

#include "hw/isa/address_builder.h"
#include "hw/isa/power/block_addresses.h"
#include "hw/memory/big_endian.h"
#include "hw/memory/node_memory.h"

namespace toroid {
namespace {

std::uint32_t d_form(unsigned primary, unsigned t, unsigned a, int d) {
  return primary << 26 | t << 21 | a << 16 | (static_cast<unsigned>(d) & 0xFFFF);
}
std::uint32_t x_form(unsigned t, unsigned a, unsigned b, unsigned extended) {
  return 31u << 26 | t << 21 | a << 16 | b << 11 | extended << 1;
}
std::uint32_t rlwinm(unsigned a, unsigned s, unsigned shift, unsigned begin, unsigned end) {
  return 21u << 26 | s << 21 | a << 16 | shift << 11 | begin << 6 | end << 1;
}
constexpr unsigned kAddi = 14, kAddis = 15, kOri = 24, kLwz = 32, kLwzu = 33, kLbz = 34, kStw = 36, kStwu = 37,
                   kLha = 42;
constexpr unsigned kAdd = 266, kSubf = 40, kLwzx = 23, kMullw = 235, kDcbf = 86, kMflr = 339;

NodeMemory& memory() {
  static NodeMemory memory("memory", 1 << 20);
  return memory;
}

AddressPlan plan_of(const std::vector<std::uint32_t>& words, std::optional<std::uint32_t> link = std::nullopt) {
  std::vector<power::Instruction> block;
  for (const std::uint32_t word : words) block.emplace_back(word, power::Width::narrow);
  return power::addresses_of(block, power::Width::narrow, link);
}

/// The address of each access, with register n holding 0x1000 n at the entry.
std::vector<std::uint32_t> addresses(const std::vector<std::uint32_t>& words) {
  const AddressPlan plan = plan_of(words);
  AddressPlan::Values<std::uint32_t> values{};
  for (unsigned i = 0; i < 32; ++i) values[i] = 0x1000 * i;
  const bool complete = plan.evaluate(values, MemoryView(memory()));
  std::vector<std::uint32_t> result;
  for (const PlannedAccess& access : plan.accesses()) {
    if (complete || !access.behind_load) result.push_back(AddressPlan::address(access, values));
  }
  return result;
}
using Addresses = std::vector<std::uint32_t>;

TEST(AddressPlan, FollowsSums) {
  EXPECT_EQ(addresses({d_form(kLwz, 4, 3, 8)}), Addresses{0x3008});
  EXPECT_EQ(addresses({d_form(kLwz, 4, 0, 8)}), Addresses{8});
  EXPECT_EQ(addresses({x_form(4, 3, 5, kLwzx)}), Addresses{0x8000});
  EXPECT_EQ(addresses({d_form(kAddi, 6, 3, 16), d_form(kStw, 4, 6, -4)}), Addresses{0x300C});
  EXPECT_EQ(addresses({d_form(kAddis, 6, 0, 2), d_form(kOri, 6, 6, 0x34), d_form(kLwz, 4, 6, 1)}), Addresses{0x20035});
  EXPECT_EQ(addresses({x_form(6, 3, 5, kAdd), d_form(kLwz, 4, 6, 4)}), Addresses{0x8004});
  EXPECT_EQ(addresses({x_form(6, 3, 5, kSubf), d_form(kLwz, 4, 6, 4)}), Addresses{0x2004});  // r5 - r3
  EXPECT_EQ(addresses({rlwinm(6, 3, 2, 0, 29), x_form(4, 6, 5, kLwzx)}), Addresses{0x11000});
  EXPECT_EQ(addresses({x_form(6, 1, 2, kMullw), d_form(kAddi, 6, 6, 4), x_form(4, 6, 5, kLwzx)}),
            Addresses{0x200'5004});
}

TEST(AddressPlan, FollowsUpdates) {
  EXPECT_EQ(addresses({d_form(kStwu, 1, 1, -32), d_form(kStw, 3, 1, 8)}), (Addresses{0xFE0, 0xFE8}));
  EXPECT_EQ(addresses({d_form(kLwzu, 4, 3, 4), d_form(kLwzu, 5, 3, 4)}), (Addresses{0x3004, 0x3008}));
}

TEST(AddressPlan, FollowsLoads) {
  store_be32(memory().host(0x3010), 0x4321);
  store_be32(memory().host(0x4331), 0xFFFE'1234);
  EXPECT_EQ(addresses({d_form(kLwz, 4, 3, 16), d_form(kLwz, 5, 4, 16), d_form(kLwz, 6, 5, 0)}),
            (Addresses{0x3010, 0x4331, 0xFFFE'1234}));
  EXPECT_EQ(addresses({d_form(kLbz, 4, 3, 18), d_form(kLwz, 5, 4, 0)}), (Addresses{0x3012, 0x43}));
  EXPECT_EQ(addresses({d_form(kLha, 4, 9, 0x331 - 0x5000 + 0x1000 - 0x1000), d_form(kLwz, 5, 4, 0)}),
            (Addresses{0x4331, 0xFFFF'FFFE}));
  // A load of what is not memory: what depends on it is not told, the rest is.
  EXPECT_EQ(
      addresses({d_form(kAddis, 7, 0, -0x4000), d_form(kLwz, 4, 7, 0), d_form(kLwz, 5, 4, 0), d_form(kLwz, 6, 3, 0)}),
      (Addresses{0xC000'0000, 0x3000}));
}

TEST(AddressPlan, KnowsWhatItDoesNotKnow) {
  const AddressPlan plan = plan_of({x_form(4, 8, 0, kMflr), d_form(kLwz, 5, 4, 0), d_form(kLwz, 6, 3, 0)});
  EXPECT_EQ(plan.unresolved(), 1u);
  EXPECT_EQ(plan.accesses().size(), 1u);
  const AddressPlan told = plan_of({x_form(4, 8, 0, kMflr), d_form(kLwz, 5, 4, 4)}, 0x7000);
  EXPECT_EQ(told.unresolved(), 0u);
  ASSERT_EQ(told.accesses().size(), 1u);
  EXPECT_EQ(told.accesses()[0].first, AddressPlan::kZero);
  EXPECT_EQ(told.accesses()[0].offset, 0x7004u);
  EXPECT_EQ(addresses({x_form(3, 8, 0, 467), x_form(4, 8, 0, kMflr), d_form(kLwz, 5, 4, 4)}), Addresses{0x3004});
  const AddressPlan carries = plan_of({x_form(4, 4, 5, 138), d_form(kLwz, 5, 4, 0)});  // adde
  EXPECT_EQ(carries.unresolved(), 1u);
}

TEST(AddressPlan, TellsKinds) {
  const AddressPlan plan = plan_of({x_form(0, 0, 3, kDcbf), d_form(kStw, 4, 3, 0), d_form(47, 29, 3, 8)});
  ASSERT_EQ(plan.accesses().size(), 3u);
  EXPECT_EQ(plan.accesses()[0].kind, AccessKind::flush);
  EXPECT_EQ(plan.accesses()[1].kind, AccessKind::store);
  EXPECT_EQ(plan.accesses()[2].bytes, 12u);  // stmw of three registers
  EXPECT_TRUE(plan.plain());
  EXPECT_FALSE(plan_of({x_form(4, 3, 5, kLwzx)}).plain());
}

/// Whether the address of the last access is told, with every register at 0x1000 times its number.
bool is_told(const std::vector<std::uint32_t>& words) {
  const AddressPlan plan = plan_of(words);
  AddressPlan::Values<std::uint32_t> values{};
  for (unsigned i = 0; i < 32; ++i) values[i] = 0x1000 * i;
  std::bitset<AddressPlan::kValues> told;
  plan.follow(values, told, MemoryView(memory()));
  const PlannedAccess& last = plan.accesses().back();
  return told[last.first] && told[last.second];
}

TEST(AddressPlan, FollowsLoadsOfWhatTheBlockHasNotStored) {
  const std::uint32_t load = d_form(kLwz, 4, 3, 16), use = d_form(kStw, 5, 4, 0);
  EXPECT_TRUE(is_told({load, use}));
  EXPECT_TRUE(is_told({d_form(kStw, 5, 3, 20), load, use}));
  EXPECT_FALSE(is_told({d_form(kStw, 5, 3, 16), load, use}));
  EXPECT_TRUE(is_told({load, d_form(kStw, 5, 3, 16), use}));  // stored afterwards
  EXPECT_TRUE(is_told({x_form(1, 0, 3, 231), load, use}));    // stvx: sixteen bytes at r3
  EXPECT_FALSE(is_told({x_form(1, 0, 3, 231), d_form(kLwz, 4, 3, 12), use}));
  EXPECT_FALSE(is_told({d_form(kStw, 5, 3, 14), load, use}));                          // reaches into it
  EXPECT_FALSE(is_told({d_form(kAddis, 7, 0, -0x4000), d_form(kLwz, 4, 7, 0), use}));  // a device's
}

TEST(AddressPlan, KeepsTheSizeOfWords) {
  EXPECT_EQ(addresses({d_form(kAddis, 6, 0, -0x8000), d_form(kLwz, 4, 6, -4)}), Addresses{0x7FFF'FFFC});
  const AddressPlan plan = plan_of({d_form(kLwz, 4, 0, -4)});
  EXPECT_EQ(plan.accesses()[0].offset, 0xFFFF'FFFCu);
}

/// The same plan language for an instruction set of 64 bits and least significant bytes first.
TEST(AddressPlan, ServesOtherInstructionSets) {
  AddressBuilder builder(ByteOrder::little, 8);
  builder.begin(0);
  MemoryOperand operand;
  operand.load = true;
  operand.base = 5;
  operand.index = 3;
  operand.scale = 3;
  operand.displacement = -8;
  operand.size = 4;
  const auto loaded = builder.access(operand, AccessKind::load, 4, AddressBuilder::Operation::load_word).loaded;
  builder.set(0, loaded);
  builder.begin(1);
  MemoryOperand next;
  next.store = true;
  next.base = 0;
  next.displacement = 0x1'0000'0000;
  next.size = 8;
  builder.access(next, AccessKind::store, 8);
  const AddressPlan plan = builder.finish();
  AddressPlan::Values<std::uint64_t> values{};
  values[5] = 0x2008;
  values[3] = 2;
  store_u32(memory().host(0x2010), 0x8000'0000, ByteOrder::little);
  ASSERT_TRUE(plan.evaluate(values, MemoryView(memory())));
  EXPECT_EQ(AddressPlan::address(plan.accesses()[0], values), 0x2010u);
  EXPECT_EQ(AddressPlan::address(plan.accesses()[1], values), 0x1'8000'0000u);
}

}  // namespace
}  // namespace toroid
