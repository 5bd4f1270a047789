// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

struct uc_struct;

namespace toroid::unicorn {

/// Where Unicorn's PowerPC keeps the general purpose registers of the CPU at `cpu`, as its software TLB calls it: null
/// where they cannot be found.
///
/// uc_reg_read() costs some 100 ns for the registers a block's accesses need. They lie in an array in the CPU's state,
/// whose place is not part of Unicorn's interface: it is found by writing values that stand nowhere else through the
/// interface, looking for them behind the CPU's address, and making sure with other values. The registers keep theirs.
const std::uint32_t* find_general_registers(uc_struct* uc, const void* cpu);

/// The same for the high half of floating-point register 0; nullptr if it cannot be found. The registers are 16 bytes
/// each.
std::uint64_t* find_float_registers(uc_struct* uc, const void* cpu);

}  // namespace toroid::unicorn
