// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hw/kernel/address_space.h"
#include "hw/kernel/elf_image.h"
#include "hw/memory/byte_order.h"

namespace toroid {

// What the libraries of a program say of themselves (struct toroid_library). Empty texts if they say nothing.

/// "A1_Put() is called before A1_Initialize() or after A1_Finalize()": of `functions`, innermost first, the outermost
/// that belongs to a library which is not ready for calls. Where only functions inside the library are known, whose
/// names begin with the same in lower case: "A1 is called before ...".
std::string misuse_of(const ElfImage& image, const AddressSpace& space, ByteOrder order,
                      const std::vector<std::string>& functions);

/// What they wait for: "a barrier of all processes, operation 3; and 2 more".
std::string waits_of(const ElfImage& image, const AddressSpace& space, ByteOrder order);

}  // namespace toroid
