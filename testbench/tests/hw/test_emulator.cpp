// SPDX-License-Identifier: Apache-2.0
//
// What the instruction set does to registers without an engine: emulated instructions, special registers, entries of
// functions.
#include <gtest/gtest.h>

#include <map>

#include "hw/isa/power/registers.h"
#include "hw/isa/ppc32/emulator.h"
#include "hw/isa/ppc32/ppc32.h"
#include "hw/memory/big_endian.h"
#include "hw/memory/node_memory.h"
#include "testbench/shipped.h"

namespace toroid {
namespace {

using power::fpr;
using power::gpr;

/// Keeps registers, and executes nothing.
class RegisterFile final : public Engine {
 public:
  std::uint64_t read(Register which) const override {
    const auto found = values_.find(which);
    return found == values_.end() ? 0 : found->second;
  }
  void write(Register which, std::uint64_t value) override { values_[which] = value; }

  bool map_memory(std::uint64_t, std::uint64_t, std::uint8_t*, unsigned, ImagePart) override { return false; }
  bool unmap_memory(std::uint64_t, std::uint64_t) override { return false; }
  bool map_device(std::uint64_t, std::uint64_t) override { return false; }
  void read_snapshot(RegisterSnapshot&) const override {}
  void write_snapshot(const RegisterSnapshot&) override {}
  GeneralRegisters general_registers() override { return {}; }
  std::optional<Vector> read_vector(Register) override { return std::nullopt; }
  bool write_vector(Register, const Vector&) override { return false; }
  std::optional<EngineFault> run(std::uint64_t) override { return std::nullopt; }
  void stop() override {}

 private:
  std::map<Register, std::uint64_t> values_;
};

/// 64 bytes from address 0 on, and no control registers.
class FewBytes final : public EmulatedAccess {
 public:
  void wait_for(Event) override {}
  bool load(std::uint64_t address, std::uint8_t* data, unsigned size) override {
    if (address + size > bytes.size()) return false;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(address), size, data);
    return true;
  }
  bool store(std::uint64_t address, const std::uint8_t* data, unsigned size) override {
    if (address + size > bytes.size()) return false;
    std::copy_n(data, size, bytes.begin() + static_cast<std::ptrdiff_t>(address));
    return true;
  }
  bool has_control_registers() const override { return false; }
  bool load_control(std::uint32_t, std::uint32_t&) override { return false; }
  bool store_control(std::uint32_t, std::uint32_t) override { return false; }

  std::array<std::uint8_t, 64> bytes{};
};

class Emulation : public testing::Test {
 protected:
  bool execute(std::uint32_t word) {
    InstructionBytes bytes{};
    store_be32(bytes.data(), word);
    return emulator.execute(bytes, engine, access);
  }
  static std::uint32_t word(unsigned extended, unsigned t, unsigned a, unsigned b) {
    return 31u << 26 | t << 21 | a << 16 | b << 11 | extended << 1;
  }

