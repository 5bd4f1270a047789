// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/host_memory.h"

#include <unistd.h>

#include <fstream>

#include "hw/machine/parameters.h"

namespace toroid {

namespace {

constexpr std::uint64_t kCoreBytes = 4u << 20;

std::string mebibytes(std::uint64_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

}  // namespace

std::uint64_t available_host_memory() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_AVPHYS_PAGES));
  std::uint64_t available = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::ifstream meminfo("/proc/meminfo");  // counts what the host would give up, as the number of free pages does not
  std::string key;
  std::uint64_t kibibytes = 0;
  for (std::string unit; meminfo >> key >> kibibytes && std::getline(meminfo, unit);) {
    if (key == "MemAvailable:") available = kibibytes << 10;
  }
  return available;
}

void require_host_memory(std::uint32_t processes, std::uint64_t available) {
  const std::uint64_t needed = processes * kCoreBytes;
  if (needed <= available) return;
  throw ConfigurationError(std::to_string(processes) + " processes need about " + mebibytes(needed) +
                           " of host memory; " + mebibytes(available) +
                           " are available: run fewer ranks or a smaller shape");
}

std::optional<std::string> host_memory_warning(std::uint32_t processes, unsigned processes_per_node,
                                               std::uint64_t available) {
  const std::uint64_t needed = 2 * processes * kCoreBytes;
  if (processes_per_node != 1 || needed <= available) return std::nullopt;
  return std::to_string(processes) + " processes that all start their second cores need about " + mebibytes(needed) +
         " of host memory; " + mebibytes(available) + " are available";
}

}  // namespace toroid
