// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace toroid {

// What an emulated machine needs of the host's memory, as measured with small programs. The program's own data needs
// additional memory, which is not known in advance.

/// An estimate for one machine.
struct HostMemory {
  std::string machine;             ///< as people call it: "512 nodes"
  std::uint64_t bytes = 0;         ///< with the cores on which processes begin
  std::uint64_t second_cores = 0;  ///< more, if every process starts its second core
};

/// `cores_per_process` above 1: processes may start further cores. No processes at all: the network alone.
/// `own_engines`: single instructions of all cores are observed, so each core's engine translates for itself.
HostMemory estimate_host_memory(std::uint64_t nodes, std::uint64_t processes, unsigned cores_per_process,
                                bool own_engines = false);

/// Bytes that the host has or would give up, and that control groups let us have. `root`: the host's, but in tests.
std::uint64_t available_host_memory(const std::filesystem::path& root = "/");

/// Throws ConfigurationError where `available` bytes do not hold the machine.
void require_host_memory(const HostMemory& needed, std::uint64_t available);

/// What to say of a machine that needs much, or might need more than there is: "512 nodes: about 2.4 GB of host
/// memory".
std::optional<std::string> host_memory_remark(const HostMemory& needed, std::uint64_t available);

}  // namespace toroid
