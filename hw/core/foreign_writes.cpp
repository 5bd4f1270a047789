// SPDX-License-Identifier: Apache-2.0
#include "hw/core/foreign_writes.h"

#include <algorithm>
#include <utility>

namespace toroid {

void ForeignWrites::add(std::uint64_t address, std::uint64_t bytes) {
  if (writes_.size() == kMost) shorten();
  writes_.push_back({sc_core::sc_time_stamp(), address, bytes});
}

/// A long message comes as many writes, each behind the last. Together they leave the caches when the first of them is
/// seen, which is early for the rest: their lines are then read again. If that is not enough, all lines leave.
void ForeignWrites::shorten() {
  std::vector<Write> runs;
  for (const Write& write : writes_) {
    const auto before = std::find_if(runs.rbegin(), runs.rbegin() + std::min(runs.size(), kStreams),
                                     [&write](const Write& run) { return run.address + run.bytes == write.address; });
    if (before != runs.rbegin() + std::min(runs.size(), kStreams)) {
      before->bytes += write.bytes;
    } else {
      runs.push_back(write);
    }
  }
  if (runs.size() > kMost / 2) runs.assign(1, {writes_.front().at, 0, memory_bytes_});
  writes_ = std::move(runs);
}

void ForeignWrites::see(const sc_core::sc_time& seen, MemoryPath& path) {
  const auto end =
      std::find_if(writes_.begin(), writes_.end(), [&seen](const Write& write) { return write.at > seen; });
  std::for_each(writes_.begin(), end, [&path](const Write& write) { path.invalidate(write.address, write.bytes); });
  writes_.erase(writes_.begin(), end);
}

}  // namespace toroid
