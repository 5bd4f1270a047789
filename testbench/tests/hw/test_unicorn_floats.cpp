// SPDX-License-Identifier: Apache-2.0
// Floating point of PowerPC on the host's FPU (patch 12 of third_party/unicorn), at Unicorn's own interface: results,
// FPSCR and CR are those of softfloat, bit by bit. The engine leaves an operation to softfloat where exceptions may be
// taken, which MSR[FE0] says; as long as none is enabled in the FPSCR, programs cannot see that bit.
//
// TOROID_FUZZ_CASES says how many random operands each operation gets, TOROID_FUZZ_SEED which.
#include <gtest/gtest.h>
#include <unicorn/unicorn.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t kCode = 0x1'0000, kIn = 0x10'0000, kOut = 0x20'0000;
constexpr std::uint64_t kCodeBytes = 0x1000, kDataBytes = 0x8'0000;
constexpr std::uint64_t kUsualCases = 20'000;
constexpr std::size_t kBatch = 4096;
constexpr std::uint32_t kMsrFloat = 0x2000, kMsrExceptions = 0x800;  // MSR[FP], MSR[FE0]
constexpr std::uint32_t kFx = 0x8000'0000, kFex = 0x4000'0000, kXx = 0x0200'0000, kFi = 0x2'0000, kXe = 8;
constexpr std::uint32_t kEnables = 0xF8;
constexpr unsigned kProgramException = 6;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// Of form A or X: registers 1, 2 and 3 are frA, frB and frC as far as it has them.
struct Operation {
  const char* name;
  std::uint32_t primary, extended;
  bool a, b, c;
  bool compares = false;  ///< to CR field 3
};

const Operation kOperations[] = {
    {"fadd", 63, 21, true, true, false},        {"fadds", 59, 21, true, true, false},
    {"fsub", 63, 20, true, true, false},        {"fsubs", 59, 20, true, true, false},
    {"fmul", 63, 25, true, false, true},        {"fmuls", 59, 25, true, false, true},
    {"fdiv", 63, 18, true, true, false},        {"fdivs", 59, 18, true, true, false},
    {"fmadd", 63, 29, true, true, true},        {"fmadds", 59, 29, true, true, true},
    {"fmsub", 63, 28, true, true, true},        {"fmsubs", 59, 28, true, true, true},
    {"fnmadd", 63, 31, true, true, true},       {"fnmadds", 59, 31, true, true, true},
    {"fnmsub", 63, 30, true, true, true},       {"fnmsubs", 59, 30, true, true, true},
    {"frsp", 63, 12, false, true, false},       {"fctiw", 63, 14, false, true, false},
    {"fctiwz", 63, 15, false, true, false},     {"fcmpu", 63, 0, true, true, false, true},
    {"fcmpo", 63, 32, true, true, false, true},
};

void PrintTo(const Operation& operation, std::ostream* out) {
  *out << operation.name;
}

struct In {
  std::uint64_t fpscr, a, b, c;
};
struct Out {
  std::uint64_t result, fpscr, cr;
  bool operator==(const Out& other) const { return result == other.result && fpscr == other.fpscr && cr == other.cr; }
};

