// SPDX-License-Identifier: Apache-2.0
#include "hw/core/cache.h"

#include <algorithm>
#include <new>

namespace toroid {
namespace {

constexpr std::uint32_t kSmallLines = 4096;  // whose entries are used soon
constexpr std::uint32_t kFewWays = 2;

}  // namespace

CacheSets::CacheSets(std::uint32_t lines, std::uint32_t ways)
    : lines_(lines), ways_(ways), sets_(lines / ways), group_(lines <= kSmallLines ? ways : std::min(ways, kFewWays)) {
  entries_.reset(static_cast<std::uint32_t*>(std::calloc(lines, sizeof(std::uint32_t))));
  if (entries_ == nullptr) throw std::bad_alloc();
  fills_.resize(sets_);
}

std::uint32_t* CacheSets::find(std::uint32_t line) const {
  const std::uint32_t set = line & (sets_ - 1);
  const std::uint32_t used = used_ways(set);
  for (std::uint32_t first = 0; first < used; first += group_) {
    std::uint32_t* const found = search(entry_of(set, first), std::min(group_, used - first), line + 1);
    if (found != nullptr) return found;
  }
  return nullptr;
}

/// Eight at a time, which compilers make a few vector instructions of: most searches of large sets find nothing.
std::uint32_t* CacheSets::search(std::uint32_t* entry, std::uint32_t count, std::uint32_t key) {
  std::uint32_t* const end = entry + count;
  for (; end - entry >= 8; entry += 8) {
    std::uint32_t equal = 0;
    for (unsigned i = 0; i < 8; ++i) equal |= (entry[i] & kLine) == key ? 1u : 0u;
    if (equal != 0) return std::find_if(entry, end, [key](std::uint32_t each) { return (each & kLine) == key; });
  }
  for (; entry < end; ++entry) {
    if ((*entry & kLine) == key) return entry;
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
  bool any = false;
  each_entry([&](std::uint32_t entry) {
    any = any || (entry != 0 && (entry & kLine) - 1 >= first && (entry & kLine) - 1 <= last);
  });
  return any;
}

CacheSets::State CacheSets::state(std::uint32_t line) const {
  const std::uint32_t* entry = find(line);
  return {entry != nullptr, entry != nullptr && (*entry & kDirty) != 0};
}

CacheSets::Victim CacheSets::fill(std::uint32_t line, bool dirty) {
  const std::uint32_t set = line & (sets_ - 1);
  std::uint8_t& fills = fills_[set];
  std::uint32_t& entry = *entry_of(set, fills & (ways_ - 1));
  fills = static_cast<std::uint8_t>(fills + 1u < 2 * ways_ ? fills + 1u : ways_);
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
