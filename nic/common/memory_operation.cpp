// SPDX-License-Identifier: Apache-2.0
#include "nic/common/memory_operation.h"

#include <algorithm>

namespace toroid {
namespace {

/// Orders numbers of a sign and an amount as floating-point numbers are.
bool is_less(std::uint64_t a, std::uint64_t b, std::uint64_t sign) {
  if (((a ^ b) & sign) != 0) return (a & sign) != 0;
  return (a & sign) != 0 ? a > b : a < b;
}

}  // namespace

MemoryEffect perform(const MemoryOperation& operation, std::uint64_t word, std::uint64_t other) {
  using Kind = MemoryOperation::Kind;
  const std::uint64_t mask = operation.bytes == 8 ? ~std::uint64_t{0} : 0xFFFFFFFF;
  const std::uint64_t sign = (mask >> 1) + 1;
  const std::uint64_t operand = operation.operand & mask;
  const auto stored = [&](std::uint64_t value) { return MemoryEffect{word, value & mask, other, true}; };
  const auto failed = [&] { return MemoryEffect{sign, word, other, false}; };
  switch (operation.kind) {
    case Kind::load:
      return {word, word, other, false};
    case Kind::add:
      return stored(word + operand);
    case Kind::bit_and:
      return stored(word & operand);
    case Kind::bit_or:
      return stored(word | operand);
    case Kind::bit_xor:
      return stored(word ^ operand);
    case Kind::exchange:
      return stored(operand);
    case Kind::compare_exchange:
      return stored(word == operation.compare ? operand : word);
    case Kind::max_unsigned:
      return stored(std::max(word, operand));
    case Kind::max_signed:
      return stored(is_less(word, operand, sign) ? operand : word);
    case Kind::increment_bounded:
      return word == other ? failed() : stored(word + 1);
    case Kind::decrement_bounded:
      return word == other ? failed() : stored(word - 1);
    case Kind::increment_if_equal:
      return word == other ? stored(word + 1) : failed();
    case Kind::store_twin:
      return word == other ? MemoryEffect{word, operand, operand, true} : MemoryEffect{word, word, other, false};
  }
  return {word, word, other, false};
}

bool is_aligned(const MemoryOperation& operation, std::uint64_t address) {
  if (address % operation.bytes != 0) return false;
  const int other = operation.other();
  if (other > 0) return address % kPairBytes + 2 * operation.bytes <= kPairBytes;
  return other == 0 || address % kPairBytes >= operation.bytes;
}

}  // namespace toroid
