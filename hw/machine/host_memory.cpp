// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/host_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>

#include "hw/machine/parameters.h"

namespace toroid {

namespace {

namespace fs = std::filesystem;

// Measured: machines of 8 to 4096 nodes whose ranks start MPI, or use the message layer, and end; of 64 nodes that
// start their second cores; and networks of up to 32768 nodes under traffic. The largest of them, and a tenth more.
constexpr std::uint64_t kSimulator = 21'000'000;  // whatever it emulates
constexpr std::uint64_t kNode = 3'200;            // routers of all networks
constexpr std::uint64_t kFirstCore = 600'000;     // with its process
constexpr std::uint64_t kSecondCore = 300'000;
constexpr std::uint64_t kOwnEngine = 4'100'000;  // more, of a core whose engine is not all cores'
// Runs that need at least this much memory are announced before they begin.
constexpr std::uint64_t kGigabyte = 1'000'000'000;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

std::string gigabytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, bytes < 10 * kGigabyte ? "%.1f GB" : "%.0f GB", static_cast<double>(bytes) / 1e9);
  return text;
}

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::uint64_t value = 0;
  if (stream >> value) return value;
  return std::nullopt;
}

/// The number after `key` in a file of such lines.
std::uint64_t value_of(const fs::path& file, const std::string& key) {
  std::ifstream stream(file);
  std::uint64_t value = 0;
  for (std::string word, rest; stream >> word >> value && std::getline(stream, rest);) {
    if (word == key) return value;
  }
  return 0;
}

/// How a version of control groups names things.
struct GroupFiles {
  const char* limit;
  const char* usage;
  const char* reclaimable;  ///< in memory.stat: what has been read from files and can go
};

constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

/// What a group and those that it is in leave us. A group that is not there, as seen from inside a container, limits
/// nothing.
std::uint64_t left_in_group(const fs::path& mount, const fs::path& group, const GroupFiles& files) {
  std::uint64_t left = kUnlimited;
  for (fs::path path = (mount / group.relative_path()).lexically_normal();; path = path.parent_path()) {
    const auto limit = number_in(path / files.limit);  // or the word "max"
    const auto usage = number_in(path / files.usage);
    if (limit && usage) {
      const std::uint64_t needed = *usage - std::min(*usage, value_of(path / "memory.stat", files.reclaimable));
      left = std::min(left, *limit - std::min(*limit, needed));
    }
    if (path == mount || !path.has_relative_path()) return left;
  }
}

std::uint64_t left_in_groups(const fs::path& root) {
  const fs::path mount = root / "sys/fs/cgroup";
  std::uint64_t left = kUnlimited;
  std::ifstream groups(root / "proc/self/cgroup");  // NUMBER:CONTROLLERS:PATH
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) left = std::min(left, left_in_group(mount, group, kVersion2));
    if (controllers == "memory") left = std::min(left, left_in_group(mount / "memory", group, kVersion1));
  }
  return left;
}

}  // namespace

HostMemory estimate_host_memory(std::uint64_t nodes, std::uint64_t processes, unsigned cores_per_process,
                                bool own_engines) {
  const std::uint64_t engine = own_engines ? kOwnEngine : 0;
  HostMemory needed;
  needed.machine = counted(nodes, "node", "nodes");
  if (processes != 0 && processes != nodes) {
    needed.machine = counted(processes, "process", "processes") + " on " + needed.machine;
  }
  needed.bytes = kSimulator + nodes * kNode + processes * (kFirstCore + engine);
  needed.second_cores = processes * (cores_per_process - 1) * (kSecondCore + engine);
  return needed;
}

std::uint64_t available_host_memory(const fs::path& root) {
  std::uint64_t available = value_of(root / "proc/meminfo", "MemAvailable:") << 10;
  if (available == 0) {  // counts less than the host would give up
    const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_AVPHYS_PAGES));
    available = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  }
  return std::min(available, left_in_groups(root));
}

void require_host_memory(const HostMemory& needed, std::uint64_t available) {
  if (needed.bytes <= available) return;
  throw ConfigurationError(needed.machine + ": about " + gigabytes(needed.bytes) + " of host memory, and " +
                           gigabytes(available) + " are available: a smaller shape or fewer ranks need less");
}

std::optional<std::string> host_memory_remark(const HostMemory& needed, std::uint64_t available) {
  const std::uint64_t most = needed.bytes + needed.second_cores;
  if (needed.bytes < kGigabyte && most <= available) return std::nullopt;
  std::string text = needed.machine + ": about " + gigabytes(needed.bytes) + " of host memory";
  if (most > available) {
    text +=
        ", and " + gigabytes(most) + " where all start their second cores; " + gigabytes(available) + " are available";
  }
  return text;
}

}  // namespace toroid