std::ostream& operator<<(std::ostream& out, const In& in) {
  return out << std::hex << "FPSCR " << in.fpscr << " frA " << in.a << " frB " << in.b << " frC " << in.c;
}
std::ostream& operator<<(std::ostream& stream, const Out& out) {
  return stream << std::hex << "result " << out.result << " FPSCR " << out.fpscr << " CR " << out.cr;
}

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
double value_of(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Operands of all kinds, often such that something happens: exact results, ties, cancellation, ends of ranges.
class Operands {
 public:
  explicit Operands(std::uint64_t seed) : random_(seed) {}

  In next() {
    In in{fpscr(), one(), one(), one()};
    if (one_in(4)) in.b = near(in.a);
    if (one_in(8)) in.c = near(in.a);
    // The sum of a multiply-add is small against its addends, or the product's last bits are beyond the addend's.
    if (one_in(3)) in.b = near(bits_of(value_of(in.a) * value_of(in.c)));
    if (one_in(12)) in.b = with_exponent(in.b, exponent(bits_of(value_of(in.a) * value_of(in.c))) + below(220) - 110);
    return in;
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool one_in(std::uint64_t many) { return below(many) == 0; }
  static std::uint64_t exponent(std::uint64_t bits) { return bits >> 52 & 0x7FF; }
  static std::uint64_t with_exponent(std::uint64_t bits, std::uint64_t exponent) {
    return (bits & ~(0x7FFull << 52)) | (exponent & 0x7FF) << 52;
  }

  /// No exception is enabled; every second one rounds to nearest.
  std::uint64_t fpscr() {
    const std::uint64_t any = random_() & 0xFFFF'FFFF & ~kEnables;
    return one_in(2) ? any & ~3ull : any;
  }
  std::uint64_t near(std::uint64_t bits) {
    bits += below(5) - 2;
    return one_in(2) ? bits ^ 1ull << 63 : bits;
  }
  std::uint64_t one() {
    static constexpr std::uint64_t kEnds[] = {0,    1,    2,    222,  223,  224,  874,  896,  897,  898,  969,  1023,
                                              1053, 1054, 1055, 1149, 1150, 1151, 2022, 2023, 2024, 2045, 2046, 2047};
    static constexpr std::uint64_t kSpecial[] = {
        0,                      // zero
        1,                      // the least denormal
        0x000F'FFFF'FFFF'FFFF,  // the largest
        0x0010'0000'0000'0000,  // the least normal number
        0x7FEF'FFFF'FFFF'FFFF,  // the largest
        0x7FF0'0000'0000'0000,  // infinity
        0x7FF0'0000'0000'0001,  // signalling NaN
        0x7FF8'0000'0000'0000,  // quiet NaN
        0x36A0'0000'0000'0000,  // the least denormal of single precision
        0x3810'0000'0000'0000,  // its least normal number
        0x47EF'FFFF'E000'0000,  // its largest
        0x47EF'FFFF'F000'0000,  // half a unit more
        0x3FF0'0000'0000'0000,  // one
        0x41DF'FFFF'FFC0'0000,  // the largest integer
        0x41DF'FFFF'FFFF'FFFF,
        0x41E0'0000'0000'0000,
        0x41E0'0000'0010'0000,
    };
    const std::uint64_t any = random_();
    const std::uint64_t sign = any & 1ull << 63;
    switch (below(9)) {
      case 0:
        return any;
      case 1:
        return sign | kSpecial[below(std::size(kSpecial))];
      case 2:
        return with_exponent(any, kEnds[below(std::size(kEnds))]);
      case 3:  // few digits: exact results
        return with_exponent(any & ~0ull << 44, 1023 + below(24) - 12);
      case 4:  // digits in two places: ties
        return with_exponent(sign | 1ull << below(52) | 1ull << below(52), 1023 + below(64) - 32);
      case 5:  // single precision
        return with_exponent(any & ~0ull << 29, 1023 + below(256) - 128);
      case 6:
        return bits_of(static_cast<double>(static_cast<std::int64_t>(any) >> below(64)));
      default:
        return with_exponent(any, 1023 + below(120) - 60);
    }
  }

  std::mt19937_64 random_;
};

class Floats : public testing::TestWithParam<Operation> {
 protected:
  Floats() {
    EXPECT_EQ(uc_open(UC_ARCH_PPC, static_cast<uc_mode>(UC_MODE_PPC32 | UC_MODE_BIG_ENDIAN), &uc_), UC_ERR_OK);
    EXPECT_EQ(uc_mem_map(uc_, kCode, kCodeBytes, UC_PROT_READ | UC_PROT_EXEC), UC_ERR_OK);
    EXPECT_EQ(uc_mem_map(uc_, kIn, kDataBytes, UC_PROT_READ), UC_ERR_OK);
    EXPECT_EQ(uc_mem_map(uc_, kOut, kDataBytes, UC_PROT_READ | UC_PROT_WRITE), UC_ERR_OK);
  }
  ~Floats() override { uc_close(uc_); }

  /// A loop over operands. The result's register is the fourth or, `in_place`, that of an operand.
  void load_program(const Operation& operation, bool records, bool in_place) {
    const std::uint32_t target = in_place ? (operation.a ? 1 : 2) : 4;
    const std::uint32_t tested = operation.primary << 26 | (operation.compares ? 3u << 23 : target << 21) |
                                 (operation.a ? 1u << 16 : 0) | (operation.b ? 2u << 11 : 0) |
                                 (operation.c ? 3u << 6 : 0) | operation.extended << 1 | (records ? 1 : 0);
    const std::uint32_t program[] = {
        0xC803'0000,                 // lfd f0, 0(r3)
        0xFDFE'058E,                 // mtfsf 255, f0
        0xC823'0008,                 // lfd f1, 8(r3)
        0xC843'0010,                 // lfd f2, 16(r3)
        0xC863'0018,                 // lfd f3, 24(r3)
        0xFCC0'1818,                 // frsp f6, f3: often inexact, which FPSCR[FI] says until the next operation
        0xFC80'1090,                 // fmr f4, f2
        tested,                      //
        0xFCA0'048E,                 // mffs f5
        0x7CA0'0026,                 // mfcr r5
        0xD804'0000 | target << 21,  // stfd target, 0(r4)
        0xD8A4'0008,                 // stfd f5, 8(r4)
        0x90A4'0014,                 // stw r5, 20(r4)
        0x3863'0020,                 // addi r3, r3, 32
        0x3884'0018,                 // addi r4, r4, 24
        0x4200'FFC4,                 // bdnz to the beginning
    };
    std::vector<std::uint8_t> code;
    for (const std::uint32_t word : program)
      for (int shift = 24; shift >= 0; shift -= 8) code.push_back(static_cast<std::uint8_t>(word >> shift));
    EXPECT_EQ(uc_mem_write(uc_, kCode, code.data(), code.size()), UC_ERR_OK);
    EXPECT_EQ(uc_ctl_remove_cache(uc_, kCode, kCode + code.size()), UC_ERR_OK);
    end_ = kCode + code.size();
  }

  std::vector<Out> run(const std::vector<In>& in, std::uint32_t msr) {
    std::vector<std::uint8_t> bytes;
    for (const In& each : in)
      for (const std::uint64_t value : {each.fpscr, each.a, each.b, each.c})
        for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(value >> shift));
    EXPECT_EQ(uc_mem_write(uc_, kIn, bytes.data(), bytes.size()), UC_ERR_OK);
    write(UC_PPC_REG_MSR, kMsrFloat | msr);
    write(UC_PPC_REG_3, kIn);
    write(UC_PPC_REG_4, kOut);
    write(UC_PPC_REG_CR, 0);
    write(UC_PPC_REG_CTR, static_cast<std::uint32_t>(in.size()));
    EXPECT_EQ(uc_emu_start(uc_, kCode, end_, 0, 0), UC_ERR_OK);
    bytes.resize(in.size() * 24);
    EXPECT_EQ(uc_mem_read(uc_, kOut, bytes.data(), bytes.size()), UC_ERR_OK);
    std::vector<Out> out;
    for (auto byte = bytes.begin(); byte != bytes.end();) {
      std::array<std::uint64_t, 3> values{};
      for (std::uint64_t& value : values)
        for (int i = 0; i < 8; ++i) value = value << 8 | *byte++;
      out.push_back({values[0], values[1] & 0xFFFF'FFFF, values[2] & 0xFFFF'FFFF});
    }
    return out;
  }

  void write(int which, std::uint32_t value) { uc_reg_write(uc_, which, &value); }

  uc_engine* uc_ = nullptr;
  std::uint64_t end_ = 0;
};

TEST_P(Floats, AreThoseOfSoftfloat) {
  const std::uint64_t cases = from_environment("TOROID_FUZZ_CASES", kUsualCases);
  Operands operands(from_environment("TOROID_FUZZ_SEED", 1) * 1000 + GetParam().primary * 64 + GetParam().extended);
  std::vector<In> in(kBatch);
  for (std::uint64_t done = 0, batch = 0; done < cases; done += in.size(), ++batch) {
    load_program(GetParam(), batch % 2 == 1 && !GetParam().compares, batch % 3 == 1);
    for (In& each : in) each = operands.next();
    const std::vector<Out> here = run(in, 0);
    const std::vector<Out> soft = run(in, kMsrExceptions);
    for (std::size_t i = 0; i < in.size(); ++i)
      ASSERT_TRUE(here[i] == soft[i]) << in[i] << "\n here: " << here[i] << "\n soft: " << soft[i];
  }
}

INSTANTIATE_TEST_SUITE_P(All, Floats, testing::ValuesIn(kOperations),
                         [](const auto& each) { return std::string(each.param.name); });

class FloatExceptions : public Floats {};

const In kThird{0, bits_of(1), bits_of(3), bits_of(1)};  // an inexact quotient

TEST_P(FloatExceptions, AreSummarisedWhenEnabled) {
  load_program(GetParam(), false, false);
  In enabled = kThird;
  enabled.fpscr = kXe;
  const std::vector<Out> out = run({kThird, enabled}, 0);
  EXPECT_EQ(out[0].fpscr & (kFx | kFex | kXx | kFi), kFx | kXx | kFi);
  EXPECT_EQ(out[1].fpscr & (kFx | kFex | kXx | kFi), kFx | kFex | kXx | kFi);
  EXPECT_EQ(out[0].result, out[1].result);
}

TEST_P(FloatExceptions, AreTakenBehindTheResult) {
  load_program(GetParam(), false, false);
  unsigned exception = 0;
  const auto on_exception = +[](uc_engine* uc, std::uint32_t number, void* seen) {
    *static_cast<unsigned*>(seen) = number;
    uc_emu_stop(uc);
  };
  uc_hook handle;
  ASSERT_EQ(uc_hook_add(uc_, &handle, UC_HOOK_INTR, reinterpret_cast<void*>(on_exception), &exception, 1, 0),
            UC_ERR_OK);
  In enabled = kThird;
  enabled.fpscr = kXe;
  run({enabled}, kMsrExceptions);
  EXPECT_EQ(exception, kProgramException);
  std::uint64_t result = 0;
  uc_reg_read(uc_, UC_PPC_REG_FPR4, &result);
  EXPECT_EQ(value_of(result), 1.0 / 3);
}

INSTANTIATE_TEST_SUITE_P(Inexact, FloatExceptions, testing::Values(kOperations[6]),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
