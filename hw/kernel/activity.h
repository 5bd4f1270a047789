// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/kernel/address_space.h"
#include "hw/kernel/elf_image.h"
#include "hw/memory/byte_order.h"

namespace toroid {

inline constexpr std::size_t kLongestActivity = 200;  ///< characters of a text

/// `format` with %u, %d, %x and %s (the address of a text) standing for `values` in turn.
std::string filled_in(const std::string& format, const AddressSpace& space, const std::vector<std::uint32_t>& values);

/// What a program says it waits for (struct toroid_activity); empty if it says nothing.
std::string activity_of(const ElfImage& image, const AddressSpace& space, ByteOrder order);

}  // namespace toroid
