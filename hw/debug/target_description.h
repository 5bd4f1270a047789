// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace toroid {

/// gdb's numbers of the registers of a 32-bit PowerPC with floating-point and vector units, in the order in which they
/// are sent.
namespace gdb_register {
inline constexpr unsigned kGeneral = 0, kFloat = 32, kPc = 64, kMsr = 65, kCr = 66, kLr = 67, kCtr = 68, kXer = 69,
                          kFpscr = 70, kVector = 71, kVscr = 103, kVrsave = 104, kCount = 105;
inline constexpr bool is_vector(unsigned number) {
  return number >= kVector && number < kVector + 32;
}
/// Not known: gdb wants them beside vector registers.
inline constexpr bool is_unavailable(unsigned number) {
  return number == kVscr || number == kVrsave;
}
}  // namespace gdb_register

/// 4, 8 for the floating-point registers, or 16 for the vector registers.
unsigned gdb_register_bytes(unsigned number);

/// target.xml: what gdb is told of them.
std::string target_description();

}  // namespace toroid
