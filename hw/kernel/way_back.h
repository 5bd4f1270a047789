// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/kernel/abi/abi.h"
#include "hw/kernel/elf_image.h"
#include "hw/kernel/guest_words.h"

namespace toroid {

// Where signals' handlers return to if the program names no function for that: an address in its data, which nothing
// executes, so that the kernel sees it. Compilers' unwinders know what lies there by rules that the loader adds to the
// program, as Linux does with a library of its own.

/// 0 if the program has no data.
std::uint64_t way_back(const ElfImage& image);

/// Puts the rules behind the program's code, and a header that tells of them in the place of the notes' header, which
/// nobody needs who has the program in memory. Leaves alone programs that have such a header, or no room.
void add_way_back(ElfImage& image, const SignalFrame& frame, const WordLayout& words);

}  // namespace toroid
