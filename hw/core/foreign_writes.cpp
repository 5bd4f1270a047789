// SPDX-License-Identifier: Apache-2.0
#include "hw/core/foreign_writes.h"

#include <algorithm>

namespace toroid {

void ForeignWrites::add(std::uint32_t address, std::uint32_t bytes) {
  if (writes_.size() == kMost) {
    // All of these are seen at the same look.
    const sc_core::sc_time first = writes_.front().at;
    writes_.assign(1, {first, 0, static_cast<std::uint32_t>(memory_bytes_)});
  }
  writes_.push_back({sc_core::sc_time_stamp(), address, bytes});
}

void ForeignWrites::see(const sc_core::sc_time& seen, MemoryPath& path) {
  const auto end =
      std::find_if(writes_.begin(), writes_.end(), [&seen](const Write& write) { return write.at > seen; });
  std::for_each(writes_.begin(), end, [&path](const Write& write) { path.invalidate(write.address, write.bytes); });
  writes_.erase(writes_.begin(), end);
}

}  // namespace toroid
