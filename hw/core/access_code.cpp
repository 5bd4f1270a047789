// SPDX-License-Identifier: Apache-2.0
#include "hw/core/access_code.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "hw/core/block_ledger.h"
#include "hw/core/code_lines.h"
#include "hw/core/line_filter.h"

namespace toroid {

using Operation = BlockCode::Operation;
using Arithmetic = AddressPlan::Operation;

bool AccessCode::can_tell() const {
  const AddressPlan& plan = block_.plan;
  return plan.unresolved() == 0 &&
         std::none_of(block_.lines.begin(), block_.lines.end(),
                      [](const CodeLine& line) { return line.number >= CodeLines::kLines; }) &&
         std::none_of(plan.accesses().begin(), plan.accesses().end(),
                      [](const PlannedAccess& access) { return is_cache_instruction(access.kind); }) &&
         std::none_of(plan.steps().begin(), plan.steps().end(), [](const Step& step) {
           return step.operation == Arithmetic::divide || step.operation == Arithmetic::divide_signed ||
                  step.operation == Arithmetic::count_zeros;
         });
}

void AccessCode::compare(Value& differs) {
  compare_code(differs);
  Value lines_differ = code_.constant(0);
  if (const std::vector<Probe> all = probes(); !all.empty()) {
    Value outside = code_.constant(0);
    for (const Step& step : block_.plan.steps()) work_out(step, outside);
    const Value lines = code_.load_ledger(offsetof(BlockLedger, data_lines));
    for (const Probe& probe : all) compare_probe(probe, lines, lines_differ);
    differs.apply(Operation::bit_or, outside);
  }
  if (!wide_) lines_differ.apply(Operation::bit_and, 0xFFFF'FFFF);
  differs.apply(Operation::bit_or, lines_differ);
}

// Lines. --------------------------------------------------------------------------------------------------------------

void AccessCode::compare_code(Value& differs) {
  const Value lines = code_.load_ledger(offsetof(BlockLedger, code_lines));
  Value known = code_.constant(1);
  for (const CodeLine& line : block_.lines) known.apply(Operation::bit_and, code_.load(lines, line.number, 8));
  known.apply(Operation::bit_xor, 1);
  differs.apply(Operation::bit_or, known);
}

std::vector<AccessCode::Probe> AccessCode::probes() const {
  using Values = std::tuple<std::uint8_t, std::uint8_t, AccessKind>;
  std::map<Values, std::vector<Probe>> accesses;
  for (const PlannedAccess& access : block_.plan.accesses()) {
    if (policy_.passes(access.kind)) continue;
    const auto offset = static_cast<std::int64_t>(access.offset);
    accesses[{access.first, access.second, access.kind}].push_back(
        {access.first, access.second, wide_ ? offset : static_cast<std::int32_t>(offset), access.bytes, access.expects,
         policy_.accepts(access)});
  }
  std::vector<Probe> probes;
  for (auto& [values, each] : accesses) add_probes(probes, each);
  return probes;
}

void AccessCode::add_probes(std::vector<Probe>& probes, std::vector<Probe>& accesses) const {
  std::sort(accesses.begin(), accesses.end(),
            [](const Probe& a, const Probe& b) { return std::tie(a.offset, a.bytes) < std::tie(b.offset, b.bytes); });
  for (auto first = accesses.begin(); first != accesses.end();) {
    std::int64_t end = first->offset + first->bytes;
    auto behind = first + 1;
    while (behind != accesses.end() && std::max(end, behind->offset + behind->bytes) - first->offset <= line_.bytes()) {
      end = std::max(end, behind->offset + behind->bytes);
      ++behind;
    }
    if (behind - first <= 2) {
      probes.insert(probes.end(), first, behind);
    } else {
      Probe edge = *first;
      edge.bytes = 1;
      probes.push_back(edge);
      edge.offset = end - 1;
      probes.push_back(edge);
    }
    first = behind;
  }
}

/// As LineFilter::matches().
void AccessCode::compare_probe(const Probe& probe, const Value& lines, Value& differs) {
  static_assert(LineSize::kLeast >= sizeof(std::uint64_t));
  Value address = code_.copy(value(probe.first));
  if (probe.second != AddressPlan::kZero) address.apply(Operation::add, value(probe.second));
  if (probe.offset != 0) address.apply(Operation::add, static_cast<std::uint64_t>(probe.offset));
  Value place = code_.copy(address);
  place.apply(Operation::shift_right, line_.shift() - (wide_ ? 3 : 2));
  place.apply(Operation::bit_and, (LineFilter::kEntries - 1) * (wide_ ? 8 : 4));
  place.apply(Operation::add, lines);
  Value entry = code_.load(place, 0, wide_ ? 64 : 32);
  if (probe.accepts != 0) entry.apply(Operation::bit_or, probe.accepts);
  if (probe.bytes > 1) address.apply(Operation::add, static_cast<std::uint64_t>(probe.bytes - 1));
  address.apply(Operation::bit_or, line_.bytes() - 1);
  if (probe.expects != PlannedAccess::kAllState)
    address.apply(Operation::bit_xor, PlannedAccess::kAllState ^ probe.expects);
  entry.apply(Operation::bit_xor, address);
  differs.apply(Operation::bit_or, entry);
}

// Addresses. ----------------------------------------------------------------------------------------------------------

const AccessCode::Value& AccessCode::value(std::uint8_t number) {
  std::optional<Value>& known = values_[number];
  if (!known) known.emplace(number == AddressPlan::kZero ? code_.constant(0) : code_.general_register(number));
  return *known;
}

AccessCode::Value AccessCode::clean(const Value& value) {
  Value copy = code_.copy(value);
  if (!wide_) copy.apply(Operation::bit_and, 0xFFFF'FFFF);
  return copy;
}

void AccessCode::work_out(const Step& step, Value& outside) {
  values_[step.result].emplace(AddressPlan::loads(step.operation) ? loaded(step, outside) : computed(step));
}

AccessCode::Value AccessCode::rotated(const Value& value, unsigned by) {
  Value high = clean(value);
  if (by == 0) return high;
  Value low = code_.copy(high);
  high.apply(Operation::shift_left, by);
  low.apply(Operation::shift_right, (wide_ ? 64 : 32) - by);
  high.apply(Operation::bit_or, low);
  return high;
}

/// As AddressPlan::compute(). What lies above a narrow word does not matter, here and where the value is used.
AccessCode::Value AccessCode::computed(const Step& step) {
  const Value& a = value(step.first);
  const Value& b = value(step.second);
  const auto binary = [&](Operation operation) {
    Value result = code_.copy(a);
    result.apply(operation, b);
    return result;
  };
  // Amounts of a shift have one bit more than the word's digits need: with it, all is shifted out.
  const auto shifted = [&](Operation operation, Value from) {
    Value amount = code_.copy(b);
    amount.apply(Operation::bit_and, 63);
    Value result = code_.copy(from);
    result.apply(operation, amount);
    if (!wide_) return result;
    Value left = operation == Operation::shift_right_signed ? code_.copy(from) : code_.constant(0);
    if (operation == Operation::shift_right_signed) left.apply(operation, 63);
    Value all = code_.copy(b);
    all.apply(Operation::bit_and, 64);
    left.move_if_zero(all, result);
    return left;
  };
  switch (step.operation) {
    case Arithmetic::add: {
      Value sum = binary(Operation::add);
      if (step.constant != 0) sum.apply(Operation::add, step.constant);
      return sum;
    }
    case Arithmetic::subtract:
      return binary(Operation::subtract);
    case Arithmetic::bit_and:
      return binary(Operation::bit_and);
    case Arithmetic::bit_and_not:
      return binary(Operation::bit_and_not);
    case Arithmetic::bit_or:
      return binary(Operation::bit_or);
    case Arithmetic::bit_xor:
      return binary(Operation::bit_xor);
    case Arithmetic::bit_nor:
      return binary(Operation::bit_nor);
    case Arithmetic::multiply:
      return binary(Operation::multiply);
    case Arithmetic::rotate_and_mask: {
      Value result = rotated(a, step.shift);
      result.apply(Operation::bit_and, step.constant);
      return result;
    }
    case Arithmetic::insert: {
      Value result = rotated(a, step.shift);
      Value kept = code_.copy(b);
      result.apply(Operation::bit_and, step.constant);
      kept.apply(Operation::bit_and, ~step.constant);
      result.apply(Operation::bit_or, kept);
      return result;
    }
    case Arithmetic::shift_left:
      return shifted(Operation::shift_left, code_.copy(a));
    case Arithmetic::shift_right:
      return shifted(Operation::shift_right, clean(a));
    case Arithmetic::shift_right_signed: {
      Value from = code_.copy(a);
      if (!wide_) from.apply(Operation::sign_32);
      return shifted(Operation::shift_right_signed, std::move(from));
    }
    case Arithmetic::sign_extend_byte: {
      Value result = code_.copy(a);
      result.apply(Operation::sign_8);
      return result;
    }
    case Arithmetic::sign_extend_word: {
      Value result = code_.copy(a);
      result.apply(Operation::sign_32);
      return result;
    }
    default: {  // sign_extend_half; can_tell() excludes what is left
      Value result = code_.copy(a);
      result.apply(Operation::sign_16);
      return result;
    }
  }
}

/// As AddressPlan::load(). A load outside of memory reads the memory's beginning instead, and `outside` is no longer 0.
AccessCode::Value AccessCode::loaded(const Step& step, Value& outside) {
  const unsigned size = AddressPlan::size_of_load(step.operation);
  Value sum = code_.copy(value(step.first));
  sum.apply(Operation::add, value(step.second));
  if (step.constant != 0) sum.apply(Operation::add, step.constant);
  Value offset = clean(sum);
  offset.apply(Operation::subtract, code_.load_ledger(offsetof(BlockLedger, memory_base)));
  Value inside = code_.copy(offset);
  {
    const Value memory_size = code_.load_ledger(offsetof(BlockLedger, memory_size));
    inside.apply(Operation::below, memory_size);
    if (size > 1) {
      Value last = code_.copy(offset);
      last.apply(Operation::add, size - 1);
      last.apply(Operation::below, memory_size);
      inside.apply(Operation::bit_and, last);
    }
  }
  offset.move_if_zero(inside, 0);
  inside.apply(Operation::bit_xor, 1);
  outside.apply(Operation::bit_or, inside);
  offset.apply(Operation::add, code_.load_ledger(offsetof(BlockLedger, memory)));
  Value result = code_.load(offset, 0, 8 * size);
  constexpr ByteOrder kHost = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ByteOrder::little : ByteOrder::big;
  const bool swapped = byte_order_ != kHost;
  if (size == 8 && swapped) {
    Value high = code_.copy(result);
    high.apply(Operation::bit_and, 0xFFFF'FFFF);
    high.apply(Operation::swap_32);
    high.apply(Operation::shift_left, 32);
    result.apply(Operation::shift_right, 32);
    result.apply(Operation::swap_32);
    result.apply(Operation::bit_or, high);
  }
  if (size == 4 && swapped) result.apply(Operation::swap_32);
  if (size == 2 && swapped) result.apply(Operation::swap_16);
  if (step.operation == Arithmetic::load_half_signed) result.apply(Operation::sign_16);
  if (step.operation == Arithmetic::load_word_signed) result.apply(Operation::sign_32);
  return result;
}

}  // namespace toroid
