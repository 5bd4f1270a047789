// SPDX-License-Identifier: Apache-2.0
// What our patches to Unicorn's x86-64 promise (third_party/unicorn/patches): results are those of a processor, and
// privileged instructions are faults.
#include <gtest/gtest.h>
#include <unicorn/unicorn.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kCode = 0x1'0000, kData = 0x2'0000, kRegion = 0x4000;
constexpr std::uint64_t kSaveSse = 0x200;
constexpr std::uint32_t kDivision = 0, kGeneralProtection = 13;
constexpr std::uint32_t kExtendedFeatures = 0xC000'0080;  // a model-specific register
constexpr std::uint64_t kSystemCalls = 1;                 // in it: sysret is an instruction
constexpr std::uint32_t kNoException = ~0u;

class X86 {
 public:
  X86() {
    EXPECT_EQ(uc_open(UC_ARCH_X86, UC_MODE_64, &uc_), UC_ERR_OK);
    EXPECT_EQ(uc_ctl_set_cpu_model(uc_, UC_CPU_X86_OPTERON_G3), UC_ERR_OK);
    EXPECT_EQ(uc_mem_map(uc_, kCode, kRegion, UC_PROT_READ | UC_PROT_EXEC), UC_ERR_OK);
    EXPECT_EQ(uc_mem_map(uc_, kData, kRegion, UC_PROT_READ | UC_PROT_WRITE), UC_ERR_OK);
    std::uint64_t control = 0;
    uc_reg_read(uc_, UC_X86_REG_CR4, &control);
    control |= kSaveSse;
    uc_reg_write(uc_, UC_X86_REG_CR4, &control);
    uc_x86_msr features = {kExtendedFeatures, 0};
    uc_reg_read(uc_, UC_X86_REG_MSR, &features);
    features.value |= kSystemCalls;
    uc_reg_write(uc_, UC_X86_REG_MSR, &features);
    uc_hook handle;
    EXPECT_EQ(uc_hook_add(uc_, &handle, UC_HOOK_INTR, reinterpret_cast<void*>(&on_exception), this, 1, 0), UC_ERR_OK);
  }
  X86(const X86&) = delete;
  X86& operator=(const X86&) = delete;
  ~X86() { uc_close(uc_); }

  uc_err run(const Bytes& code) {
    EXPECT_EQ(uc_mem_write(uc_, kCode, code.data(), code.size()), UC_ERR_OK);
    return uc_emu_start(uc_, kCode, kCode + code.size(), 0, 0);
  }
  std::uint64_t read(int which) const {
    std::uint64_t value = 0;
    uc_reg_read(uc_, which, &value);
    return value;
  }
  void write(int which, std::uint64_t value) { uc_reg_write(uc_, which, &value); }
  void write_vector(int which, const std::array<std::uint32_t, 4>& value) { uc_reg_write(uc_, which, value.data()); }
  std::array<std::uint32_t, 4> read_vector(int which) const {
    std::array<std::uint32_t, 4> value{};
    uc_reg_read(uc_, which, value.data());
    return value;
  }
  void store(std::uint64_t value) { EXPECT_EQ(uc_mem_write(uc_, kData, &value, sizeof value), UC_ERR_OK); }
  std::uint64_t load() const {
    std::uint64_t value = 0;
    EXPECT_EQ(uc_mem_read(uc_, kData, &value, sizeof value), UC_ERR_OK);
    return value;
  }
  std::uint32_t exception() const { return exception_; }

 private:
  static void on_exception(uc_engine* uc, std::uint32_t number, void* self) {
    static_cast<X86*>(self)->exception_ = number;
    uc_emu_stop(uc);
  }

  uc_engine* uc_ = nullptr;
  std::uint32_t exception_ = kNoException;
};

// cmpxchg. ------------------------------------------------------------------------------------------------------------

constexpr std::uint64_t kUpper = 0x1111'1111'0000'0000, kUpperNew = 0x2222'2222'0000'0000,
                        kUpperOld = 0x3333'3333'0000'0000;
constexpr std::uint32_t kCompared = 5, kNew = 7, kOther = 6;

struct Exchange {
  std::uint64_t rax, there;
};

