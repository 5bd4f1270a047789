// SPDX-License-Identifier: Apache-2.0
//
// What 64-bit PowerPC's decoding adds to that of 32 bits: addresses of doublewords, and the pipelines of the A2.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "hw/isa/power/block_addresses.h"
#include "hw/isa/power/pipeline.h"
#include "hw/memory/big_endian.h"
#include "hw/memory/node_memory.h"

namespace toroid::power {
namespace {

// By GNU's assembler.
constexpr std::uint32_t kLoad = 0xE8830008,                              // ld r4,8(r3)
    kLoadWord = 0xE883FFFA,                                              // lwa r4,-8(r3)
    kLoadIndexed = 0x7C83302A,                                           // ldx r4,r3,r6
    kExtend = 0x7CA607B4,                                                // extsw r6,r5
    kShiftLeft = 0x78A61F24,                                             // sldi r6,r5,3
    kShiftWordLeft = 0x54A6103A,                                         // slwi r6,r5,2
    kShiftWordRight = 0x54A6F0BE,                                        // srwi r6,r5,2
    kRotateWord = 0x54A6443E,                                            // rlwinm r6,r5,8,16,31
    kRotateWordAround = 0x54A6843E,                                      // rlwinm r6,r5,16,16,31
    kRotateBoth = 0x54A6803E,                                            // rlwinm r6,r5,16,0,31
    kShiftSigned = 0x7CA60E76,                                           // sradi r6,r5,33
    kMultiplyWords = 0x7CC539D6,                                         // mullw r6,r5,r7
    kMultiply = 0x7CC539D2,                                              // mulld r6,r5,r7
    kLis = 0x3CC08000, kLisPositive = 0x3CC01000,                        // lis r6,-32768 and lis r6,4096
    kOri = 0x60C60010,                                                   // ori r6,r6,16
    kLoad6 = 0xE8860000,                                                 // ld r4,0(r6)
    kStore = 0xF8810010, kPush = 0xF821FF91,                             // std r4,16(r1) and stdu r1,-112(r1)
    kDivide = 0x7C642BD2,                                                // divd r3,r4,r5
    kFloatDivide = 0xFC221824,                                           // fdiv f1,f2,f3
    kAdd = 0x38640001, kAddResult = 0x38A30001, kAddOther = 0x38C70001,  // addi r3,r4,1; r5,r3,1; r6,r7,1
    kMultiplyOthers = 0x7D0951D2,                                        // mulld r8,r9,r10
    kFloatAdd = 0xFC85302A;                                              // fadd f4,f5,f6

constexpr std::uint64_t kFifth = 0xFFFF'FFFF'8765'4321;

NodeMemory& memory() {
  static NodeMemory memory("memory", 1 << 20);
  return memory;
}

/// Where the last access of the block goes, with r3 0x3000, r5 as above, r7 2; nothing if that is not told.
std::vector<std::uint64_t> address(const std::vector<std::uint32_t>& words) {
  std::vector<Instruction> block;
  for (const std::uint32_t word : words) block.emplace_back(word, Width::wide);
  const AddressPlan plan = addresses_of(block, Width::wide);
  AddressPlan::Values<std::uint64_t> values{};
  values[1] = 0x8000;
  values[3] = 0x3000;
  values[5] = kFifth;
  values[7] = 2;
  plan.evaluate(values, MemoryView(memory()));
  std::vector<std::uint64_t> result;
  if (plan.unresolved() == 0) result.push_back(AddressPlan::address(plan.accesses().back(), values));
  return result;
}
using Told = std::vector<std::uint64_t>;

TEST(WideAddresses, HaveDisplacementsWithoutTheOpcodesBits) {
  EXPECT_EQ(address({kLoad}), Told{0x3008});
  EXPECT_EQ(address({kLoadWord}), Told{0x2FF8});
  EXPECT_EQ(address({kPush}), Told{0x8000 - 112});
  EXPECT_EQ(address({kPush, kStore}), Told{0x8000 - 112 + 16});
}

TEST(WideAddresses, FollowDoublewords) {
  EXPECT_EQ(address({kExtend, kLoadIndexed}), Told{0x3000 + 0xFFFF'FFFF'8765'4321});
  EXPECT_EQ(address({kShiftLeft, kLoadIndexed}), Told{0x3000 + (kFifth << 3)});
  EXPECT_EQ(address({kMultiply, kLoadIndexed}), Told{0x3000 + 2 * kFifth});
  EXPECT_EQ(address({kShiftSigned, kLoadIndexed}), Told{0x3000 + ~std::uint64_t{0}});
  EXPECT_EQ(address({kLis, kOri, kLoad6}), Told{0xFFFF'FFFF'8000'0010});
  EXPECT_EQ(address({kLisPositive, kOri, kLoad6}), Told{0x1000'0010});
}

TEST(WideAddresses, FollowWordsWhereTheyCan) {
  EXPECT_EQ(address({kShiftWordLeft, kLoadIndexed}), Told{0x3000 + (0x8765'4321u << 2)});
  EXPECT_EQ(address({kShiftWordRight, kLoadIndexed}), Told{0x3000 + (0x8765'4321u >> 2)});
  EXPECT_EQ(address({kRotateWord, kLoadIndexed}), Told{});  // from both halves
  EXPECT_EQ(address({kRotateWordAround, kLoadIndexed}), Told{0x3000 + 0x8765});
  EXPECT_EQ(address({kRotateBoth, kLoadIndexed}), Told{});
  EXPECT_EQ(address({kMultiplyWords, kLoadIndexed}), Told{});
}

TEST(WideAddresses, FollowPointersInMemory) {
  store_be64(memory().host(0x3008), 0x1'0000'4000);
  EXPECT_EQ(address({kLoad, 0xE8840008}), Told{0x1'0000'4008});  // ld r4,8(r4)
  store_be64(memory().host(0x2FF8), 0xFFFF'FFF0'0000'0000);
  EXPECT_EQ(address({kLoadWord, 0xE8840008}), Told{std::uint64_t{0} - 16 + 8});
}

/// The cycles in which instructions begin on the A2.
std::vector<std::uint16_t> issue(const std::vector<std::uint32_t>& words) {
  PipelineConfig config{};
  config.load_latency = 5;
  config.float_latency = 6;
  config.multiply_double_latency = 6;
  config.multiply_double_cycles = 3;
  config.divide_double_cycles = 65;
  config.float_divide_cycles = 72;
  const Pipeline pipeline(config, Dispatch::one_when_ready);
  std::vector<PipelineInstruction> block;
  for (const std::uint32_t word : words) block.push_back(pipeline.analyse(Instruction(word, Width::wide)));
  return pipeline.schedule(block, {}).issue;
}
using Cycles = std::vector<std::uint16_t>;

TEST(WidePipeline, IssuesOneACycleInOrder) {
  EXPECT_EQ(issue({kAdd, kAddOther, kFloatAdd}), (Cycles{0, 1, 2}));
  EXPECT_EQ(issue({kAdd, kAddResult}), (Cycles{0, 1}));
}

TEST(WidePipeline, WaitsForOperandsBeforeAllBehind) {
  EXPECT_EQ(issue({0xE8640000, kAddResult, kAddOther}), (Cycles{0, 5, 6}));  // ld r3,0(r4)
}

TEST(WidePipeline, HasOneMultiplier) {
  EXPECT_EQ(issue({kMultiply, kMultiplyOthers}), (Cycles{0, 3}));
  EXPECT_EQ(issue({kDivide, kAddOther, kMultiplyOthers}), (Cycles{0, 1, 65}));
}

TEST(WidePipeline, StallsBehindDivisionsOfDoubles) {
  EXPECT_EQ(issue({kFloatDivide, kAddOther}), (Cycles{0, 72}));
}

}  // namespace
}  // namespace toroid::power
