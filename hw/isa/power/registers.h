// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/isa/power/width.h"
#include "hw/isa/register_set.h"

namespace toroid::power {

// Registers by name, in gdb's order.
inline constexpr unsigned kGeneralRegisters = 32;
inline constexpr Register gpr(unsigned number) {
  return static_cast<Register>(number);
}
inline constexpr Register fpr(unsigned number) {
  return static_cast<Register>(32 + number);
}
inline constexpr Register kPc{64}, kMsr{65}, kCr{66}, kLr{67}, kCtr{68}, kXer{69}, kFpscr{70};
/// Of 32 bits.
inline constexpr Register vr(unsigned number) {
  return static_cast<Register>(71 + number);
}
inline constexpr bool is_general(Register which) {
  return which < fpr(0);
}
inline constexpr bool is_float(Register which) {
  return which >= fpr(0) && which < kPc;
}
inline constexpr unsigned vector_number(Register which) {
  return static_cast<unsigned>(which) - static_cast<unsigned>(vr(0));
}

/// Of 64 bits: a register of the A2's quad processing extension without its first element, which is the floating-point
/// register of the same number.
inline constexpr unsigned kQuadRegisters = 32;
inline constexpr Register quad(unsigned number) {
  return static_cast<Register>(71 + number);
}
inline constexpr unsigned quad_number(Register which) {
  return static_cast<unsigned>(which) - static_cast<unsigned>(quad(0));
}
inline constexpr bool is_quad(Register which) {
  return which >= quad(0) && which < quad(kQuadRegisters);
}

/// Behind the general purpose registers in a RegisterSnapshot.
enum SnapshotPlace : unsigned { kSnapshotLr = kGeneralRegisters, kSnapshotCtr, kSnapshotCr, kSnapshotXer };

const RegisterSet& registers(Width width);

}  // namespace toroid::power
