// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/kernel/system_call.h"

namespace toroid {

/// Why the file of an open descriptor cannot be mapped; 0 if it can. As compute nodes' kernels have it, a mapping is a
/// copy of the file's bytes, so one that would be shared and written is ENODEV.
CallResult refuse_mapping(const Call& call, std::int32_t descriptor, std::uint64_t offset, bool shared_and_written);

/// Reads what the file holds from `offset` on into memory that the process may write: as much as there is, up to `size`
/// bytes. 0 or a negative errno.
CallResult read_mapping(const Call& call, std::int32_t descriptor, std::uint64_t address, std::uint64_t size,
                        std::uint64_t offset);

}  // namespace toroid
