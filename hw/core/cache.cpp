// SPDX-License-Identifier: Apache-2.0
#include "hw/core/cache.h"

#include <algorithm>
#include <new>

namespace toroid {

CacheSets::CacheSets(std::uint32_t lines, std::uint32_t ways) : lines_(lines), ways_(ways), sets_(lines / ways) {
  entries_.reset(static_cast<std::uint32_t*>(std::calloc(lines, sizeof(std::uint32_t))));
  if (entries_ == nullptr) throw std::bad_alloc();
  next_victim_.resize(sets_);
}

std::uint32_t* CacheSets::find(std::uint32_t line) const {
  std::uint32_t* set = set_of(line);
  for (std::uint32_t way = 0; way < ways_; ++way) {
    if ((set[way] & kLine) == line + 1) return set + way;
  }
  return nullptr;
}

bool CacheSets::contains_any(std::uint32_t first, std::uint32_t last) const {
  if (last - first < lines_) {
    for (std::uint32_t line = first; line <= last; ++line) {
      if (contains(line)) return true;
    }
    return false;
  }
  return std::any_of(entries_.get(), entries_.get() + lines_, [first, last](std::uint32_t entry) {
    return entry != 0 && (entry & kLine) - 1 >= first && (entry & kLine) - 1 <= last;
  });
}

bool CacheSets::is_dirty(std::uint32_t line) const {
  const std::uint32_t* entry = find(line);
  return entry != nullptr && (*entry & kDirty) != 0;
}

CacheSets::Victim CacheSets::fill(std::uint32_t line, bool dirty) {
  std::uint8_t& next = next_victim_[line & (sets_ - 1)];
  std::uint32_t& entry = set_of(line)[next];
  next = static_cast<std::uint8_t>((next + 1u) & (ways_ - 1));
  const Victim victim{entry != 0, (entry & kDirty) != 0, (entry & kLine) - 1};
  entry = (line + 1) | (dirty ? kDirty : 0);
  return victim;
}

void CacheSets::mark(std::uint32_t line, bool dirty) {
  std::uint32_t* entry = find(line);
  if (entry != nullptr) *entry = (*entry & kLine) | (dirty ? kDirty : 0);
}

CacheSets::Victim CacheSets::remove(std::uint32_t line) {
  std::uint32_t* entry = find(line);
  if (entry == nullptr) return {};
  const Victim victim{true, (*entry & kDirty) != 0, line};
  *entry = 0;
  return victim;
}

}  // namespace toroid
