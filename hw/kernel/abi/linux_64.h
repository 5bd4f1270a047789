// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/kernel/abi/abi.h"

namespace toroid {

/// What Linux's ABIs of 64 bits have in common.
namespace linux_64 {

CallResult pread64(const Call& call);
CallResult pwrite64(const Call& call);

/// struct stat, which 64-bit PowerPC and x86-64 lay out alike.
inline constexpr unsigned kStatusBytes = 144;
void store_status(std::uint8_t* to, const FileStatus& status, ByteOrder order);

}  // namespace linux_64

}  // namespace toroid
