// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/stop_points.h"

#include <algorithm>

namespace toroid {

void StopPoints::add_watch(const WatchPoint& point) {
  if (std::find(watches_.begin(), watches_.end(), point) == watches_.end()) watches_.push_back(point);
}

void StopPoints::remove_watch(const WatchPoint& point) {
  watches_.erase(std::remove(watches_.begin(), watches_.end(), point), watches_.end());
}

const StopPoints::WatchPoint* StopPoints::watched(std::uint64_t address, std::uint64_t size, bool store) const {
  const auto found = std::find_if(watches_.begin(), watches_.end(), [&](const WatchPoint& point) {
    if (point.kind == (store ? Watch::read : Watch::write)) return false;
    // Differences, as the sums may lie behind the end of the address space.
    return address - point.address < point.size || point.address - address < size;
  });
  return found == watches_.end() ? nullptr : &*found;
}

void StopPoints::clear() {
  *this = StopPoints();
}

}  // namespace toroid
