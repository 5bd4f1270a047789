// SPDX-License-Identifier: Apache-2.0
//
// The code that looks up the lines of a block's accesses, executed step by step, against what the model itself says: on
// random plans and random contents of the first level, for both word sizes and byte orders.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <systemc>

#include "hw/core/access_code.h"
#include "hw/core/block_ledger.h"
#include "hw/core/code_lines.h"
#include "hw/core/line_filter.h"
#include "hw/isa/address_builder.h"
#include "hw/memory/node_memory.h"
#include "toy_isa.h"

namespace toroid {
namespace {

using Random = std::mt19937_64;
using Arithmetic = AddressBuilder::Operation;

constexpr std::uint64_t kMemoryBytes = 1 << 20, kBase = 0x40'0000;

/// What the code leaves in the condition of its call.
template <typename Word>
std::uint64_t executed(const BlockCode& code, const BlockLedger& ledger, const AddressPlan::Values<Word>& registers) {
  using Operation = BlockCode::Operation;
  std::array<std::uint64_t, BlockCode::kRegisters> values{};
  for (const BlockCode::Step& step : code.steps()) {
    const std::uint64_t a = step.first < values.size() ? values[step.first] : reinterpret_cast<std::uintptr_t>(&ledger);
    const std::uint64_t b = step.second == BlockCode::kConstant ? step.constant : values[step.second];
    std::uint64_t& result = values[step.result];
    const auto load = [&](unsigned bytes) {
      result = 0;
      std::memcpy(&result, reinterpret_cast<const void*>(a + step.constant), bytes);  // NOLINT: a host's address
    };
    switch (step.operation) {
      case Operation::move:
        result = b;
        break;
      case Operation::general_register:
        result = registers[step.constant];
        break;
      case Operation::load_8:
        load(1);
        break;
      case Operation::load_16:
        load(2);
        break;
      case Operation::load_32:
        load(4);
        break;
      case Operation::load_64:
        load(8);
        break;
      case Operation::add:
        result = a + b;
        break;
      case Operation::subtract:
        result = a - b;
        break;
      case Operation::multiply:
        result = a * b;
        break;
      case Operation::bit_and:
        result = a & b;
        break;
      case Operation::bit_and_not:
        result = a & ~b;
        break;
      case Operation::bit_or:
        result = a | b;
        break;
      case Operation::bit_xor:
        result = a ^ b;
        break;
      case Operation::bit_nor:
        result = ~(a | b);
        break;
      case Operation::shift_left:
        result = a << b;
        break;
      case Operation::shift_right:
        result = a >> b;
        break;
      case Operation::shift_right_signed:
        result = static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> b);
        break;
      case Operation::not_equal:
        result = a != b;
        break;
      case Operation::below:
        result = a < b;
        break;
      case Operation::move_if_zero:
        if (a == 0) result = b;
        break;
      case Operation::swap_16:
        result = __builtin_bswap16(static_cast<std::uint16_t>(b));
        break;
      case Operation::swap_32:
        result = __builtin_bswap32(static_cast<std::uint32_t>(b));
        break;
      case Operation::sign_8:
        result = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(b)});
        break;
      case Operation::sign_16:
        result = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(b)});
        break;
      case Operation::sign_32:
        result = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(b)});
        break;
      case Operation::call_if:
        return a;
      case Operation::store_64:
        ADD_FAILURE() << "a store before the call";
        break;
    }
  }
  ADD_FAILURE() << "no call";
  return 0;
}

