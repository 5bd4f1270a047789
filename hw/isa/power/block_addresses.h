// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/isa/address_plan.h"
#include "hw/isa/power/instruction.h"

namespace toroid::power {

/// Where the accesses of a block go. `link`: the link register at its entry, where the code alone tells it:
/// position-independent code reads its own address from it.
AddressPlan addresses_of(const std::vector<Instruction>& block, Width width,
                         std::optional<std::uint64_t> link = std::nullopt);

}  // namespace toroid::power
