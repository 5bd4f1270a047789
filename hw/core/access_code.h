// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/core/write_policy.h"
#include "hw/isa/address_plan.h"
#include "hw/isa/block.h"
#include "hw/isa/block_code.h"
#include "hw/isa/isa.h"
#include "hw/isa/line_size.h"

namespace toroid {

/// Writes code that finds out whether the first level is known to hold all lines that a block fetches and accesses:
/// what MemoryPath::enter() looks for first.
class AccessCode {
 public:
  /// `line`: of the first level of data.
  AccessCode(const Block& block, const Isa& isa, LineSize line, const WritePolicy& policy, BlockCode& code)
      : block_(block),
        wide_(isa.word_bytes() == 8),
        byte_order_(isa.byte_order()),
        line_(line),
        policy_(policy),
        code_(code) {}

  /// False if code cannot tell: of cache instructions, and where an address takes arithmetic that code does not have.
  bool can_tell() const;
  /// Makes `differs` something else than 0 unless it holds them all.
  void compare(BlockCode::Value& differs);

 private:
  using Value = BlockCode::Value;
  using Step = AddressPlan::Step;

  /// Bytes that must lie in one line.
  struct Probe {
    std::uint8_t first, second;  ///< numbers of values
    std::int64_t offset;
    std::int64_t bytes;
    std::uint8_t expects, accepts;
  };
  std::vector<Probe> probes() const;
  /// Of accesses of one kind with the same values: those within the length of a line lie in the lines of the first and
  /// of the last byte.
  void add_probes(std::vector<Probe>& probes, std::vector<Probe>& accesses) const;

  void compare_code(Value& differs);
  void compare_probe(const Probe& probe, const Value& lines, Value& differs);

  /// The value of a number, which must have been worked out if it is a step's.
  const Value& value(std::uint8_t number);
  void work_out(const Step& step, Value& outside);
  Value computed(const Step& step);
  Value rotated(const Value& value, unsigned by);
  Value loaded(const Step& step, Value& outside);
  /// A copy without what lies above the word.
  Value clean(const Value& value);

  const Block& block_;
  const bool wide_;
  const ByteOrder byte_order_;
  const LineSize line_;
  const WritePolicy policy_;
  BlockCode& code_;
  std::array<std::optional<Value>, AddressPlan::kValues> values_;
};

}  // namespace toroid
