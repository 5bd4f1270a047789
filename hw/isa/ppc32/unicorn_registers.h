// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

struct uc_struct;

namespace toroid::ppc32 {

/// Where Unicorn's PowerPC keeps the general purpose registers of the CPU at `cpu`, as its software TLB calls it: null
/// where they cannot be found.
///
/// uc_reg_read() costs some 100 ns for the registers a block's accesses need. They lie in an array in the CPU's state,
/// whose place is not part of Unicorn's interface: it is found by writing values that stand nowhere else through the
/// interface, looking for them behind the CPU's address, and making sure with other values. The registers keep theirs.
const std::uint32_t* find_general_registers(uc_struct* uc, const void* cpu);

/// The same for the vector registers, which Unicorn gives no access to at all: the high half of register 0, or nullptr.
/// They follow the floating-point registers in an array of 16-byte registers, of each of which those are the high half;
/// so the floating-point registers are looked for. The halves are numbers of the host.
std::uint64_t* find_vector_registers(uc_struct* uc, const void* cpu);

/// From the high half of one vector register to its low half, and to the next register's high half.
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
inline constexpr int kVectorLowHalf = 1;
#else
inline constexpr int kVectorLowHalf = -1;
#endif
inline constexpr int kVectorStride = 2;

}  // namespace toroid::ppc32
