// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/kernel/address_space.h"
#include "hw/kernel/elf_image.h"
#include "hw/kernel/guest_words.h"

namespace toroid {

/// Bytes of a process's memory.
struct Span {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

/// What a library of the program holds back for a descriptor: printed, but not yet written.
struct HeldOutput {
  std::int32_t descriptor = 0;
  Span text;
};

/// Finds it in the buffers of the C library's streams and in those of the C++ library's std::cout and std::cerr (which
/// have buffers of their own after sync_with_stdio(false)), where these libraries keep them. The program may have
/// overwritten anything there: only what can be a buffer is returned, all of it readable and no byte twice. Empty for a
/// program without symbols.
std::vector<HeldOutput> held_output(const ElfImage& image, const AddressSpace& space, WordLayout words);

}  // namespace toroid
