// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/core.h"
#include "hw/kernel/address_space.h"
#include "hw/kernel/symboliser.h"

namespace toroid {

// The functions that led to where a core stands, innermost first: by the program's call frames where the instruction
// set has such (Isa::frame_registers()), else by the back chain of its stack. `space` is what its process may read, or
// nullptr if it has not begun.

/// All of them, with the addresses of those without names: "raise, abort, main (crash.c:4)".
std::string callers_of(Core& core, const AddressSpace* space, Symboliser& symbols);
/// The names of those that led to `pc`, with that of the one that it lies in; not what led to main().
std::vector<std::string> names_leading_to(std::uint64_t pc, Core& core, const AddressSpace* space, Symboliser& symbols);
/// Those that led to `pc`, without the function that it lies in and without what led to main(). Empty if they are not
/// known.
std::string functions_leading_to(std::uint64_t pc, Core& core, const AddressSpace* space, Symboliser& symbols);

}  // namespace toroid
