// SPDX-License-Identifier: Apache-2.0
//
// What bus masters write to the memory of a core, and the core's cache model.
#include <algorithm>

#include "hw/core/core.h"

namespace toroid {

void Core::add_watched_page(std::uint64_t address, std::uint64_t physical, const WatchedDevice& page) {
  const auto behind = std::upper_bound(watched_pages_.begin(), watched_pages_.end(), address,
                                       [](std::uint64_t at, const Window& window) { return at < window.base; });
  const std::uint32_t size = WatchedMemory::kPageBytes;
  watched_pages_.insert(behind, {address, size, &page, watched_cost_, false, physical, true});
  on_memory_write(static_cast<std::uint32_t>(physical), size);  // no cache holds it from now on
}

/// A core that runs may be ahead of this time, by how much depends on its quantum: it takes notice when it next looks
/// at the world. One that is parked would have looked already; where nothing of this is in its caches, nothing changes.
void Core::on_memory_write(std::uint32_t address, std::uint32_t bytes) {
  if (!path_ || state_ == CoreState::idle) return;
  if (state_ == CoreState::parked) {
    if (!path_->holds(address, bytes)) return;
    wake_ = true;
    woken_.notify(sc_core::SC_ZERO_TIME);
  }
  if (foreign_writes_.size() == kMostForeignWrites) {
    // All of these are seen at the same look.
    const sc_core::sc_time first = foreign_writes_.front().at;
    foreign_writes_.assign(1, {first, 0, memory_.size()});
  }
  foreign_writes_.push_back({sc_core::sc_time_stamp(), address, bytes});
}

void Core::see_foreign_writes(const sc_core::sc_time& seen) {
  watched_memory_->settle();
  const auto end = std::find_if(foreign_writes_.begin(), foreign_writes_.end(),
                                [&seen](const ForeignWrite& write) { return write.at > seen; });
  std::for_each(foreign_writes_.begin(), end,
                [this](const ForeignWrite& write) { path_->invalidate(write.address, write.bytes); });
  foreign_writes_.erase(foreign_writes_.begin(), end);
}

}  // namespace toroid
