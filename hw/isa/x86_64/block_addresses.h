// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hw/isa/address_plan.h"
#include "hw/isa/x86_64/instruction.h"

namespace toroid::x86_64 {

/// The plan of a block's accesses.
AddressPlan addresses_of(const std::vector<Instruction>& block);

}  // namespace toroid::x86_64
