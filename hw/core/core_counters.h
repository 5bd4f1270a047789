// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/core/memory_config.h"

namespace toroid {

/// What a core's way to memory has done (hw/core/memory_path.h).
struct MemoryCounters {
  std::uint64_t l1_hits = 0;           ///< loads, stores and cache instructions, unresolved ones included
  std::uint64_t unresolved = 0;        ///< of these: the address is not known
  std::uint64_t uncached = 0;          ///< to devices
  std::uint64_t l1_misses = 0;         ///< lines of data
  std::uint64_t l1_code_misses = 0;    ///< lines of code
  std::uint64_t second_hits = 0;       ///< of both, found in a victim level
  std::uint64_t prefetch_hits = 0;     ///< of both, found in the prefetch buffer
  std::uint64_t prefetch_streams = 0;  ///< sequential streams begun
  std::uint64_t prefetches = 0;        ///< lines fetched ahead
  std::uint64_t last_hits = 0;
  std::uint64_t memory_reads = 0;   ///< lines that the last level has not
  std::uint64_t memory_writes = 0;  ///< likewise
  std::uint64_t write_backs = 0;    ///< first-level lines

  struct Counter {
    const char* name;
    std::uint64_t MemoryCounters::*value;
  };
  static constexpr std::size_t kCount = 13;
  /// With the names that they have behind a first level of such a kind; nullptr: it counts no such thing.
  static const std::array<Counter, kCount>& of(MemoryConfig::Levels levels);

  bool operator==(const MemoryCounters& other) const;
};

inline const std::array<MemoryCounters::Counter, MemoryCounters::kCount>& MemoryCounters::of(
    MemoryConfig::Levels levels) {
  struct Names {
    const char *second_hits, *prefetch_hits, *prefetch_streams, *prefetches, *last_hits;
  };
  const auto counters = [](const Names& names) -> std::array<Counter, kCount> {
    return {{
        {"l1_hits", &MemoryCounters::l1_hits},
        {"unresolved", &MemoryCounters::unresolved},
        {"uncached", &MemoryCounters::uncached},
        {"l1_misses", &MemoryCounters::l1_misses},
        {"l1_code_misses", &MemoryCounters::l1_code_misses},
        {names.second_hits, &MemoryCounters::second_hits},
        {names.prefetch_hits, &MemoryCounters::prefetch_hits},
        {names.prefetch_streams, &MemoryCounters::prefetch_streams},
        {names.prefetches, &MemoryCounters::prefetches},
        {names.last_hits, &MemoryCounters::last_hits},
        {"memory_reads", &MemoryCounters::memory_reads},
        {"memory_writes", &MemoryCounters::memory_writes},
        {"write_backs", &MemoryCounters::write_backs},
    }};
  };
  static const std::array<Counter, kCount> kOfLevels[] = {
      counters({nullptr, "l2_hits", "l2_streams", "l2_prefetches", "l3_hits"}),
      counters({nullptr, "l1p_hits", "l1p_streams", "l1p_prefetches", "l2_hits"}),
      counters({"l2_hits", "prefetch_hits", "prefetch_streams", "prefetches", "l3_hits"}),
  };
  return kOfLevels[static_cast<std::size_t>(levels)];
}

inline bool MemoryCounters::operator==(const MemoryCounters& other) const {
  for (const auto& [name, value] : of(MemoryConfig::Levels::victim)) {
    if (this->*value != other.*value) return false;
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
    for (const auto& [name, value] : MemoryCounters::of(MemoryConfig::Levels::victim))
      memory.*value += turns * (to.memory.*value - from.memory.*value);
  }
};

}  // namespace toroid
