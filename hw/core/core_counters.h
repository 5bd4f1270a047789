// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace toroid {

/// What a core's way to memory has done (hw/core/memory_path.h).
struct MemoryCounters {
  std::uint64_t l1_hits = 0;         ///< loads, stores and cache instructions, unresolved ones included
  std::uint64_t unresolved = 0;      ///< of these: the address is not known
  std::uint64_t uncached = 0;        ///< to devices
  std::uint64_t l1_misses = 0;       ///< lines of data
  std::uint64_t l1_code_misses = 0;  ///< lines of code
  std::uint64_t l2_hits = 0;         ///< of both, found in the prefetch buffer
  std::uint64_t l2_streams = 0;      ///< sequential streams begun
  std::uint64_t l2_prefetches = 0;   ///< lines fetched ahead
  std::uint64_t l3_hits = 0;
  std::uint64_t memory_reads = 0;   ///< third-level lines
  std::uint64_t memory_writes = 0;  ///< third-level lines
  std::uint64_t write_backs = 0;    ///< first-level lines

  struct Counter {
    const char* name;
    std::uint64_t MemoryCounters::*value;
  };
  static const std::array<Counter, 12> kAll;

  bool operator==(const MemoryCounters& other) const;
};

inline constexpr std::array<MemoryCounters::Counter, 12> MemoryCounters::kAll{{
    {"l1_hits", &MemoryCounters::l1_hits},
    {"unresolved", &MemoryCounters::unresolved},
    {"uncached", &MemoryCounters::uncached},
    {"l1_misses", &MemoryCounters::l1_misses},
    {"l1_code_misses", &MemoryCounters::l1_code_misses},
    {"l2_hits", &MemoryCounters::l2_hits},
    {"l2_streams", &MemoryCounters::l2_streams},
    {"l2_prefetches", &MemoryCounters::l2_prefetches},
    {"l3_hits", &MemoryCounters::l3_hits},
    {"memory_reads", &MemoryCounters::memory_reads},
    {"memory_writes", &MemoryCounters::memory_writes},
    {"write_backs", &MemoryCounters::write_backs},
}};

inline bool MemoryCounters::operator==(const MemoryCounters& other) const {
  for (const Counter& counter : kAll) {
    if (this->*counter.value != other.*counter.value) return false;
  }
  return true;
}

/// What a core has done. The same with and without parking.
struct CoreCounters {
  std::uint64_t instructions = 0;
  std::uint64_t device_reads = 0;
  std::uint64_t device_writes = 0;
  std::uint64_t system_calls = 0;
  MemoryCounters memory;

  bool operator==(const CoreCounters& other) const {
    return instructions == other.instructions && device_reads == other.device_reads &&
           device_writes == other.device_writes && system_calls == other.system_calls && memory == other.memory;
  }
  /// Adds `turns` times what happened from `from` to `to`.
  void add_turns(std::uint64_t turns, const CoreCounters& from, const CoreCounters& to) {
    instructions += turns * (to.instructions - from.instructions);
    device_reads += turns * (to.device_reads - from.device_reads);
    device_writes += turns * (to.device_writes - from.device_writes);
    system_calls += turns * (to.system_calls - from.system_calls);
    for (const auto& [name, value] : MemoryCounters::kAll)
      memory.*value += turns * (to.memory.*value - from.memory.*value);
  }
};

}  // namespace toroid
