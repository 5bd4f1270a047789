// SPDX-License-Identifier: Apache-2.0
// What our patches to Unicorn's 64-bit PowerPC promise (third_party/unicorn/patches).
#include <gtest/gtest.h>
#include <unicorn/unicorn.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t kCode = 0x1'0000, kData = 0x2'0000, kRegion = 0x4000;
constexpr std::uint32_t kNoException = ~0u;
constexpr std::uint32_t kOneMore = 0x38A5'0001;                                // addi 5,5,1
constexpr std::uint64_t kSixtyFour = std::uint64_t{1} << 63, kFloat = 0x2000;  // MSR[SF], MSR[FP]

class Ppc64 {
 public:
  explicit Ppc64(int model) {
    EXPECT_EQ(uc_open(UC_ARCH_PPC, static_cast<uc_mode>(UC_MODE_PPC64 | UC_MODE_BIG_ENDIAN), &uc_), UC_ERR_OK);
    EXPECT_EQ(uc_ctl_set_cpu_model(uc_, model), UC_ERR_OK);
    EXPECT_EQ(uc_mem_map(uc_, kCode, kRegion, UC_PROT_READ | UC_PROT_EXEC), UC_ERR_OK);
    EXPECT_EQ(uc_mem_map(uc_, kData, kRegion, UC_PROT_READ | UC_PROT_WRITE), UC_ERR_OK);
    write(UC_PPC_REG_MSR, kSixtyFour | kFloat);
    uc_hook handle;
    EXPECT_EQ(uc_hook_add(uc_, &handle, UC_HOOK_INTR, reinterpret_cast<void*>(&on_exception), this, 1, 0), UC_ERR_OK);
  }
  Ppc64(const Ppc64&) = delete;
  Ppc64& operator=(const Ppc64&) = delete;
  ~Ppc64() { uc_close(uc_); }

  uc_err run(const std::vector<std::uint32_t>& words) {
    std::vector<std::uint8_t> code;
    for (const std::uint32_t word : words) {
      for (const unsigned shift : {24u, 16u, 8u, 0u}) code.push_back(static_cast<std::uint8_t>(word >> shift));
    }
    EXPECT_EQ(uc_mem_write(uc_, kCode, code.data(), code.size()), UC_ERR_OK);
    return uc_emu_start(uc_, kCode, kCode + code.size(), 0, 0);
  }
  std::uint64_t read(int which) const {
    std::uint64_t value = 0;
    uc_reg_read(uc_, which, &value);
    return value;
  }
  void write(int which, std::uint64_t value) { uc_reg_write(uc_, which, &value); }
  uc_engine* uc() { return uc_; }
  std::uint32_t exception() const { return exception_; }

 private:
  static void on_exception(uc_engine* uc, std::uint32_t number, void* self) {
    static_cast<Ppc64*>(self)->exception_ = number;
    uc_emu_stop(uc);
  }

  uc_engine* uc_ = nullptr;
  std::uint32_t exception_ = kNoException;
};

/// Numbers of 64-bit models begin anew: as one of all models it would be another's.
TEST(Models, OfSixtyFourBitsHaveSixtyFourBits) {
  Ppc64 core(UC_CPU_PPC64_A2_V2_0);
  core.write(UC_PPC_REG_3, 3);
  EXPECT_EQ(core.run({0x7863'07C6}), UC_ERR_OK);  // sldi 3,3,32
  EXPECT_EQ(core.exception(), kNoException);
  EXPECT_EQ(core.read(UC_PPC_REG_3), std::uint64_t{3} << 32);
}

TEST(A2, ClearsLinesOf64Bytes) {
  Ppc64 core(UC_CPU_PPC64_A2_V2_0);
  std::vector<std::uint8_t> bytes(256, 0xFF);
  ASSERT_EQ(uc_mem_write(core.uc(), kData, bytes.data(), bytes.size()), UC_ERR_OK);
  core.write(UC_PPC_REG_3, kData + 64 + 12);
  EXPECT_EQ(core.run({0x7C00'1FEC}), UC_ERR_OK);  // dcbz 0,3
  ASSERT_EQ(uc_mem_read(core.uc(), kData, bytes.data(), bytes.size()), UC_ERR_OK);
  for (std::size_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(bytes[i], i / 64 == 1 ? 0 : 0xFF) << i;
}

/// What it has not is no instruction: vectors, and what its translator does not know.
TEST(A2, HasNoOthersInstructions) {
  for (const std::uint32_t word : {0x7C00'18CEu, 0x7C00'1E98u, 0x7C00'007Cu}) {  // lvx, lxvd2x, wait
    Ppc64 core(UC_CPU_PPC64_A2_V2_0);
    core.write(UC_PPC_REG_3, kData);
    core.run({word, kOneMore});
    EXPECT_NE(core.exception(), kNoException) << std::hex << word;
    EXPECT_EQ(core.read(UC_PPC_REG_5), 0u) << std::hex << word;
  }
}

TEST(A2, GoesOnBehindHintsOfPriority) {
  for (unsigned r = 1; r < 32; ++r) {
    Ppc64 core(UC_CPU_PPC64_A2_V2_0);
    core.write(UC_PPC_REG_5, 41);
    const std::uint32_t hint = 0x7C00'0378 | r << 21 | r << 16 | r << 11;  // or r,r,r
    EXPECT_EQ(core.run({hint, kOneMore}), UC_ERR_OK);
    EXPECT_EQ(core.exception(), kNoException);
    EXPECT_EQ(core.read(UC_PPC_REG_5), 42u) << r;
  }
}

struct Conversion {
  const char* name;
  std::uint32_t word;  ///< of register 1 into register 2
  bool wide;
};

TEST(Conversions, Saturate) {
  const Conversion conversions[] = {{"fctiw", 0xFC40'081C, false},
                                    {"fctiwz", 0xFC40'081E, false},
                                    {"fctid", 0xFC40'0E5C, true},
                                    {"fctidz", 0xFC40'0E5E, true}};
  using Word = std::numeric_limits<std::int32_t>;
  using Double = std::numeric_limits<std::int64_t>;
  for (const Conversion& conversion : conversions) {
    const auto result = [&](double value) {
      Ppc64 core(UC_CPU_PPC64_A2_V2_0);
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      core.write(UC_PPC_REG_FPR1, bits);
      EXPECT_EQ(core.run({conversion.word}), UC_ERR_OK);
      const std::uint64_t found = core.read(UC_PPC_REG_FPR2);
      return conversion.wide ? static_cast<std::int64_t>(found)
                             : std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(found))};
    };
    const std::int64_t largest = conversion.wide ? Double::max() : Word::max();
    const std::int64_t smallest = conversion.wide ? Double::min() : Word::min();
    EXPECT_EQ(result(1e300), largest) << conversion.name;
    EXPECT_EQ(result(std::numeric_limits<double>::infinity()), largest) << conversion.name;
    EXPECT_EQ(result(-1e300), smallest) << conversion.name;
    EXPECT_EQ(result(std::numeric_limits<double>::quiet_NaN()), smallest) << conversion.name;
    EXPECT_EQ(result(-3.0), -3) << conversion.name;
  }
}

}  // namespace