/// What is there is rcx, or memory at rdi; rbx is to come there.
Exchange exchanged(const Bytes& code, bool memory, std::uint32_t old) {
  X86 x86;
  x86.write(UC_X86_REG_RAX, kUpper | kCompared);
  x86.write(UC_X86_REG_RBX, kUpperNew | kNew);
  x86.write(UC_X86_REG_RCX, kUpperOld | old);
  x86.write(UC_X86_REG_RDI, kData);
  x86.store(kUpperOld | old);
  EXPECT_EQ(x86.run(code), UC_ERR_OK);
  EXPECT_EQ((x86.read(UC_X86_REG_EFLAGS) & 0x40) != 0, old == kCompared);
  return {x86.read(UC_X86_REG_RAX), memory ? x86.load() : x86.read(UC_X86_REG_RCX)};
}

TEST(CompareAndExchange, OfMemoryLeavesTheAccumulatorIfItIsEqual) {
  for (const Bytes& code : {Bytes{0x0F, 0xB1, 0x1F}, Bytes{0xF0, 0x0F, 0xB1, 0x1F}}) {
    const Exchange equal = exchanged(code, true, kCompared);
    EXPECT_EQ(equal.rax, kUpper | kCompared);
    EXPECT_EQ(equal.there, kUpperOld | kNew);
    const Exchange differs = exchanged(code, true, kOther);
    EXPECT_EQ(differs.rax, kOther);
    EXPECT_EQ(differs.there, kUpperOld | kOther);
  }
}

TEST(CompareAndExchange, OfARegisterWritesOneOfTheTwo) {
  const Bytes code = {0x0F, 0xB1, 0xD9};
  const Exchange equal = exchanged(code, false, kCompared);
  EXPECT_EQ(equal.rax, kUpper | kCompared);
  EXPECT_EQ(equal.there, kNew);
  const Exchange differs = exchanged(code, false, kOther);
  EXPECT_EQ(differs.rax, kOther);
  EXPECT_EQ(differs.there, kUpperOld | kOther);
}

TEST(CompareAndExchange, OfTheAccumulatorWithItself) {
  EXPECT_EQ(exchanged({0x0F, 0xB1, 0xD8}, false, kCompared).rax, kNew);  // cmpxchg eax, ebx
}

TEST(CompareAndExchange, OfOtherSizes) {
  for (const std::uint32_t old : {kCompared, kOther}) {
    const bool equal = old == kCompared;
    // 8 and 16 bits touch no more; 64 bits all.
    for (const Bytes& code : {Bytes{0x0F, 0xB0, 0xD9}, Bytes{0x66, 0x0F, 0xB1, 0xD9}}) {
      const Exchange part = exchanged(code, false, old);
      EXPECT_EQ(part.rax, kUpper | (equal ? kCompared : old));
      EXPECT_EQ(part.there, kUpperOld | (equal ? kNew : old));
    }
  }
  X86 x86;
  x86.write(UC_X86_REG_RAX, 5);
  x86.write(UC_X86_REG_RCX, kUpperOld | 5);
  EXPECT_EQ(x86.run({0x48, 0x0F, 0xB1, 0xD9}), UC_ERR_OK);
  EXPECT_EQ(x86.read(UC_X86_REG_RAX), kUpperOld | 5);
}

// NaNs. ---------------------------------------------------------------------------------------------------------------

constexpr std::uint32_t kQuiet = 0x40'0000;
const std::uint32_t kValues[] = {0x7FC0'0001, 0x7FC0'0002, 0xFFC0'0001, 0x7F80'0001, 0xFF80'0003, 0x3F80'0000};