/// A block with a plan of a dozen random instructions.
template <typename Word>
Block random_block(Random& random, ByteOrder order) {
  static constexpr Arithmetic kBinary[] = {
      Arithmetic::add,      Arithmetic::subtract,         Arithmetic::bit_and,          Arithmetic::bit_and_not,
      Arithmetic::bit_or,   Arithmetic::bit_xor,          Arithmetic::bit_nor,          Arithmetic::rotate_and_mask,
      Arithmetic::insert,   Arithmetic::shift_left,       Arithmetic::shift_right,      Arithmetic::shift_right_signed,
      Arithmetic::multiply, Arithmetic::sign_extend_byte, Arithmetic::sign_extend_half,
  };
  static constexpr Arithmetic kLoads[] = {Arithmetic::load_byte, Arithmetic::load_half, Arithmetic::load_half_signed,
                                          Arithmetic::load_word};
  constexpr unsigned kRegisters = 6, kBits = 8 * sizeof(Word);
  AddressBuilder builder(order, sizeof(Word));
  const auto any = [&random] { return static_cast<unsigned>(random() % kRegisters); };
  for (unsigned i = 0; i < 12; ++i) {
    builder.begin(i);
    if (random() % 3 == 0) {
      const Arithmetic operation = kBinary[random() % std::size(kBinary)];
      builder.set(any(), builder.binary(operation, builder.general(any()), builder.general(any()),
                                        static_cast<unsigned>(random() % kBits), static_cast<Word>(random())));
      continue;
    }
    MemoryOperand operand;
    operand.base = static_cast<std::uint8_t>(any());
    if (random() % 4 == 0) operand.index = static_cast<std::uint8_t>(any());
    operand.displacement = static_cast<std::int64_t>(random() % 64) - 32;
    const unsigned bytes = 1u << random() % 5;
    operand.size = static_cast<std::uint16_t>(bytes);
    const bool store = random() % 3 == 0;
    std::optional<Arithmetic> loads;
    if (!store && random() % 3 == 0) loads = kLoads[random() % std::size(kLoads)];
    const auto result = builder.access(operand, store ? AccessKind::store : AccessKind::load, bytes, loads);
    if (loads) builder.set(any(), result.loaded);
  }
  Block block;
  for (unsigned i = 0; i <= random() % 3; ++i) block.lines.push_back({0, static_cast<std::uint32_t>(random() % 64)});
  block.plan = builder.finish();
  return block;
}

template <typename Word>
class Level {
 public:
  Level(Random& random, const MemoryView& view, LineSize line, const WritePolicy& policy)
      : line_(line), policy_(policy), data_(sizeof(Word), line), random_(random) {
    view.show_memory(ledger_.memory, ledger_.memory_base, ledger_.memory_size);
    ledger_.data_lines = data_.entries();
    ledger_.code_lines = code_.bytes();
  }

  const BlockLedger& ledger() const { return ledger_; }
  /// Most of what the block needs.
  void fill(const Block& block, const AddressPlan::Values<Word>& values) {
    data_.clear();
    code_.clear();
    for (const CodeLine& line : block.lines) {
      if (random_() % 32 != 0) code_.add(line.number);
    }
    const bool store = random_() % 2 == 0;
    for (const PlannedAccess& access : block.plan.accesses()) {
      for (const std::uint64_t line : lines(access, values)) {
        if (random_() % 64 != 0) data_.add(line, store || access.kind == AccessKind::store || random_() % 2 == 0);
        if (random_() % 8 == 0) random_() % 2 == 0 ? data_.add_stored(line) : data_.remove_stored(line);
      }
    }
  }
  bool has_code(const Block& block) const {
    return std::all_of(block.lines.begin(), block.lines.end(),
                       [this](const CodeLine& line) { return code_.has(line.number); });
  }
  /// Each line of the access, dirty for a store.
  bool has(const PlannedAccess& access, const AddressPlan::Values<Word>& values) const {
    for (const std::uint64_t line : lines(access, values)) {
      const auto address = static_cast<Word>(line_.address(line));
      if (!data_.matches<Word>(address, address, access.expects, policy_.accepts(access))) return false;
    }
    return true;
  }
  /// The same, in one line: what MemoryPath takes for a hit at first sight.
  bool hits(const PlannedAccess& access, const AddressPlan::Values<Word>& values) const {
    const Word address = AddressPlan::address(access, values);
    return data_.matches<Word>(address, address + (access.bytes - 1u), access.expects, policy_.accepts(access));
  }

