// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/dimensions.h"

namespace toroid {

/// What the collective unit does with the operands of packets of one class.
enum class CollectiveOpcode : std::uint8_t {
  bit_and = 0x0,
  bit_or = 0x1,
  bit_xor = 0x2,
  unsigned_add = 0x4,
  unsigned_min = 0x5,
  unsigned_max = 0x6,
  signed_add = 0x8,
  signed_min = 0x9,
  signed_max = 0xA,
  float_add = 0xC,
  float_min = 0xD,
  float_max = 0xE,
};

enum class CollectiveType : std::uint8_t { broadcast = 0, allreduce = 2, reduce = 3 };

/// The header of a collective packet: 32 bytes, of which the network reads the first 12. Then up to 512 bytes of
/// operands follow.
struct CollectiveHeader {
  static constexpr unsigned kBytes = 32;
  static constexpr std::uint8_t kPacketType = 0x5A;

  CollectiveOpcode opcode = CollectiveOpcode::bit_or;
  unsigned word_exponent = 0;  ///< an operand has 4 * 2^n bytes
  unsigned class_route = 0;
  unsigned virtual_channel = 0;  ///< code of 3 bits
  CollectiveType type = CollectiveType::allreduce;
  Coordinates destination{};  ///< of a reduction

  unsigned operand_bytes() const { return 4u << word_exponent; }

  static CollectiveHeader read(const std::uint8_t* bytes);
  /// Writes bytes 0 to 7; the others belong to the node.
  void write(std::uint8_t* bytes) const;
};

}  // namespace toroid
