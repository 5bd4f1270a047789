// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/address_plan.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace toroid {
namespace {

template <typename Word>
constexpr unsigned kBits = std::numeric_limits<Word>::digits;

template <typename Word>
Word rotate_left(Word value, unsigned by) {
  return by == 0 ? value : value << by | value >> (kBits<Word> - by);
}

/// `value`, sign-extended from the width of `Narrow`.
template <typename Word, typename Narrow>
Word sign_extended(Word value) {
  return static_cast<Word>(static_cast<std::make_signed_t<Word>>(static_cast<Narrow>(value)));
}

template <typename Word>
Word divided(Word a, Word b, bool is_signed) {
  using Signed = std::make_signed_t<Word>;
  if (b == 0) return 0;
  if (!is_signed) return a / b;
  if (static_cast<Signed>(a) == std::numeric_limits<Signed>::min() && b == ~Word{0}) return 0;
  return static_cast<Word>(static_cast<Signed>(a) / static_cast<Signed>(b));
}

template <typename Word>
Word leading_zeros(Word value) {
  if (value == 0) return kBits<Word>;
  return static_cast<Word>(__builtin_clzll(value)) - (64 - kBits<Word>);
}

}  // namespace

template <typename Word>
Word AddressPlan::compute(const Step& step, Word a, Word b) {
  using Signed = std::make_signed_t<Word>;
  const auto constant = static_cast<Word>(step.constant);
  constexpr Word kOut = kBits<Word>;  // the bit of a shift amount that shifts everything out
  switch (step.operation) {
    case Operation::add:
      return a + b + constant;
    case Operation::subtract:
      return a - b;
    case Operation::bit_and:
      return a & b;
    case Operation::bit_and_not:
      return a & ~b;
    case Operation::bit_or:
      return a | b;
    case Operation::bit_xor:
      return a ^ b;
    case Operation::bit_nor:
      return ~(a | b);
    case Operation::rotate_and_mask:
      return rotate_left(a, step.shift) & constant;
    case Operation::insert:
      return (rotate_left(a, step.shift) & constant) | (b & ~constant);
    case Operation::shift_left:
      return b & kOut ? 0 : a << (b & (kOut - 1));
    case Operation::shift_right:
      return b & kOut ? 0 : a >> (b & (kOut - 1));
    case Operation::shift_right_signed:
      return static_cast<Word>(static_cast<Signed>(a) >> (b & kOut ? kOut - 1 : b & (kOut - 1)));
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return divided(a, b, false);
    case Operation::divide_signed:
      return divided(a, b, true);
    case Operation::sign_extend_byte:
      return sign_extended<Word, std::int8_t>(a);
    case Operation::sign_extend_half:
      return sign_extended<Word, std::int16_t>(a);
    case Operation::sign_extend_word:
      return sign_extended<Word, std::int32_t>(a);
    case Operation::count_zeros:
      return leading_zeros(a);
    default:
      return 0;
  }
}

template <typename Word>
bool AddressPlan::load(const Step& step, Values<Word>& values, const MemoryView& memory) const {
  const Word address = values[step.first] + values[step.second] + static_cast<Word>(step.constant);
  const unsigned size = size_of_load(step.operation);
  Word& result = values[step.result];
  if (!memory.contains(address, size)) {
    result = 0;
    return false;
  }
  result = static_cast<Word>(load_number(memory.host(address), size, byte_order_));
  if (step.operation == Operation::load_half_signed) result = sign_extended<Word, std::int16_t>(result);
  if (step.operation == Operation::load_word_signed) result = sign_extended<Word, std::int32_t>(result);
  return true;
}

template <typename Word>
bool AddressPlan::evaluate(Values<Word>& values, const MemoryView& memory) const {
  bool complete = true;
  values[kZero] = 0;
  for (const Step& step : steps_) {
    if (loads(step.operation)) {
      complete = load(step, values, memory) && complete;
    } else {
      values[step.result] = compute(step, values[step.first], values[step.second]);
    }
  }
  return complete;
}

/// Whether a store of the block, before the step's instruction, may write what it loads.
template <typename Word>
bool AddressPlan::is_overwritten(const Step& step, Word address, const Values<Word>& values,
                                 const std::bitset<kValues>& told) const {
  const unsigned size = size_of_load(step.operation);
  return std::any_of(accesses_.begin(), accesses_.end(), [&](const PlannedAccess& access) {
    if (access.kind != AccessKind::store || access.instruction >= step.instruction) return false;
    if (!told[access.first] || !told[access.second]) return true;
    const Word stored = first_moved(access, values);
    return address - stored < access.moved || stored - address < size;
  });
}

template <typename Word>
void AddressPlan::follow(Values<Word>& values, std::bitset<kValues>& told, const MemoryView& memory) const {
  values[kZero] = 0;
  told.reset();
  for (unsigned i = 0; i <= kZero; ++i) told.set(i);
  for (const Step& step : steps_) {
    bool known = told[step.first] && told[step.second];
    if (!loads(step.operation)) {
      values[step.result] = compute(step, values[step.first], values[step.second]);
    } else if (known) {
      const Word address = values[step.first] + values[step.second] + static_cast<Word>(step.constant);
      known = load(step, values, memory) && !is_overwritten(step, address, values, told);
    }
    told[step.result] = known;
  }
}

template bool AddressPlan::evaluate(Values<std::uint32_t>&, const MemoryView&) const;
template bool AddressPlan::evaluate(Values<std::uint64_t>&, const MemoryView&) const;
template void AddressPlan::follow(Values<std::uint32_t>&, std::bitset<kValues>&, const MemoryView&) const;
template void AddressPlan::follow(Values<std::uint64_t>&, std::bitset<kValues>&, const MemoryView&) const;

}  // namespace toroid
