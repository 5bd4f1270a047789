// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace toroid {

/// gdb's numbers of the registers of a 32-bit PowerPC with a floating-point unit, in the order in which they are sent.
namespace gdb_register {
inline constexpr unsigned kGeneral = 0, kFloat = 32, kPc = 64, kMsr = 65, kCr = 66, kLr = 67, kCtr = 68, kXer = 69,
                          kFpscr = 70, kCount = 71;
}

/// 4, or 8 for the floating-point registers.
unsigned gdb_register_bytes(unsigned number);

/// target.xml: what gdb is told of them.
std::string target_description();

}  // namespace toroid
