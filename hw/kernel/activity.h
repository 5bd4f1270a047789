// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw/kernel/address_space.h"
#include "hw/kernel/elf_image.h"
#include "hw/memory/byte_order.h"

namespace toroid {

/// What a program says it waits for (struct toroid_activity); empty if it says nothing.
std::string activity_of(const ElfImage& image, const AddressSpace& space, ByteOrder order);

}  // namespace toroid
