// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hw/kernel/system_call.h"

namespace toroid {

class SharedMemory;

/// That of the process's node; nullptr if it has none.
SharedMemory* shared_memory_of(Process& process);

// What calls do if a path or a descriptor is that of an object in it. nullopt: the path is not.
std::optional<CallResult> open_shared(const Call& call, const std::string& path, std::uint32_t flags);
CallResult control_shared(const Call& call, std::uint32_t request);
std::optional<CallResult> unlink_shared(const Call& call, const std::string& path);
CallResult resize_shared(const Call& call, std::uint32_t object, std::int64_t size);
std::uint64_t size_of_shared(const Call& call, std::uint32_t object);
CallResult map_shared(const Call& call, std::uint32_t object, std::uint64_t size, std::uint64_t offset,
                      unsigned permissions);

}  // namespace toroid
