// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/tree/packet.h"

namespace toroid {

/// Combines `from` into `into` as the tree's ALU does.
///
/// The payload is an array of unsigned big-endian operands of `operand_words` 16-bit words (1 to 128), the first one at
/// the first byte. If 128 is not a multiple of `operand_words`, the remaining words are one shorter operand. Sums are
/// taken modulo the operand's size. OR, AND and XOR do not depend on the operand's size.
void tree_combine(TreeOpcode opcode, unsigned operand_words, TreeData& into, const TreeData& from);

}  // namespace toroid
