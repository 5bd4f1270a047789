// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace toroid {

// What emulated processes need of the host's memory. Each core that runs has an engine of its own, which translates the
// program for itself: about 4 MiB, measured with small programs.

/// Bytes that the host has or would give up.
std::uint64_t available_host_memory();

/// Throws ConfigurationError where `available` bytes cannot hold the cores that so many processes begin on.
void require_host_memory(std::uint32_t processes, std::uint64_t available);

/// What to warn of where that will do, and would not if every process started its second core; without a second core
/// (`processes_per_node` above 1) nothing.
std::optional<std::string> host_memory_warning(std::uint32_t processes, unsigned processes_per_node,
                                               std::uint64_t available);

}  // namespace toroid