 private:
  std::vector<std::uint64_t> lines(const PlannedAccess& access, const AddressPlan::Values<Word>& values) const {
    const Word address = AddressPlan::address(access, values);
    const Word first = line_.number(address);
    const Word last = line_.number(static_cast<Word>(address + (access.bytes - 1u)));
    if (first == last) return {first};
    return {first, last};
  }

  const LineSize line_;
  const WritePolicy& policy_;
  LineFilter data_;
  CodeLines code_;
  BlockLedger ledger_;
  Random& random_;
};

template <typename Word>
void compare(ByteOrder order, unsigned seed, MemoryConfig::Writes writes, LineSize line,
             double memory_line_cycles = 0) {
  Random random(seed);
  NodeMemory memory("memory", kMemoryBytes);
  const MemoryView view(memory, kBase, 0, kMemoryBytes);
  for (std::uint64_t at = 0; at < kMemoryBytes; at += 4)
    store_u32(memory.host(at), static_cast<std::uint32_t>(kBase + random() % kMemoryBytes), order);
  const ToyIsa isa(sizeof(Word), order);
  MemoryConfig config{};
  config.l1_writes = writes;
  config.memory_line_cycles = memory_line_cycles;
  const WritePolicy policy(config);
  Level<Word> level(random, view, line, policy);
  unsigned hits = 0, held = 0;
  for (unsigned trial = 0; trial < 20'000; ++trial) {
    const Block block = random_block<Word>(random, order);
    AddressPlan::Values<Word> values{};
    for (unsigned i = 0; i < 8; ++i) values[i] = static_cast<Word>(kBase + random() % (kMemoryBytes / 2));
    if (random() % 8 == 0) values[random() % 6] = static_cast<Word>(random());
    BlockCode code;
    AccessCode accesses(block, isa, line, policy, code);
    ASSERT_TRUE(accesses.can_tell() || block.plan.unresolved() != 0);
    if (!accesses.can_tell()) continue;
    {
      BlockCode::Value differs = code.constant(0);
      accesses.compare(differs);
      code.call_if(std::move(differs));
    }
    ASSERT_FALSE(code.empty());
    const AddressPlan::Values<Word> registers = values;
    const bool complete = block.plan.evaluate(values, view);
    level.fill(block, values);
    const auto& each = block.plan.accesses();
    const bool all_held = level.has_code(block) && complete &&
                          std::all_of(each.begin(), each.end(),
                                      [&](const auto& a) { return policy.passes(a.kind) || level.has(a, values); });
    const bool all_hit = all_held && std::all_of(each.begin(), each.end(), [&](const auto& a) {
                           return policy.passes(a.kind) || level.hits(a, values);
                         });
    const bool found = executed(code, level.ledger(), registers) == 0;
    ASSERT_TRUE(all_held || !found) << "trial " << trial;
    ASSERT_TRUE(found || !all_hit) << "trial " << trial;
    hits += all_hit ? 1 : 0;
    held += found ? 1 : 0;
  }
  EXPECT_GT(hits, 2'000u);
  EXPECT_LT(held, 15'000u);
}

TEST(AccessCode, SaysWhatTheModelSays) {
  constexpr auto kBack = MemoryConfig::Writes::back, kThrough = MemoryConfig::Writes::through;
  for (const std::uint32_t bytes : {32u, 64u, 128u}) {
    SCOPED_TRACE(bytes);
    const LineSize line(bytes);
    compare<std::uint32_t>(ByteOrder::big, 1, kBack, line);
    compare<std::uint32_t>(ByteOrder::little, 2, kBack, line);
    compare<std::uint64_t>(ByteOrder::big, 3, kBack, line);
    compare<std::uint64_t>(ByteOrder::little, 4, kBack, line);
    compare<std::uint32_t>(ByteOrder::big, 5, kThrough, line);
    compare<std::uint64_t>(ByteOrder::little, 6, kThrough, line);
    compare<std::uint32_t>(ByteOrder::big, 7, kThrough, line, 5.5);  // and looks stores up behind it
    compare<std::uint64_t>(ByteOrder::big, 8, kThrough, line, 5.5);
  }
}

}  // namespace
}  // namespace toroid
