// SPDX-License-Identifier: Apache-2.0
// The code that blocks begin with (patch 8 of third_party/unicorn), at Unicorn's own interface.
#include <gtest/gtest.h>
#include <unicorn/unicorn.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace {

constexpr std::uint64_t kCode = 0x1'0000, kRegion = 0x4000, kNowhere = 0xFFFF'0000;

/// What a processor's code works on.
struct Data {
  std::uint64_t in[2] = {};
  std::uint64_t out = 0;
  std::uint64_t passed = 0;  ///< set behind a call
};

/// Of three instructions: one more in `counter`, one more in it, and back to the first.
struct Set {
  const char* name;
  uc_arch arch;
  uc_mode mode;
  int pc, counter;
  std::vector<std::uint8_t> code;
};
const Set kSets[] = {
    {"PowerPC",
     UC_ARCH_PPC,
     static_cast<uc_mode>(UC_MODE_PPC32 | UC_MODE_BIG_ENDIAN),
     UC_PPC_REG_PC,
     UC_PPC_REG_5,
     {0x38, 0xA5, 0x00, 0x01, 0x38, 0xA5, 0x00, 0x01, 0x4B, 0xFF, 0xFF, 0xF8}},
    {"x86", UC_ARCH_X86, UC_MODE_64, UC_X86_REG_RIP, UC_X86_REG_RDX, {0xFF, 0xC2, 0xFF, 0xC2, 0xEB, 0xFA}},
};

class BlockCode : public testing::TestWithParam<Set> {
 protected:
  BlockCode() {
    EXPECT_EQ(uc_open(set_.arch, set_.mode, &uc_), UC_ERR_OK);
    EXPECT_EQ(uc_mem_map(uc_, kCode, kRegion, UC_PROT_READ | UC_PROT_EXEC), UC_ERR_OK);
    EXPECT_EQ(uc_mem_write(uc_, kCode, set_.code.data(), set_.code.size()), UC_ERR_OK);
    EXPECT_EQ(uc_set_block_callbacks(uc_, &on_translated, &on_entered, this), UC_ERR_OK);
    EXPECT_EQ(uc_cpu_set_data(uc_, &data_), UC_ERR_OK);
    running = this;
  }
  ~BlockCode() override { uc_close(uc_); }

  /// Executes the block until it has called `most` times or, where it never calls, begun as often.
  void run(unsigned most) {
    calls_ = 0;
    most_ = most;
    write(set_.counter, 0);
    EXPECT_EQ(uc_emu_start(uc_, kCode, kNowhere, 0, 0), UC_ERR_OK);
  }
  std::uint64_t read(int which) {
    std::uint64_t value = 0;
    uc_reg_read(uc_, which, &value);
    return value & 0xFFFF'FFFF;
  }
  void write(int which, std::uint64_t value) { uc_reg_write(uc_, which, &value); }
  void forget_translation() { EXPECT_EQ(uc_ctl_flush_tb(uc_), UC_ERR_OK); }

  const Set set_ = GetParam();
  uc_engine* uc_ = nullptr;
  Data data_;
  std::vector<uc_block_op> ops_;
  unsigned translated_ = 0, calls_ = 0, most_ = 0;
  std::vector<std::uint64_t> counted_;  ///< the counter at each call

 private:
  static inline BlockCode* running = nullptr;
  static void on_translated(uc_engine*, std::uint64_t address, std::uint32_t size, uc_block_code* code, void* self) {
    auto& test = *static_cast<BlockCode*>(self);
    EXPECT_EQ(address, kCode);
    EXPECT_EQ(size, test.set_.code.size());
    EXPECT_EQ(code->count, 0u);
    ++test.translated_;
    code->block = &test.translated_;
    code->ops = test.ops_.data();
    code->count = test.ops_.size();
  }
  static void on_entered(void* data, void* block) {
    BlockCode& test = *running;
    EXPECT_EQ(data, &test.data_);
    EXPECT_EQ(block, &test.translated_);
    EXPECT_EQ(test.read(test.set_.pc), kCode);
    test.counted_.push_back(test.read(test.set_.counter));
    if (++test.calls_ == test.most_) uc_emu_stop(test.uc_);
  }
};

uc_block_op operation(uc_block_op_code code, unsigned result, unsigned first, unsigned second,
                      std::uint64_t constant = 0) {
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(result), static_cast<std::uint8_t>(first),
          static_cast<std::uint8_t>(second), constant};
}
uc_block_op load_64(unsigned result, std::size_t place) {
  return operation(UC_BLOCK_LOAD_64, result, UC_BLOCK_DATA, 0, place);
}
uc_block_op store_64(std::size_t place, unsigned value) {
  return operation(UC_BLOCK_STORE_64, 0, UC_BLOCK_DATA, value, place);
}

