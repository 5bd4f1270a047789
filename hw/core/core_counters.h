// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// What a core has done. The same with and without parking.
struct CoreCounters {
  std::uint64_t instructions = 0;
  std::uint64_t device_reads = 0;
  std::uint64_t device_writes = 0;
  std::uint64_t system_calls = 0;

  /// Adds `turns` times what happened from `from` to `to`.
  void add_turns(std::uint64_t turns, const CoreCounters& from, const CoreCounters& to) {
    instructions += turns * (to.instructions - from.instructions);
    device_reads += turns * (to.device_reads - from.device_reads);
    device_writes += turns * (to.device_writes - from.device_writes);
    system_calls += turns * (to.system_calls - from.system_calls);
  }
};

}  // namespace toroid