bool is_nan(std::uint32_t bits) {
  return (bits & 0x7FFF'FFFF) > 0x7F80'0000;
}

struct Arithmetic {
  const char* name;
  std::uint8_t opcode;
};
void PrintTo(const Arithmetic& operation, std::ostream* out) {
  *out << operation.name;
}

class Nans : public testing::TestWithParam<Arithmetic> {};

TEST_P(Nans, TheFirstOperandsIsTaken) {
  for (const std::uint32_t a : kValues) {
    for (const std::uint32_t b : kValues) {
      if (!is_nan(a) && !is_nan(b)) continue;
      X86 x86;
      x86.write_vector(UC_X86_REG_XMM0, {a, b, a, b});
      x86.write_vector(UC_X86_REG_XMM1, {b, a, b, a});
      EXPECT_EQ(x86.run({0x0F, GetParam().opcode, 0xC1}), UC_ERR_OK);
      const std::uint32_t first = (is_nan(a) ? a : b) | kQuiet, second = (is_nan(b) ? b : a) | kQuiet;
      EXPECT_EQ(x86.read_vector(UC_X86_REG_XMM0), (std::array{first, second, first, second}))
          << std::hex << a << ' ' << b;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EachOperation, Nans,
                         testing::Values(Arithmetic{"addps", 0x58}, Arithmetic{"mulps", 0x59},
                                         Arithmetic{"subps", 0x5C}, Arithmetic{"divps", 0x5E}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(NansOfDoubles, TheFirstOperandsIsTaken) {
  X86 x86;
  x86.write_vector(UC_X86_REG_XMM0, {1, 0x7FF8'0000, 1, 0x7FF0'0000});
  x86.write_vector(UC_X86_REG_XMM1, {2, 0x7FF8'0000, 2, 0x7FF8'0000});
  EXPECT_EQ(x86.run({0x66, 0x0F, 0x58, 0xC1}), UC_ERR_OK);
  EXPECT_EQ(x86.read_vector(UC_X86_REG_XMM0), (std::array<std::uint32_t, 4>{1, 0x7FF8'0000, 1, 0x7FF8'0000}));
}

/// The x87 keeps its own rule: the larger significand.
TEST(NansOfTheX87, TheLargerSignificandIsTaken) {
  X86 x86;
  x86.write(UC_X86_REG_RDI, kData);
  x86.store(std::uint64_t{0x7FC0'0002} << 32 | 0x7FC0'0001);
  EXPECT_EQ(x86.run({0xD9, 0x07, 0xD8, 0x47, 0x04, 0xD9, 0x1F}), UC_ERR_OK);  // fld, fadd, fstp
  EXPECT_EQ(x86.load() & 0xFFFF'FFFF, 0x7FC0'0002u);
}

// Privileged instructions. --------------------------------------------------------------------------------------------

struct Privileged {
  const char* name;
  Bytes code;
};
void PrintTo(const Privileged& instruction, std::ostream* out) {
  *out << instruction.name;
}

class PrivilegedInstructions : public testing::TestWithParam<Privileged> {};

TEST_P(PrivilegedInstructions, AreFaults) {
  X86 x86;
  x86.write(UC_X86_REG_RDI, kData);
  x86.write(UC_X86_REG_RCX, 0xC000'0080);  // EFER, where a number of a register is asked for
  x86.run(GetParam().code);
  EXPECT_EQ(x86.exception(), kGeneralProtection);
  EXPECT_EQ(x86.read(UC_X86_REG_RIP), kCode);
}

INSTANTIATE_TEST_SUITE_P(
    Each, PrivilegedInstructions,
    testing::Values(Privileged{"hlt", {0xF4}}, Privileged{"cli", {0xFA}}, Privileged{"sti", {0xFB}},
                    Privileged{"in_al_imm", {0xE4, 0x60}}, Privileged{"in_eax_dx", {0xED}},
                    Privileged{"out_imm_al", {0xE6, 0x60}}, Privileged{"out_dx_eax", {0xEF}},
                    Privileged{"insb", {0x6C}}, Privileged{"outsb", {0x6E}}, Privileged{"rdmsr", {0x0F, 0x32}},
                    Privileged{"wrmsr", {0x0F, 0x30}}, Privileged{"mov_from_cr0", {0x0F, 0x20, 0xC0}},
                    Privileged{"mov_to_cr0", {0x0F, 0x22, 0xC0}}, Privileged{"mov_to_cr3", {0x0F, 0x22, 0xD8}},
                    Privileged{"mov_to_cr8", {0x44, 0x0F, 0x22, 0xC0}}, Privileged{"mov_from_dr0", {0x0F, 0x21, 0xC0}},
                    Privileged{"mov_to_dr7", {0x0F, 0x23, 0xF8}}, Privileged{"clts", {0x0F, 0x06}},
                    Privileged{"lmsw", {0x0F, 0x01, 0xF0}}, Privileged{"lgdt", {0x0F, 0x01, 0x17}},
                    Privileged{"lidt", {0x0F, 0x01, 0x1F}}, Privileged{"lldt", {0x0F, 0x00, 0xD0}},
                    Privileged{"ltr", {0x0F, 0x00, 0xD8}}, Privileged{"invlpg", {0x0F, 0x01, 0x3F}},
                    Privileged{"invd", {0x0F, 0x08}}, Privileged{"wbinvd", {0x0F, 0x09}},
                    Privileged{"swapgs", {0x0F, 0x01, 0xF8}}, Privileged{"sysret", {0x0F, 0x07}},
                    Privileged{"sysret_to_64_bits", {0x48, 0x0F, 0x07}}),
    [](const auto& each) { return std::string(each.param.name); });

// Exceptions. ---------------------------------------------------------------------------------------------------------

TEST(Divisions, ByZeroAreThatAgainAndAgain) {
  X86 x86;
  for (int i = 0; i < 4; ++i) {
    x86.write(UC_X86_REG_RCX, 0);
    x86.run({0xF7, 0xF1});
    EXPECT_EQ(x86.exception(), kDivision) << i;
    x86.run({0xF4});  // privileged: no double fault either
    EXPECT_EQ(x86.exception(), kGeneralProtection) << i;
  }
}

class AlignedMoves : public testing::TestWithParam<Privileged> {};

TEST_P(AlignedMoves, DemandIt) {
  X86 x86;
  x86.write_vector(UC_X86_REG_XMM1, {1, 2, 3, 4});
  x86.write(UC_X86_REG_RDI, kData + 0x10);
  EXPECT_EQ(x86.run(GetParam().code), UC_ERR_OK);
  EXPECT_EQ(x86.exception(), kNoException);
  for (const std::uint64_t place : {kData + 1, kData + 8, kData + 0xFF8}) {
    x86.write(UC_X86_REG_RDI, place);
    x86.run(GetParam().code);
    EXPECT_EQ(x86.exception(), kGeneralProtection);
    EXPECT_EQ(x86.read(UC_X86_REG_RIP), kCode);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, AlignedMoves,
    testing::Values(Privileged{"movaps_load", {0x0F, 0x28, 0x07}}, Privileged{"movapd_load", {0x66, 0x0F, 0x28, 0x07}},
                    Privileged{"movdqa_load", {0x66, 0x0F, 0x6F, 0x07}}, Privileged{"movaps_store", {0x0F, 0x29, 0x0F}},
                    Privileged{"movapd_store", {0x66, 0x0F, 0x29, 0x0F}},
                    Privileged{"movdqa_store", {0x66, 0x0F, 0x7F, 0x0F}}, Privileged{"movntps", {0x0F, 0x2B, 0x0F}},
                    Privileged{"movntpd", {0x66, 0x0F, 0x2B, 0x0F}}, Privileged{"movntdq", {0x66, 0x0F, 0xE7, 0x0F}}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(OtherMoves, GoAnywhere) {
  for (const Bytes& code : {Bytes{0x0F, 0x10, 0x07}, Bytes{0x66, 0x0F, 0x10, 0x07}, Bytes{0xF3, 0x0F, 0x6F, 0x07},
                            Bytes{0x0F, 0x11, 0x0F}, Bytes{0x66, 0x0F, 0x11, 0x0F}, Bytes{0xF3, 0x0F, 0x7F, 0x0F}}) {
    X86 x86;
    x86.write(UC_X86_REG_RDI, kData + 0xFF8);
    EXPECT_EQ(x86.run(code), UC_ERR_OK);
    EXPECT_EQ(x86.exception(), kNoException);
  }
}

/// Flags that say who may what cannot be set: popf leaves them.
TEST(UserMode, KeepsTheFlagsOfTheSystem) {
  X86 x86;
  x86.write(UC_X86_REG_RSP, kData + 0x100);
  x86.write(UC_X86_REG_RAX, 0x3202);  // interrupts allowed, and input and output at any level
  const std::uint64_t before = x86.read(UC_X86_REG_EFLAGS) & 0x3200;
  EXPECT_EQ(x86.run({0x50, 0x9D}), UC_ERR_OK);
  EXPECT_EQ(x86.read(UC_X86_REG_EFLAGS) & 0x3200, before);
  x86.run({0xFA});
  EXPECT_EQ(x86.exception(), kGeneralProtection);
}

}  // namespace
