// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/address_space.h"

#include <algorithm>
#include <cstring>

namespace toroid {
namespace {

constexpr std::uint32_t kHeapStep = 1 << 20;  // the heap is mapped in steps, because each mapping costs the engine

std::uint64_t page_up(std::uint64_t address) {
  return (address + kPageSize - 1) & ~std::uint64_t{kPageSize - 1};
}
std::uint32_t page_down(std::uint32_t address) {
  return address & ~(kPageSize - 1);
}

}  // namespace

bool AddressSpace::add_engine(Engine& engine) {
  for (const auto& [address, region] : regions_) {
    if (!engine.map_memory(address, region.end - address, view_.host(address), region.permissions)) return false;
  }
  engines_.push_back(&engine);
  return true;
}

bool AddressSpace::map_in_engines(std::uint32_t address, std::uint32_t size, unsigned permissions) {
  for (auto engine = engines_.begin(); engine != engines_.end(); ++engine) {
    if ((*engine)->map_memory(address, size, view_.host(address), permissions)) continue;
    while (engine != engines_.begin()) (*--engine)->unmap_memory(address, size);
    return false;
  }
  return true;
}

void AddressSpace::unmap_in_engines(std::uint32_t address, std::uint32_t size) {
  for (Engine* engine : engines_) engine->unmap_memory(address, size);
}

bool AddressSpace::is_free(std::uint32_t address, std::uint32_t end) const {
  const auto after = regions_.lower_bound(end);
  return after == regions_.begin() || std::prev(after)->second.end <= address;
}

bool AddressSpace::covered(std::uint32_t address, std::uint32_t end) const {
  auto region = regions_.upper_bound(address);
  if (region == regions_.begin()) return false;
  for (--region; region != regions_.end() && region->first <= address; ++region) {
    address = region->second.end;
    if (address >= end) return true;
  }
  return false;
}

bool AddressSpace::allowed(std::uint32_t address, std::uint32_t size, unsigned permission) const {
  const std::uint64_t end = std::uint64_t{address} + size;
  auto region = regions_.upper_bound(address);
  if (region == regions_.begin()) return false;
  std::uint64_t at = address;
  for (--region; region != regions_.end() && region->first <= at; ++region) {
    if (region->second.end <= at || (region->second.permissions & permission) == 0) return false;
    at = region->second.end;
    if (at >= end) return true;
  }
  return false;
}

std::uint32_t AddressSpace::writable_below(std::uint32_t address) const {
  for (auto region = regions_.lower_bound(address); region != regions_.begin();) {
    --region;
    if (region->second.end < address || (region->second.permissions & kWritable) == 0) break;
    address = region->first;
  }
  return address;
}

bool AddressSpace::map(std::uint32_t address, std::uint32_t size, unsigned permissions) {
  const std::uint32_t begin = page_down(address);
  const std::uint64_t end = page_up(std::uint64_t{address} + size);
  if (begin == end || !view_.contains(begin, end - begin) || !is_free(begin, static_cast<std::uint32_t>(end)))
    return false;
  const auto length = static_cast<std::uint32_t>(end - begin);
  if (!map_in_engines(begin, length, permissions)) return false;
  regions_[begin] = {static_cast<std::uint32_t>(end), permissions};
  return true;
}

bool AddressSpace::place(std::uint64_t heap, std::uint32_t size) {
  const std::uint64_t begin = page_up(heap);
  const std::uint64_t stack_size = page_up(size);
  const std::uint64_t end = view_.end();
  if (begin + kHeapStep + kGuardSize + stack_size > end) return false;
  stack_top_ = static_cast<std::uint32_t>(end);
  stack_ = static_cast<std::uint32_t>(stack_top_ - stack_size);
  guard_ = stack_ - kGuardSize;
  heap_ = break_ = heap_mapped_ = static_cast<std::uint32_t>(begin);
  return map(stack_, static_cast<std::uint32_t>(stack_size), kReadable | kWritable);
}

std::uint32_t AddressSpace::set_break(std::uint32_t address) {
  if (address < heap_ || address >= guard_) return break_;
  if (address > heap_mapped_) {
    const std::uint32_t step = (address - heap_mapped_ + kHeapStep - 1) / kHeapStep * kHeapStep;
    const std::uint32_t wanted = std::min(step, guard_ - heap_mapped_);
    // Near the mmap area the whole step may not fit: then what was asked for, to the page.
    const auto least = static_cast<std::uint32_t>(page_up(address - heap_mapped_));
    std::uint32_t grown = 0;
    if (map(heap_mapped_, wanted, kReadable | kWritable)) {
      grown = wanted;
    } else if (map(heap_mapped_, least, kReadable | kWritable)) {
      grown = least;
    } else {
      return break_;
    }
    view_.clear(heap_mapped_, grown);
    heap_mapped_ += grown;
  }
  // Linux gives back zeroed memory when the break moves down and up again.
  if (address < break_) std::memset(view_.host(address), 0, break_ - address);
  break_ = address;
  return break_;
}

std::optional<std::uint32_t> AddressSpace::map_anonymous(std::uint32_t size, unsigned permissions) {
  const std::uint64_t length = page_up(size);
  if (length == 0) return std::nullopt;
  // The highest gap between heap and guard that is large enough.
  std::uint64_t end = guard_;
  for (auto region = regions_.lower_bound(guard_);; --region) {
    const std::uint32_t below = region == regions_.begin() ? 0 : std::prev(region)->second.end;
    const std::uint64_t low = std::max(below, heap_mapped_);
    if (end >= low + length) break;
    if (region == regions_.begin() || below <= heap_mapped_) return std::nullopt;
    end = std::prev(region)->first;
  }
  const auto address = static_cast<std::uint32_t>(end - length);
  if (!map(address, static_cast<std::uint32_t>(length), permissions)) return std::nullopt;
  view_.clear(address, static_cast<std::uint32_t>(length));
  return address;
}

void AddressSpace::split(std::uint32_t at) {
  auto region = regions_.upper_bound(at);
  if (region == regions_.begin()) return;
  --region;
  const std::uint32_t begin = region->first;
  const Region whole = region->second;
  if (begin == at || whole.end <= at) return;
  // The engine's own way of changing part of a mapping would copy it out of the node's memory.
  unmap_in_engines(begin, whole.end - begin);
  map_in_engines(begin, at - begin, whole.permissions);
  map_in_engines(at, whole.end - at, whole.permissions);
  region->second.end = at;
  regions_[at] = whole;
}

bool AddressSpace::unmap(std::uint32_t address, std::uint32_t size) {
  const std::uint64_t end64 = page_up(std::uint64_t{address} + size);
  if (address % kPageSize != 0 || size == 0 || !view_.contains(address, end64 - address)) return false;
  const auto end = static_cast<std::uint32_t>(end64);
  if (!covered(address, end)) return false;
  split(address);
  split(end);
  for (auto region = regions_.find(address); region != regions_.end() && region->first < end;) {
    unmap_in_engines(region->first, region->second.end - region->first);
    region = regions_.erase(region);
  }
  return true;
}

bool AddressSpace::protect(std::uint32_t address, std::uint32_t size, unsigned permissions) {
  const std::uint64_t end64 = page_up(std::uint64_t{address} + size);
  if (address % kPageSize != 0 || !view_.contains(address, end64 - address)) return false;
  const auto end = static_cast<std::uint32_t>(end64);
  if (end == address) return true;
  if (!covered(address, end)) return false;
  split(address);
  split(end);
  for (auto region = regions_.find(address); region != regions_.end() && region->first < end; ++region) {
    if (region->second.permissions == permissions) continue;
    const std::uint32_t length = region->second.end - region->first;
    unmap_in_engines(region->first, length);
    map_in_engines(region->first, length, permissions);
    region->second.permissions = permissions;
  }
  return true;
}

std::optional<std::string> AddressSpace::string_at(std::uint32_t address, std::uint32_t limit) const {
  std::string text;
  while (text.size() < limit) {
    const std::uint8_t* byte = readable(address + static_cast<std::uint32_t>(text.size()), 1);
    if (byte == nullptr) return std::nullopt;
    if (*byte == 0) return text;
    text.push_back(static_cast<char>(*byte));
  }
  return std::nullopt;
}

}  // namespace toroid
