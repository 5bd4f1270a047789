// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/isa/isa.h"
#include "hw/isa/line_size.h"
#include "hw/kernel/address_space.h"
#include "hw/kernel/elf_image.h"
#include "hw/kernel/kernel_config.h"
#include "hw/kernel/random_stream.h"

namespace toroid {

/// Writes what a program finds on its stack when it begins, as Linux lays it out: strings at the top, then below them
/// argc, argv, 0, environment, 0, auxiliary vector, all in words of the instruction set's size and byte order. Returns
/// the stack pointer, or 0 if it does not fit. `code_line`: of the caches that hold the program's code.
std::uint64_t build_initial_stack(AddressSpace& space, const ElfImage& image, const Isa& isa, LineSize code_line,
                                  const KernelConfig& config, RandomStream& random_words);

}  // namespace toroid
