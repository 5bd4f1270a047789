// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/alu.h"

#include <algorithm>
#include <cstring>

#include "torus/base/operands.h"

namespace toroid {
namespace {

template <typename Operation>
void bitwise(TreeData& into, const TreeData& from, Operation operation) {
  for (unsigned i = 0; i < kTreePayloadBytes; ++i) {
    into.bytes[i] = static_cast<std::uint8_t>(operation(into.bytes[i], from.bytes[i]));
  }
}

template <typename Operation>
void each_operand(unsigned operand_words, TreeData& into, const TreeData& from, Operation operation) {
  for (unsigned at = 0; at < kTreePayloadBytes; at += 2 * operand_words) {
    operation(&into.bytes[at], &from.bytes[at], std::min(2 * operand_words, kTreePayloadBytes - at));
  }
}

}  // namespace

void tree_combine(TreeOpcode opcode, unsigned operand_words, TreeData& into, const TreeData& from) {
  switch (opcode) {
    case TreeOpcode::none:
      return;
    case TreeOpcode::bit_or:
      bitwise(into, from, [](unsigned a, unsigned b) { return a | b; });
      return;
    case TreeOpcode::bit_and:
      bitwise(into, from, [](unsigned a, unsigned b) { return a & b; });
      return;
    case TreeOpcode::bit_xor:
      bitwise(into, from, [](unsigned a, unsigned b) { return a ^ b; });
      return;
    case TreeOpcode::maximum:
      each_operand(operand_words, into, from, [](std::uint8_t* a, const std::uint8_t* b, unsigned bytes) {
        if (std::memcmp(a, b, bytes) < 0) std::memcpy(a, b, bytes);
      });
      return;
    case TreeOpcode::add:
      each_operand(operand_words, into, from, add_big_endian);
      return;
  }
}

}  // namespace toroid
