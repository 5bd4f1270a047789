// SPDX-License-Identifier: Apache-2.0
#include "torus/collective/alu.h"

#include <cmath>
#include <cstring>

#include "torus/base/operands.h"

namespace toroid {
namespace {

constexpr unsigned kDouble = 8;
constexpr std::uint8_t kSign = 0x80;

double read_double(const std::uint8_t* bytes) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < kDouble; ++i) bits = bits << 8 | bytes[i];
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void write_double(std::uint8_t* bytes, double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  for (unsigned i = 0; i < kDouble; ++i) bytes[i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
}

template <typename Operation>
std::uint32_t bitwise(std::uint8_t* into, const std::uint8_t* from, unsigned bytes, Operation operation) {
  for (unsigned i = 0; i < bytes; ++i) into[i] = static_cast<std::uint8_t>(operation(into[i], from[i]));
  return 0;
}

template <typename Operation>
std::uint32_t each_operand(unsigned size, std::uint8_t* into, const std::uint8_t* from, unsigned bytes,
                           Operation operation) {
  std::uint32_t errors = bytes % size != 0 ? std::uint32_t{kOperandsMismatch} : 0;
  for (unsigned at = 0; at + size <= bytes; at += size) errors |= operation(into + at, from + at, size);
  return errors;
}

std::uint32_t add_unsigned(std::uint8_t* into, const std::uint8_t* from, unsigned bytes) {
  return add_big_endian(into, from, bytes) != 0 ? std::uint32_t{kIntegerOverflow} : 0;
}

std::uint32_t add_signed(std::uint8_t* into, const std::uint8_t* from, unsigned bytes) {
  const unsigned before = into[0] & kSign;
  const bool alike = before == (from[0] & kSign);
  add_big_endian(into, from, bytes);
  return alike && (into[0] & kSign) != before ? std::uint32_t{kIntegerOverflow} : 0;
}

/// Below 0 where a < b. A flipped sign bit orders signed numbers as unsigned ones.
int compare(const std::uint8_t* a, const std::uint8_t* b, unsigned bytes, std::uint8_t flip) {
  const int first = (a[0] ^ flip) - (b[0] ^ flip);
  return first != 0 ? first : std::memcmp(a, b, bytes);
}

/// `wanted`: 1 for the maximum, -1 for the minimum.
auto extreme(int wanted, std::uint8_t flip) {
  return [wanted, flip](std::uint8_t* into, const std::uint8_t* from, unsigned bytes) {
    if (compare(from, into, bytes, flip) * wanted > 0) std::memcpy(into, from, bytes);
    return std::uint32_t{0};
  };
}

template <typename Operation>
std::uint32_t on_doubles(unsigned size, std::uint8_t* into, const std::uint8_t* from, unsigned bytes,
                         Operation operation) {
  const std::uint32_t errors = size != kDouble ? std::uint32_t{kFloatLengthError} : 0;
  return errors | each_operand(kDouble, into, from, bytes,
                               [&](std::uint8_t* a, const std::uint8_t* b, unsigned) -> std::uint32_t {
                                 const double left = read_double(a);
                                 const double right = read_double(b);
                                 const double result = operation(left, right);
                                 write_double(a, result);
                                 const bool made = std::isnan(result) && !std::isnan(left) && !std::isnan(right);
                                 return made ? std::uint32_t{kNanGenerated} : 0;
                               });
}

}  // namespace

std::uint32_t collective_combine(CollectiveOpcode opcode, unsigned size, std::uint8_t* into, const std::uint8_t* from,
                                 unsigned bytes) {
  switch (opcode) {
    case CollectiveOpcode::bit_and:
      return bitwise(into, from, bytes, [](unsigned a, unsigned b) { return a & b; });
    case CollectiveOpcode::bit_or:
      return bitwise(into, from, bytes, [](unsigned a, unsigned b) { return a | b; });
    case CollectiveOpcode::bit_xor:
      return bitwise(into, from, bytes, [](unsigned a, unsigned b) { return a ^ b; });
    case CollectiveOpcode::unsigned_add:
      return each_operand(size, into, from, bytes, add_unsigned);
    case CollectiveOpcode::unsigned_min:
      return each_operand(size, into, from, bytes, extreme(-1, 0));
    case CollectiveOpcode::unsigned_max:
      return each_operand(size, into, from, bytes, extreme(1, 0));
    case CollectiveOpcode::signed_add:
      return each_operand(size, into, from, bytes, add_signed);
    case CollectiveOpcode::signed_min:
      return each_operand(size, into, from, bytes, extreme(-1, kSign));
    case CollectiveOpcode::signed_max:
      return each_operand(size, into, from, bytes, extreme(1, kSign));
    case CollectiveOpcode::float_add:
      return on_doubles(size, into, from, bytes, [](double a, double b) { return a + b; });
    case CollectiveOpcode::float_min:
      return on_doubles(size, into, from, bytes, [](double a, double b) { return std::isnan(a) || a < b ? a : b; });
    case CollectiveOpcode::float_max:
      return on_doubles(size, into, from, bytes, [](double a, double b) { return std::isnan(a) || a > b ? a : b; });
  }
  return kOperandsMismatch;
}

void quieten_nans(std::uint8_t* data, unsigned bytes) {
  constexpr unsigned kQuiet = 1;  // byte of the bit
  for (unsigned at = 0; at + kDouble <= bytes; at += kDouble) {
    if (std::isnan(read_double(data + at))) data[at + kQuiet] |= 0x08;
  }
}

}  // namespace toroid