  ppc32::Emulator emulator;
  RegisterFile engine;
  FewBytes access;
};

constexpr unsigned kLfpdx = 462, kLfpdux = 494, kStfpdux = 1006;

TEST_F(Emulation, LeavesAllAsItIsWhereAnAccessFails) {
  engine.write(gpr(9), 48);
  engine.write(gpr(10), 16);
  engine.write(fpr(1), 7);
  EXPECT_TRUE(execute(word(kLfpdux, 1, 9, 10)));
  EXPECT_EQ(engine.read(gpr(9)), 48u);
  EXPECT_EQ(engine.read(fpr(1)), 7u);
  EXPECT_TRUE(execute(word(kStfpdux, 1, 9, 10)));
  EXPECT_EQ(engine.read(gpr(9)), 48u);
}

TEST_F(Emulation, WrapsAddressesAround) {
  access.bytes[31] = 5;
  engine.write(gpr(9), 0xFFFF'FFF0);
  engine.write(gpr(10), 32);
  EXPECT_TRUE(execute(word(kLfpdux, 1, 9, 10)));
  EXPECT_EQ(engine.read(gpr(9)), 16u);
  EXPECT_EQ(engine.read(fpr(1)), 0u);
  engine.write(gpr(10), 16);
  EXPECT_TRUE(execute(word(kStfpdux, 1, 9, 10)));
  EXPECT_EQ(access.bytes[47], 5);
}

// Results worked out by plain arithmetic from the PowerPC 440 user's manual. (QEMU 7.2, with which random code is
// compared, leaves T as it is in the sums that do not saturate, and saturates signed ones too early.)
TEST_F(Emulation, MultipliesHalvesAndAdds) {
  constexpr std::uint32_t kA = 0x90027F03, kB = 0x8004C005;
  const struct {
    unsigned extended;
    const char* name;
    std::uint32_t before, after;
  } rows[] = {
      {8, "mulhhwu", 0x00000000, 0x48034008},    {40, "mulhhw", 0x00000000, 0x37FD4008},
      {12, "machhwu", 0x7FFFFFF0, 0xC8033FF8},   {12, "machhwu", 0x80000010, 0xC8034018},
      {44, "machhw", 0x7FFFFFF0, 0xB7FD3FF8},    {44, "machhw", 0x80000010, 0xB7FD4018},
      {46, "nmachhw", 0x7FFFFFF0, 0x4802BFE8},   {46, "nmachhw", 0x80000010, 0x4802C008},
      {76, "machhwsu", 0x7FFFFFF0, 0xC8033FF8},  {76, "machhwsu", 0x80000010, 0xC8034018},
      {108, "machhws", 0x7FFFFFF0, 0x7FFFFFFF},  {108, "machhws", 0x80000010, 0xB7FD4018},
      {110, "nmachhws", 0x7FFFFFF0, 0x4802BFE8}, {110, "nmachhws", 0x80000010, 0x80000000},
      {136, "mulchwu", 0x00000000, 0x3F837C0C},  {168, "mulchw", 0x00000000, 0xC0807C0C},
      {140, "macchwu", 0x7FFFFFF0, 0xBF837BFC},  {140, "macchwu", 0x80000010, 0xBF837C1C},
      {172, "macchw", 0x7FFFFFF0, 0x40807BFC},   {172, "macchw", 0x80000010, 0x40807C1C},
      {174, "nmacchw", 0x7FFFFFF0, 0xBF7F83E4},  {174, "nmacchw", 0x80000010, 0xBF7F8404},
      {204, "macchwsu", 0x7FFFFFF0, 0xBF837BFC}, {204, "macchwsu", 0x80000010, 0xBF837C1C},
      {236, "macchws", 0x7FFFFFF0, 0x40807BFC},  {236, "macchws", 0x80000010, 0x80000000},
      {238, "nmacchws", 0x7FFFFFF0, 0x7FFFFFFF}, {238, "nmacchws", 0x80000010, 0xBF7F8404},
      {392, "mullhwu", 0x00000000, 0x5F44BB0F},  {424, "mullhw", 0x00000000, 0xE041BB0F},
      {396, "maclhwu", 0x7FFFFFF0, 0xDF44BAFF},  {396, "maclhwu", 0x80000010, 0xDF44BB1F},
      {428, "maclhw", 0x7FFFFFF0, 0x6041BAFF},   {428, "maclhw", 0x80000010, 0x6041BB1F},
      {430, "nmaclhw", 0x7FFFFFF0, 0x9FBE44E1},  {430, "nmaclhw", 0x80000010, 0x9FBE4501},
      {460, "maclhwsu", 0x7FFFFFF0, 0xDF44BAFF}, {460, "maclhwsu", 0x80000010, 0xDF44BB1F},
      {492, "maclhws", 0x7FFFFFF0, 0x6041BAFF},  {492, "maclhws", 0x80000010, 0x80000000},
      {494, "nmaclhws", 0x7FFFFFF0, 0x7FFFFFFF}, {494, "nmaclhws", 0x80000010, 0x9FBE4501},
  };
  for (const auto& row : rows) {
    engine.write(gpr(3), row.before);
    engine.write(gpr(4), kA);
    engine.write(gpr(5), kB);
    engine.write(power::kCr, 0x1234'5678);
    EXPECT_TRUE(execute(4u << 26 | 3u << 21 | 4u << 16 | 5u << 11 | row.extended << 1 | 1)) << row.name;
    EXPECT_EQ(engine.read(gpr(3)), row.after) << row.name;
    EXPECT_EQ(engine.read(power::kCr), (row.after >> 31 != 0 ? 0x8234'5678u : 0x4234'5678u)) << row.name;
  }
}

TEST_F(Emulation, KnowsNoOtherWords) {
  EXPECT_FALSE(execute(word(kLfpdux, 1, 0, 9)));     // no register to update
  EXPECT_FALSE(execute(word(kLfpdx, 1, 0, 9) | 1));  // with a record bit
  EXPECT_FALSE(execute(word(291, 3, 4, 0)));         // mfdcrux of a core without such registers
  EXPECT_FALSE(execute(word(419, 3, 4, 0)));
  EXPECT_FALSE(execute(word(854, 1, 2, 0)));  // mbar with reserved bits
  EXPECT_FALSE(execute(0));
  EXPECT_FALSE(execute(0x39290001));  // addi, which the engine executes
}

TEST(SpecialRegisters, AreTheCores) {
  const auto isa = ppc32::make_isa(test::shipped<power::PipelineConfig>(), true);
  RegisterFile engine;
  CoreIdentity identity{3, 0x1234, {{261, 77}}};
  const auto read = [&](std::uint32_t word) {
    ReplacedInstruction instruction;
    store_be32(instruction.original.data(), word);
    isa->emulate(instruction, engine, 0x5'0000'0006, identity);
    return engine.read(gpr(3));
  };
  EXPECT_EQ(read(0x7C7E42A6), 3u);       // mfspr r3,286
  EXPECT_EQ(read(0x7C7F42A6), 0x1234u);  // mfpvr r3
  EXPECT_EQ(read(0x7C6542A6), 77u);      // mfspr r3,261
  EXPECT_EQ(read(0x7C6442A6), 0u);       // mfspr r3,260
  EXPECT_EQ(read(0x7C6C42E6), 6u);       // mftb r3
  EXPECT_EQ(read(0x7C6D42E6), 5u);       // mftbu r3
  engine.write(gpr(3), 99);
  read(0x7C6043A6);  // mtspr 256,r3
  engine.write(gpr(3), 0);
  EXPECT_EQ(read(0x7C6042A6), 99u);  // mfspr r3,256
}

TEST(Functions, AreEnteredWithUpToFourArguments) {
  const auto isa = ppc32::make_isa(test::shipped<power::PipelineConfig>(), true);
  NodeMemory memory("memory", 1 << 20);
  MemoryView view(memory);
  RegisterFile engine;
  engine.write(gpr(4), 44);
  EXPECT_EQ(isa->enter_function(engine, view, 0x800, 0x1000, {11}), 0x800u);
  EXPECT_EQ(engine.read(gpr(1)), 0x1000u);
  EXPECT_EQ(engine.read(gpr(3)), 11u);
  EXPECT_EQ(engine.read(gpr(4)), 44u);
  isa->enter_function(engine, view, 0x800, 0x2000, {1, 2, 3, 4});
  for (unsigned i = 0; i < Isa::kMostFunctionArguments; ++i) EXPECT_EQ(engine.read(gpr(3 + i)), i + 1);
}

TEST(SystemCalls, HaveNineArguments) {
  const auto isa = ppc32::make_isa(test::shipped<power::PipelineConfig>(), true);
  RegisterFile engine;
  for (unsigned i = 0; i < 32; ++i) engine.write(gpr(i), 100 + i);
  const SystemCallRequest request = isa->system_call(engine);
  EXPECT_EQ(request.number, 100u);
  for (unsigned i = 0; i < kMostCallArguments; ++i) EXPECT_EQ(request.arguments[i], 103 + i);
}

}  // namespace
}  // namespace toroid
