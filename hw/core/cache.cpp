// SPDX-License-Identifier: Apache-2.0
#include "hw/core/cache.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace toroid {
namespace {

constexpr std::uint32_t kSmallLines = 4096;  // whose entries are used soon
constexpr std::uint32_t kFewWays = 2;
constexpr std::uint32_t kManyWays = 16;

}  // namespace

CacheSets::CacheSets(std::uint32_t lines, std::uint32_t ways)
    : lines_(lines),
      ways_(ways),
      sets_(lines / ways),
      set_bits_(static_cast<unsigned>(__builtin_ctz(sets_))),
      group_(lines <= kSmallLines && (ways & (ways - 1)) == 0 ? ways : std::min(ways, kFewWays)),
      fills_(sets_) {
  const std::size_t places = std::size_t{(ways + group_ - 1) / group_ * group_} * sets_;
  entries_.reset(static_cast<std::uint32_t*>(std::calloc(places, sizeof(std::uint32_t))));
  if (entries_ == nullptr) throw std::bad_alloc();
  if (group_ < kManyWays) return;
  tags_.reset(static_cast<std::uint8_t*>(std::calloc(places, 1)));
  if (tags_ == nullptr) throw std::bad_alloc();
}

std::uint32_t* CacheSets::find(std::uint32_t line) const {
  const std::uint32_t set = line & (sets_ - 1);
  const std::uint32_t used = used_ways(set);
  for (std::uint32_t first = 0; first < used; first += group_) {
    std::uint32_t* const found = search(place_of(set, first), std::min(group_, used - first), line);
    if (found != nullptr) return found;
  }
  return nullptr;
}

/// Sixteen at a time by their tags, where there are any: most searches of large sets find nothing.
std::uint32_t* CacheSets::search(std::size_t place, std::uint32_t count, std::uint32_t line) const {
  using Tags = std::uint8_t __attribute__((vector_size(16)));
  using Halves = std::uint64_t __attribute__((vector_size(16)));
  std::uint32_t* entry = entries_.get() + place;
  std::uint32_t* const end = entry + count;
  if (tags_) {
    for (; end - entry >= static_cast<std::ptrdiff_t>(sizeof(Tags)); entry += sizeof(Tags)) {
      Tags tags;
      std::memcpy(&tags, tags_.get() + (entry - entries_.get()), sizeof tags);
      const auto equal = reinterpret_cast<Halves>(tags == tag_of(line));
      if ((equal[0] | equal[1]) == 0) continue;
      std::uint32_t* const found = std::find_if(entry, entry + sizeof(Tags), Holds{line});
      if (found != entry + sizeof(Tags)) return found;
    }
  }
  std::uint32_t* const found = std::find_if(entry, end, Holds{line});
  return found == end ? nullptr : found;
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

CacheSets::Victim CacheSets::set_entry(std::size_t place, std::uint32_t line, bool dirty) {
  std::uint32_t& entry = entries_.get()[place];
  if (tags_) tags_.get()[place] = tag_of(line);
  const Victim victim{entry != 0, (entry & kDirty) != 0, (entry & kLine) - 1};
  entry = (line + 1) | (dirty ? kDirty : 0);
  return victim;
}

CacheSets::Victim CacheSets::fill(std::uint32_t line, bool dirty) {
  const std::uint32_t set = line & (sets_ - 1);
  std::uint8_t& fills = fills_[set];
  const std::size_t place = place_of(set, next_way(fills));
  fills = static_cast<std::uint8_t>(fills + 1u < 2 * ways_ ? fills + 1u : ways_);
  return set_entry(place, line, dirty);
}

CacheSets::Victim CacheSets::fill_vacant(std::uint32_t line, bool dirty) {
  const std::uint32_t set = line & (sets_ - 1);
  for (std::uint32_t way = 0; way < used_ways(set); ++way) {
    const std::size_t place = place_of(set, way);
    if (entries_.get()[place] == 0) return set_entry(place, line, dirty);
  }
  return fill(line, dirty);
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
