// SPDX-License-Identifier: Apache-2.0
//
// Instruction classes and block costs; address decoding and node memory.
#include <gtest/gtest.h>

#include "hw/bus/address_decoder.h"
#include "hw/isa/block_table.h"
#include "hw/isa/power/decoder.h"
#include "hw/isa/power/instruction.h"
#include "hw/memory/big_endian.h"
#include "hw/memory/node_memory.h"
#include "testbench/shipped.h"

namespace toroid {
namespace {

using power::Instruction;

std::string name_of(std::uint32_t word) {
  return Instruction(word, power::Width::narrow).opcode().name;
}

TEST(Instructions, HaveTheirForm) {
  EXPECT_EQ(name_of(0x39290001), "addi");   // addi r9,r9,1
  EXPECT_EQ(name_of(0x7D2B4B78), "or");     // mr r11,r9
  EXPECT_EQ(name_of(0x80A30000), "lwz");    // lwz r5,0(r3)
  EXPECT_EQ(name_of(0x7C2320CE), "lvx");    // lvx v1,r3,r4
  EXPECT_EQ(name_of(0xC8230020), "lfd");    // lfd f1,32(r3)
  EXPECT_EQ(name_of(0x9421FFF0), "stwu");   // stwu r1,-16(r1)
  EXPECT_EQ(name_of(0x7C2321CE), "stvx");   // stvx v1,r3,r4
  EXPECT_EQ(name_of(0x48000004), "b");      // b
  EXPECT_EQ(name_of(0x4E800020), "bclr");   // blr
  EXPECT_EQ(name_of(0x4200FFF0), "bc");     // bdnz
  EXPECT_EQ(name_of(0x7C6429D6), "mullw");  // mullw r3,r4,r5
  EXPECT_EQ(name_of(0x7C642DD6), "mullw");  // mullwo r3,r4,r5
  EXPECT_EQ(name_of(0x1C640007), "mulli");  // mulli r3,r4,7
  EXPECT_EQ(name_of(0x7C642BD6), "divw");   // divw r3,r4,r5
  EXPECT_EQ(name_of(0x7C642B96), "divwu");  // divwu r3,r4,r5
  EXPECT_EQ(name_of(0xFC22182A), "fadd");   // fadd f1,f2,f3
  EXPECT_EQ(name_of(0xFC221824), "fdiv");   // fdiv f1,f2,f3
  EXPECT_EQ(name_of(0xEC221824), "fdivs");  // fdivs f1,f2,f3
  EXPECT_EQ(name_of(0x7C0004AC), "sync");   // sync
  EXPECT_EQ(name_of(0x7C6802A6), "mflr");   // mflr r3
  EXPECT_EQ(name_of(0x7C7F42A6), "mfspr");  // mfpvr r3
  EXPECT_EQ(name_of(0x44000002), "sc");     // sc
  EXPECT_EQ(name_of(0), "(no instruction of a user's)");
}

class OfWidth : public testing::TestWithParam<power::Width> {};

TEST_P(OfWidth, InstructionsFindTheirOwnForm) {
  const power::Width width = GetParam();
  for (unsigned number = 0; number < power::opcodes(); ++number) {
    const power::Opcode& opcode = power::opcode(number);
    if (!opcode.is_of(width)) continue;
    EXPECT_EQ(opcode.match & ~opcode.mask, 0u) << opcode.name;
    // Fields beside the form's bits: whatever they hold, the word is of this form or of a more special one before it.
    for (const std::uint32_t fields : {0u, 0xFFFF'FFFFu, 0x5555'5555u}) {
      const power::Opcode& found = power::opcode_of(opcode.match | (fields & ~opcode.mask), width);
      EXPECT_LE(&found, &opcode) << opcode.name;
    }
    EXPECT_TRUE(opcode.mask == 0 || &power::opcode_of(opcode.match, width) == &opcode || opcode.name[0] == '(')
        << opcode.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Instructions, OfWidth, testing::Values(power::Width::narrow, power::Width::wide));

TEST(Instructions, TellTheirAddress) {
  std::uint32_t gpr[32] = {};
  for (unsigned i = 0; i < 32; ++i) gpr[i] = 0x1000 * i;
  const auto at = [&gpr](std::uint32_t word) {
    return effective_address<std::uint32_t>(Instruction(word, power::Width::narrow).memory(),
                                            [&gpr](unsigned number) { return gpr[number]; });
  };
  EXPECT_EQ(at(0x80A30008), 0x3008u);  // lwz r5,8(r3)
  EXPECT_EQ(at(0x80A0FFF8), ~7u);      // lwz r5,-8(0)
  EXPECT_EQ(at(0x7C23202E), 0x7000u);  // lwzx r1,r3,r4
  gpr[4] = 0x4019;
  EXPECT_EQ(at(0x7C2320CE), 0x7010u);                                          // lvx v1,r3,r4
  EXPECT_EQ(Instruction(0xBB830040, power::Width::narrow).memory().size, 16);  // lmw r28,64(r3)
  EXPECT_TRUE(Instruction(0x9421FFF0, power::Width::narrow).opcode().access.update);
}

TEST(Instructions, FindMovesOfSpecialRegisters) {
  using power::special_register;
  using power::SpecialRegister;
  EXPECT_EQ(special_register(0x7D0C42E6), SpecialRegister::time_base_lower);  // mftb r8
  EXPECT_EQ(special_register(0x7D0D42E6), SpecialRegister::time_base_upper);  // mftbu r8
  EXPECT_EQ(special_register(0x7D0C42A6), SpecialRegister::time_base_lower);  // mfspr r8,268
  EXPECT_EQ(special_register(0x7D5F42A6), SpecialRegister::version);          // mfpvr r10
  EXPECT_EQ(special_register(0x7D5E42A6), SpecialRegister::processor);        // mfspr r10,286
  EXPECT_EQ(special_register(0x7C6442A6), SpecialRegister::general_4);        // mfspr r3,260
  EXPECT_EQ(special_register(0x7C6742A6), SpecialRegister::general_7);        // mfspr r3,263
  EXPECT_EQ(special_register(0x7C6842A6), SpecialRegister::none);             // mfspr r3,264
  EXPECT_EQ(special_register(0x7C6442E6), SpecialRegister::general_4);        // mftb r3,260: another name of mfspr
  EXPECT_EQ(special_register(0x7C6403A6), SpecialRegister::none);             // mtspr 4,r3
  EXPECT_EQ(special_register(0x7C6443A6), SpecialRegister::none);             // mtspr 260,r3: the kernel's alone
  EXPECT_EQ(special_register(0x7C6042A6), SpecialRegister::user);             // mfspr r3,256
  EXPECT_EQ(special_register(0x7C6043A6), SpecialRegister::user);             // mtspr 256,r3
  EXPECT_TRUE(power::writes_special_register(0x7C6043A6));
  EXPECT_FALSE(power::writes_special_register(0x7C6042A6));
  EXPECT_EQ(special_register(0x7C6802A6), SpecialRegister::none);  // mflr r3
}

TEST(BlockTable, CostsWhatTheScoreboardSays) {
  std::vector<std::uint8_t> code(64);
  const std::uint32_t words[] = {0x39290001, 0x80A30000, 0x7CC52A14, 0x48000004};  // addi, lwz r5, add r6,r5,r5, b
  for (unsigned i = 0; i < 4; ++i) store_be32(code.data() + 4 * i, words[i]);
  const auto config = test::shipped<power::PipelineConfig>();
  BlockTable table(
      std::make_unique<power::Decoder>(power::Pipeline(config, power::Dispatch::two_to_their_pipes),
                                       power::Width::narrow, std::vector<CodeSpan>{{code.data(), 0x1000'0000, 64}}),
      LineSize(32));
  EXPECT_EQ(table.find(0x1000'0000, 4).cycles, 1u);
  EXPECT_EQ(table.find(0x1000'0000, 8).cycles, 1u);   // both in one cycle
  EXPECT_EQ(table.find(0x1000'0000, 12).cycles, 2u);  // the addition waits for its operand in the pipe
  const Block& load = table.find(0x1000'0004, 4);
  EXPECT_EQ(load.instructions, 1u);
  EXPECT_FALSE(load.settled);
  const Block& use = table.find(0x1000'0008, 8);
  EXPECT_EQ(use.cycles, 2u);  // addition and branch in one, and a bubble
  EXPECT_EQ(table.cycles_behind(nullptr, use), 2u);
  EXPECT_EQ(table.cycles_behind(&load, use), 2u);  // they wait in different pipes
  const Block& next = table.find(0x1000'0000, 4);
  EXPECT_EQ(table.cycles_behind(&next, use), 2u);
  EXPECT_EQ(table.find(0x5000'0000, 4).instructions, 1u);  // outside the code: decoded as zeros
}

TEST(BlockTable, HandsOnWhatABlockOwes) {
  std::vector<std::uint8_t> code(64);
  // lwz r3,0(r4); b .+4 | mtctr r3; bctr: the jump waits for the load of the block before.
  const std::uint32_t words[] = {0x80640000, 0x48000004, 0x7C6903A6, 0x4E800420};
  for (unsigned i = 0; i < 4; ++i) store_be32(code.data() + 4 * i, words[i]);
  const auto config = test::shipped<power::PipelineConfig>();
  BlockTable table(
      std::make_unique<power::Decoder>(power::Pipeline(config, power::Dispatch::two_to_their_pipes),
                                       power::Width::narrow, std::vector<CodeSpan>{{code.data(), 0x1000'0000, 64}}),
      LineSize(32));
  const Block& load = table.find(0x1000'0000, 8);
  const Block& jump = table.find(0x1000'0008, 8);
  EXPECT_EQ(load.cycles, 2u);                       // both in one, and a bubble
  EXPECT_EQ(jump.cycles, 6u);                       // four to the jump, itself, and a bubble
  EXPECT_EQ(table.cycles_behind(&load, jump), 7u);  // the load returns a cycle into the block
  EXPECT_EQ(table.cycles_behind(&load, jump), 7u);  // from the cache
}

TEST(BlockTable, NumbersLinesOfTheCachesSize) {
  const std::vector<std::uint8_t> code(512);
  for (const std::uint32_t bytes : {32u, 64u, 128u}) {
    SCOPED_TRACE(bytes);
    BlockTable table(std::make_unique<power::Decoder>(
                         power::Pipeline(test::shipped<power::PipelineConfig>(), power::Dispatch::two_to_their_pipes),
                         power::Width::narrow, std::vector<CodeSpan>{{code.data(), 0x1000'0000, 512}}),
                     LineSize(bytes));
    EXPECT_EQ(table.find(0x1000'0000, 256).lines.size(), 256 / bytes);
    const Block& block = table.find(0x1000'0000 + bytes - 4, 8);  // across a boundary
    ASSERT_EQ(block.lines.size(), 2u);
    EXPECT_EQ(block.lines[0].line, 0x1000'0000 / bytes);
    EXPECT_EQ(block.lines[1].line, 0x1000'0000 / bytes + 1);
    EXPECT_EQ(table.number_of_line(0x1000'0000 / bytes + 1), block.lines[1].number);
    EXPECT_EQ(table.number_of_line(0x1000'0000 / bytes + 256 / bytes), std::nullopt);
  }
}

TEST(AddressDecoder, RefusesBadRanges) {
  EXPECT_THROW(AddressDecoder("empty", {{"a", 0x1000, 0}}), std::invalid_argument);
  EXPECT_THROW(AddressDecoder("beyond", {{"a", 0xFFFF'FFFF'FFFF'F000, 0x2000}}), std::invalid_argument);
  EXPECT_THROW(AddressDecoder("overlap", {{"a", 0x1000, 0x1000}, {"b", 0x1FFF, 1}}), std::invalid_argument);
  EXPECT_NO_THROW(AddressDecoder(
      "wide", {{"a", 0x1000, 0x1000}, {"b", 0x6'0000'1000, 0x1000}, {"c", 0xFFFF'FFFF'FFFF'F000, 0x1000}}));
}

TEST(NodeMemory, HoldsBytes) {
  EXPECT_THROW(NodeMemory("odd", 1000), std::runtime_error);
  NodeMemory memory("memory", 1 << 20);
  EXPECT_TRUE(memory.contains(0xF'FFFC, 4));
  EXPECT_FALSE(memory.contains(0xF'FFFD, 4));
  EXPECT_FALSE(memory.contains(0xFFFF'FFFF, 2));
  *memory.host(0x1234) = 7;
  memory.clear(0x1000, 0x1000);
  EXPECT_EQ(*memory.host(0x1234), 0);
}

}  // namespace
}  // namespace toroid