TEST_P(BlockCode, CallsInEachBlockThatHasNone) {
  run(4);
  EXPECT_EQ(translated_, 1u);
  EXPECT_EQ(counted_, (std::vector<std::uint64_t>{0, 2, 4, 6}));
  EXPECT_EQ(read(set_.counter), 6u);  // the block that is stopped does not begin
  EXPECT_EQ(read(set_.pc), kCode);
  EXPECT_EQ(uc_set_block_callbacks(uc_, nullptr, nullptr, nullptr), UC_ERR_ARG);  // code has been translated
}

/// Counts down: the call comes when nothing is left, and what follows it is then not executed.
TEST_P(BlockCode, CallsWhereItSaysSo) {
  ops_ = {load_64(0, offsetof(Data, in)),
          operation(UC_BLOCK_EQUAL, 1, 0, UC_BLOCK_CONSTANT, 0),
          operation(UC_BLOCK_CALL_IF, 0, 1, 0),
          load_64(2, offsetof(Data, in)),
          operation(UC_BLOCK_SUB, 2, 2, UC_BLOCK_CONSTANT, 1),
          store_64(offsetof(Data, in), 2),
          load_64(3, offsetof(Data, passed)),
          operation(UC_BLOCK_ADD, 3, 3, UC_BLOCK_CONSTANT, 10),
          store_64(offsetof(Data, passed), 3)};
  data_.in[0] = 1000;
  run(1);
  EXPECT_EQ(counted_, std::vector<std::uint64_t>{2000});
  EXPECT_EQ(data_.in[0], 0u);
  EXPECT_EQ(data_.passed, 10'000u);
}

TEST_P(BlockCode, HasTwoPlacesToCall) {
  ops_ = {operation(UC_BLOCK_MOVE, 0, 0, UC_BLOCK_CONSTANT, 0), operation(UC_BLOCK_CALL_IF, 0, 0, 0),
          operation(UC_BLOCK_MOVE, 0, 0, UC_BLOCK_CONSTANT, 7), store_64(offsetof(Data, passed), 0),
          operation(UC_BLOCK_CALL_IF, 0, 0, 0)};
  ops_.insert(ops_.begin() + 4, operation(UC_BLOCK_MOVE, 0, 0, UC_BLOCK_CONSTANT, 1));
  run(2);
  EXPECT_EQ(counted_, (std::vector<std::uint64_t>{0, 2}));
  EXPECT_EQ(data_.passed, 7u);
}

TEST_P(BlockCode, ReadsGuestRegisters) {
  if (set_.arch != UC_ARCH_PPC) GTEST_SKIP() << "uc_reg_pointer() knows PowerPC's";
  ops_ = {operation(UC_BLOCK_GUEST, 0, 0, 0, static_cast<std::uint64_t>(set_.counter)),
          store_64(offsetof(Data, out), 0), operation(UC_BLOCK_BELOW, 1, 0, UC_BLOCK_CONSTANT, 100),
          operation(UC_BLOCK_EQUAL, 1, 1, UC_BLOCK_CONSTANT, 0), operation(UC_BLOCK_CALL_IF, 0, 1, 0)};
  run(1);
  EXPECT_EQ(data_.out, 100u);
  EXPECT_EQ(counted_, std::vector<std::uint64_t>{100});
}

TEST_P(BlockCode, DoesWhatOperationsSay) {
  using Number = std::uint64_t;
  using Meaning = std::function<Number(Number, Number)>;
  const auto sign = [](auto narrow) { return static_cast<Number>(std::int64_t{narrow}); };
  const std::vector<std::pair<uc_block_op_code, Meaning>> operations = {
      {UC_BLOCK_MOVE, [](Number, Number b) { return b; }},
      {UC_BLOCK_ADD, [](Number a, Number b) { return a + b; }},
      {UC_BLOCK_SUB, [](Number a, Number b) { return a - b; }},
      {UC_BLOCK_MUL, [](Number a, Number b) { return a * b; }},
      {UC_BLOCK_AND, [](Number a, Number b) { return a & b; }},
      {UC_BLOCK_AND_NOT, [](Number a, Number b) { return a & ~b; }},
      {UC_BLOCK_OR, [](Number a, Number b) { return a | b; }},
      {UC_BLOCK_XOR, [](Number a, Number b) { return a ^ b; }},
      {UC_BLOCK_NOR, [](Number a, Number b) { return ~(a | b); }},
      {UC_BLOCK_SHIFT_LEFT, [](Number a, Number b) { return a << b; }},
      {UC_BLOCK_SHIFT_RIGHT, [](Number a, Number b) { return a >> b; }},
      {UC_BLOCK_SHIFT_RIGHT_SIGNED, [](Number a, Number b) { return static_cast<Number>(std::int64_t(a) >> b); }},
      {UC_BLOCK_EQUAL, [](Number a, Number b) { return Number{a == b}; }},
      {UC_BLOCK_NOT_EQUAL, [](Number a, Number b) { return Number{a != b}; }},
      {UC_BLOCK_BELOW, [](Number a, Number b) { return Number{a < b}; }},
      {UC_BLOCK_MOVE_IF_ZERO, [](Number a, Number b) { return a == 0 ? b : 99; }},
      {UC_BLOCK_SWAP_16, [](Number, Number b) { return Number{__builtin_bswap16(static_cast<std::uint16_t>(b))}; }},
      {UC_BLOCK_SWAP_32, [](Number, Number b) { return Number{__builtin_bswap32(static_cast<std::uint32_t>(b))}; }},
      {UC_BLOCK_SIGN_8, [&](Number, Number b) { return sign(static_cast<std::int8_t>(b)); }},
      {UC_BLOCK_SIGN_16, [&](Number, Number b) { return sign(static_cast<std::int16_t>(b)); }},
      {UC_BLOCK_SIGN_32, [&](Number, Number b) { return sign(static_cast<std::int32_t>(b)); }},
  };
  const std::vector<std::pair<Number, Number>> operands = {
      {0, 0}, {1, 63}, {0xFEDC'BA98'7654'3210, 13}, {0x8000'0000'0000'0001, 1}, {5, 5}, {0, 0x89}};
  for (const auto& [code, meaning] : operations) {
    for (auto [a, b] : operands) {
      const bool swaps = code == UC_BLOCK_SWAP_16 || code == UC_BLOCK_SWAP_32;
      const bool extends = code >= UC_BLOCK_SIGN_8 && code <= UC_BLOCK_SIGN_32;
      if (swaps || extends) b = code == UC_BLOCK_SWAP_16 ? 0xA1B2 : swaps ? 0xA1B2'C3D4 : 0xF1'8281'8283;
      if (code >= UC_BLOCK_SHIFT_LEFT && code <= UC_BLOCK_SHIFT_RIGHT_SIGNED) b %= 64;
      for (const bool constant : {false, true}) {
        forget_translation();
        data_ = {{a, b}, 0, 0};
        ops_ = {load_64(0, offsetof(Data, in)),
                load_64(1, offsetof(Data, in) + 8),
                operation(UC_BLOCK_MOVE, 2, 0, UC_BLOCK_CONSTANT, 99),
                operation(code, 2, 0, constant ? UC_BLOCK_CONSTANT : 1u, b),
                store_64(offsetof(Data, out), 2),
                operation(UC_BLOCK_CALL_IF, 0, 3, 0)};
        ops_.insert(ops_.end() - 1, operation(UC_BLOCK_MOVE, 3, 0, UC_BLOCK_CONSTANT, 1));
        run(1);
        EXPECT_EQ(data_.out, meaning(a, b)) << "operation " << code << " of " << a << " and " << b;
      }
    }
  }
}

TEST_P(BlockCode, LoadsAllSizes) {
  const std::vector<std::tuple<uc_block_op_code, std::uint64_t>> loads = {{UC_BLOCK_LOAD_8, 0xF0},
                                                                          {UC_BLOCK_LOAD_16, 0xBDF0},
                                                                          {UC_BLOCK_LOAD_32, 0xB79B'BDF0},
                                                                          {UC_BLOCK_LOAD_64, 0xFEDC'BA98'B79B'BDF0}};
  for (const auto& [code, expected] : loads) {
    forget_translation();
    data_.in[1] = 0xFEDC'BA98'B79B'BDF0;
    ops_ = {operation(UC_BLOCK_MOVE, 5, 0, UC_BLOCK_CONSTANT, reinterpret_cast<std::uintptr_t>(&data_.in[0])),
            operation(code, 2, 5, 0, 8), store_64(offsetof(Data, out), 2), operation(UC_BLOCK_CALL_IF, 0, 5, 0)};
    run(1);
    EXPECT_EQ(data_.out, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, BlockCode, testing::ValuesIn(kSets), [](const auto& set) { return set.param.name; });

}  // namespace
