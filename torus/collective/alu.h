// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/collective/header.h"

namespace toroid {

/// What a combination finds wrong with data; none of it stops a packet.
enum CollectiveError : std::uint32_t {
  kIntegerOverflow = 1,   ///< a sum is not the modulo-free one
  kNanGenerated = 2,      ///< from operands of which none was a NaN
  kOperandsMismatch = 4,  ///< opcode that there is not, headers that differ, or data that is no whole operands
  kFloatLengthError = 8,  ///< floating point of another length than 8 bytes
};

/// Combines `bytes` bytes of `from` into `into`, operand by operand; returns CollectiveError bits.
///
/// Operands are big-endian, sums modulo their size. Floating point is in doubles, rounded to nearest; where an operand
/// of a minimum or maximum is a NaN, so is the result. Of data that is no whole number of operands, the rest stays as
/// it is in `into`.
std::uint32_t collective_combine(CollectiveOpcode opcode, unsigned operand_bytes, std::uint8_t* into,
                                 const std::uint8_t* from, unsigned bytes);

/// What floating-point opcodes do to the data of a broadcast: signalling NaNs become quiet.
void quieten_nans(std::uint8_t* data, unsigned bytes);

}  // namespace toroid
