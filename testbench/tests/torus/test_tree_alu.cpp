// SPDX-License-Identifier: Apache-2.0
// The ALU against plain arithmetic: every opcode, every operand size.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "torus/base/random.h"
#include "torus/tree/alu.h"

namespace toroid {
namespace {

using Operand = std::vector<std::uint16_t>;  // most significant word first

TreeData random_data(std::uint64_t& seed) {
  TreeData data;
  data.users = 1;
  for (std::uint8_t& byte : data.bytes) {
    // Long runs of 0xFF and 0x00 carry far and compare equal for long.
    const std::uint32_t kind = next_random(seed, 4);
    byte = kind == 0 ? std::uint8_t{0xFF} : kind == 1 ? std::uint8_t{0} : static_cast<std::uint8_t>(next_random(seed));
  }
  return data;
}

Operand words_of(const TreeData& data, unsigned first, unsigned count) {
  Operand words;
  for (unsigned i = first; i < first + count; ++i) {
    words.push_back(static_cast<std::uint16_t>(data.bytes[2 * i] << 8 | data.bytes[2 * i + 1]));
  }
  return words;
}

/// Schoolbook, word by word from the right.
Operand sum(const Operand& a, const Operand& b) {
  Operand result(a.size());
  std::uint32_t carry = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const std::uint32_t total = std::uint32_t{a[i]} + b[i] + carry;
    result[i] = static_cast<std::uint16_t>(total);
    carry = total >> 16;
  }
  return result;
}

Operand expected(TreeOpcode opcode, const Operand& a, const Operand& b) {
  if (opcode == TreeOpcode::add) return sum(a, b);
  if (opcode == TreeOpcode::maximum) return std::max(a, b);  // lexicographic, which is numeric for equal lengths
  Operand result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    result[i] = opcode == TreeOpcode::bit_or ? a[i] | b[i] : opcode == TreeOpcode::bit_and ? a[i] & b[i] : a[i] ^ b[i];
  }
  return result;
}

TEST(TreeAlu, AgreesWithPlainArithmeticForEveryOpcodeAndSize) {
  std::uint64_t seed = 1;
  for (const TreeOpcode opcode :
       {TreeOpcode::bit_or, TreeOpcode::bit_and, TreeOpcode::bit_xor, TreeOpcode::maximum, TreeOpcode::add}) {
    for (unsigned words = 1; words <= kTreePayloadWords; ++words) {
      for (unsigned repeat = 0; repeat < 8; ++repeat) {
        const TreeData a = random_data(seed);
        TreeData b = random_data(seed);
        if (repeat == 0) b = a;
        TreeData result = a;
        tree_combine(opcode, words, result, b);
        for (unsigned at = 0; at < kTreePayloadWords; at += words) {
          const unsigned count = std::min(words, kTreePayloadWords - at);
          ASSERT_EQ(words_of(result, at, count), expected(opcode, words_of(a, at, count), words_of(b, at, count)))
              << "opcode " << static_cast<unsigned>(opcode) << ", " << words << " words, operand at word " << at;
        }
      }
    }
  }
}

TEST(TreeAlu, CarriesThroughAWholePacket) {
  TreeData a;
  TreeData b;
  a.bytes.fill(0xFF);
  b.bytes.fill(0);
  b.bytes.back() = 1;
  tree_combine(TreeOpcode::add, kTreePayloadWords, a, b);
  for (const std::uint8_t byte : a.bytes) EXPECT_EQ(byte, 0);
}

}  // namespace
}  // namespace toroid
