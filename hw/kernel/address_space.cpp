// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/address_space.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace toroid {
namespace {

constexpr std::uint64_t kPieces = 64;         // of a large region, so that changing one does not cost the whole
constexpr std::uint64_t kHeapStep = 1 << 20;  // the heap is mapped in steps, because each mapping costs the engine

std::uint64_t page_up(std::uint64_t address) {
  return (address + kPageSize - 1) & ~(kPageSize - 1);
}
std::uint64_t page_down(std::uint64_t address) {
  return address & ~(kPageSize - 1);
}

}  // namespace

bool AddressSpace::map_in(Engine& engine, std::uint64_t address, const Region& region) {
  if ((region.permissions & kWatched) != 0) return engine.map_device(address, region.end - address);
  const std::uint64_t size = region.end - address;
  // What is executable is as the loader has placed it: pages that lose this permission do not get it again.
  const ImagePart image = (region.permissions & kExecutable) != 0 ? view_.image_at(address, size) : ImagePart{};
  return engine.map_memory(address, size, view_.host(address), region.permissions, image);
}

bool AddressSpace::add_engine(Engine& engine) {
  for (const auto& [address, region] : regions_) {
    if (!map_in(engine, address, region)) return false;
  }
  engines_.push_back(&engine);
  return true;
}

void AddressSpace::undo(Engine& engine, const Pieces& made, const Pieces& before) {
  for (const auto& [address, region] : made) engine.unmap_memory(address, region.end - address);
  for (const auto& [address, region] : before) {
    if (!map_in(engine, address, region)) throw std::logic_error("the engine does not map again what it had mapped");
  }
}

bool AddressSpace::replace(const Pieces& before, const Pieces& after) {
  for (auto engine = engines_.begin(); engine != engines_.end(); ++engine) {
    Pieces gone;
    Pieces made;
    bool done = true;
    for (auto each = before.begin(); done && each != before.end(); ++each) {
      done = (*engine)->unmap_memory(each->first, each->second.end - each->first);
      if (done) gone.insert(*each);
    }
    for (auto each = after.begin(); done && each != after.end(); ++each) {
      done = map_in(**engine, each->first, each->second);
      if (done) made.insert(*each);
    }
    if (done) continue;
    undo(**engine, made, gone);
    while (engine != engines_.begin()) undo(**--engine, after, before);
    return false;
  }
  for (const auto& [address, region] : before) regions_.erase(address);
  regions_.insert(after.begin(), after.end());
  return true;
}

std::uint64_t AddressSpace::largest_piece() const {
  return std::max(page_down(view_.size() / kPieces), kPageSize);
}

bool AddressSpace::change(std::uint64_t begin, std::uint64_t end, std::optional<unsigned> permissions) {
  Pieces before;
  Pieces after;
  bool same = permissions.has_value();
  auto region = regions_.upper_bound(begin);
  if (region != regions_.begin() && std::prev(region)->second.end > begin) --region;
  for (; region != regions_.end() && region->first < end; ++region) {
    before.insert(*region);
    if (permissions != region->second.permissions) same = false;
  }
  if (same && covered(begin, end)) return true;

  // What is left of the first and of the last.
  if (!before.empty()) {
    const auto [first, head] = *before.begin();
    const Region tail = before.rbegin()->second;
    if (first < begin) after[first] = {begin, head.permissions};
    if (tail.end > end) after[end] = tail;
  }
  if (permissions) {
    // Neighbours that are not larger become one with it: then each page is mapped anew a few times at most, however
    // small the steps in which memory grows.
    std::uint64_t low = begin;
    std::uint64_t high = end;
    const auto joins = [&](const Region& neighbour, std::uint64_t size) {
      return neighbour.permissions == *permissions && size <= high - low && high - low + size <= largest_piece();
    };
    const auto take = [&](std::uint64_t address, const Region& neighbour, bool whole) {
      if (whole) before[address] = neighbour;
      after.erase(address);
      low = std::min(low, address);
      high = std::max(high, neighbour.end);
    };
    while (true) {
      if (const auto left = after.lower_bound(low); left != after.begin() && std::prev(left)->second.end == low &&
                                                    joins(std::prev(left)->second, low - std::prev(left)->first)) {
        take(std::prev(left)->first, Region(std::prev(left)->second), false);
        continue;
      }
      if (const auto right = after.find(high); right != after.end() && joins(right->second, right->second.end - high)) {
        take(high, Region(right->second), false);
        continue;
      }
      const auto next = regions_.lower_bound(low);
      if (next != regions_.begin() && std::prev(next)->second.end == low && before.count(std::prev(next)->first) == 0 &&
          joins(std::prev(next)->second, low - std::prev(next)->first)) {
        take(std::prev(next)->first, std::prev(next)->second, true);
        continue;
      }
      const auto behind = regions_.find(high);
      if (behind != regions_.end() && before.count(high) == 0 && joins(behind->second, behind->second.end - high)) {
        take(high, behind->second, true);
        continue;
      }
      break;
    }
    // What is larger than the process's own memory is mapped once and stays: it need not take many regions.
    const std::uint64_t piece = std::max(largest_piece(), page_down((high - low) / kPieces));
    for (std::uint64_t at = low; at < high;) {
      const std::uint64_t size = std::min(high - at, piece);
      after[at] = {at + size, *permissions};
      at += size;
    }
  }
  if (regions_.size() - before.size() + after.size() <= kMostRegions) return replace(before, after);
  return join_all() && change(begin, end, permissions);
}

/// Makes pieces that lie side by side one wherever they may be. False if there are none.
bool AddressSpace::join_all() {
  bool joined = false;
  for (auto region = regions_.begin(); region != regions_.end();) {
    Pieces before{*region};
    Region whole = region->second;
    const std::uint64_t begin = region->first;
    for (auto next = std::next(region);
         next != regions_.end() && next->first == whole.end && next->second.permissions == whole.permissions &&
         next->second.end - begin <= largest_piece();
         ++next) {
      before.insert(*next);
      whole.end = next->second.end;
    }
    if (before.size() > 1) joined = replace(before, {{begin, whole}}) || joined;
    region = regions_.upper_bound(begin);
  }
  return joined;
}

bool AddressSpace::is_free(std::uint64_t address, std::uint64_t end) const {
  const auto after = regions_.lower_bound(end);
  return after == regions_.begin() || std::prev(after)->second.end <= address;
}

bool AddressSpace::covered(std::uint64_t address, std::uint64_t end) const {
  auto region = regions_.upper_bound(address);
  if (region == regions_.begin()) return false;
  for (--region; region != regions_.end() && region->first <= address; ++region) {
    address = region->second.end;
    if (address >= end) return true;
  }
  return false;
}

bool AddressSpace::allowed(std::uint64_t address, std::uint64_t size, unsigned permission) const {
  const std::uint64_t end = address + size;
  if (end < address) return false;
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

std::uint64_t AddressSpace::writable_below(std::uint64_t address) const {
  for (auto region = regions_.lower_bound(address); region != regions_.begin();) {
    --region;
    if (region->second.end < address || (region->second.permissions & kWritable) == 0) break;
    address = region->first;
  }
  return address;
}

bool AddressSpace::map(std::uint64_t address, std::uint64_t size, unsigned permissions) {
  const std::uint64_t begin = page_down(address);
  const std::uint64_t end = page_up(address + size);
  if (end <= begin || !view_.contains(begin, end - begin) || !is_free(begin, end)) return false;
  return change(begin, end, permissions);
}

bool AddressSpace::place(std::uint64_t heap, std::uint64_t size) {
  const std::uint64_t begin = page_up(heap);
  const std::uint64_t stack_size = page_up(size);
  const std::uint64_t end = view_.end();
  if (begin + kHeapStep + kGuardSize + stack_size > end) return false;
  stack_top_ = end;
  stack_ = stack_top_ - stack_size;
  guard_ = stack_ - kGuardSize;
  heap_ = break_ = heap_mapped_ = begin;
  return map(stack_, stack_size, kReadable | kWritable);
}

std::uint64_t AddressSpace::set_break(std::uint64_t address) {
  if (address < heap_ || address >= guard_) return break_;
  if (address > heap_mapped_) {
    const std::uint64_t step = (address - heap_mapped_ + kHeapStep - 1) / kHeapStep * kHeapStep;
    const std::uint64_t wanted = std::min(step, guard_ - heap_mapped_);
    // Near the mmap area the whole step may not fit: then what was asked for, to the page.
    const std::uint64_t least = page_up(address - heap_mapped_);
    std::uint64_t grown = 0;
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

std::optional<std::uint64_t> AddressSpace::map_anonymous(std::uint64_t size, unsigned permissions) {
  const std::uint64_t length = page_up(size);
  if (length == 0 || length > guard_) return std::nullopt;
  // The highest gap between heap and guard that is large enough.
  std::uint64_t end = guard_;
  for (auto region = regions_.lower_bound(guard_);; --region) {
    const std::uint64_t below = region == regions_.begin() ? 0 : std::prev(region)->second.end;
    const std::uint64_t low = std::max(below, heap_mapped_);
    if (end >= low + length) break;
    if (region == regions_.begin() || below <= heap_mapped_) return std::nullopt;
    end = std::prev(region)->first;
  }
  const std::uint64_t address = end - length;
  if (!map(address, length, permissions)) return std::nullopt;
  view_.clear(address, length);
  return address;
}

int AddressSpace::map_fixed(std::uint64_t address, std::uint64_t size, unsigned permissions, bool replace) {
  const std::uint64_t end = page_up(address + size);
  if (address % kPageSize != 0 || size == 0) return EINVAL;
  if (end < address || address < heap_mapped_ || end > guard_ || is_watched(address, end - address)) return ENOMEM;
  if (!replace && !is_free(address, end)) return EEXIST;
  if (!change(address, end, permissions)) return ENOMEM;
  view_.clear(address, end - address);
  copies_.remove(address, end);
  return 0;
}

int AddressSpace::unmap(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = page_up(address + size);
  if (address % kPageSize != 0 || size == 0 || end < address || !view_.contains(address, end - address)) return EINVAL;
  if (!change(address, end, std::nullopt)) return ENOMEM;
  copies_.remove(address, end);
  return 0;
}

int AddressSpace::protect(std::uint64_t address, std::uint64_t size, unsigned permissions) {
  const std::uint64_t end = page_up(address + size);
  if (address % kPageSize != 0) return EINVAL;
  if (end < address || !view_.contains(address, end - address)) return ENOMEM;
  if (end == address) return 0;
  return covered(address, end) && change(address, end, permissions) ? 0 : ENOMEM;
}

bool AddressSpace::is_own(std::uint64_t address, std::uint64_t size) const {
  return address >= heap_ && address < guard_ && size <= guard_ - address && covered(address, address + size) &&
         !is_watched(address, size);
}

int AddressSpace::clear(std::uint64_t address, std::uint64_t size) {
  if (address % kPageSize != 0) return EINVAL;
  if (size == 0) return 0;
  const std::uint64_t length = page_up(size);
  if (length < size || !is_own(address, length)) return ENOMEM;
  if (!copies_.overlaps(address, length)) {
    view_.clear(address, length);
    return 0;
  }
  for (std::uint64_t page = address; page != address + length; page += kPageSize) {
    if (!copies_.overlaps(page, kPageSize)) view_.clear(page, kPageSize);
  }
  return 0;
}

int AddressSpace::movable(std::uint64_t address, std::uint64_t size, unsigned& permissions) const {
  const std::uint64_t length = page_up(size);
  if (address % kPageSize != 0 || size == 0 || length < size) return EINVAL;
  if (address < heap_ || address >= guard_ || length > guard_ - address) return EFAULT;
  const std::uint64_t end = address + length;
  if (!covered(address, end)) return EFAULT;
  const auto first = std::prev(regions_.upper_bound(address));
  permissions = first->second.permissions;
  const bool alike = std::all_of(first, regions_.lower_bound(end), [permissions](const auto& region) {
    return region.second.permissions == permissions;
  });
  return alike && (permissions & kWatched) == 0 ? 0 : EFAULT;
}

int AddressSpace::resize(std::uint64_t& address, std::uint64_t old_size, std::uint64_t size, bool may_move) {
  const std::uint64_t old_length = page_up(old_size), length = page_up(size);
  unsigned permissions = 0;
  if (size == 0 || length < size) return EINVAL;
  // What does not grow does not move either, and may have parts of different permissions.
  const bool grows = length > old_length;
  if (const int error = movable(address, grows ? old_size : 1, permissions)) return error;
  if (!grows) return length == old_length ? 0 : unmap(address + length, old_length - length);
  const std::uint64_t more = length - old_length, behind = address + old_length;
  if (more <= guard_ - behind && map_fixed(behind, more, permissions, false) == 0) return 0;
  const auto moved = may_move ? map_anonymous(length, permissions) : std::nullopt;
  if (!moved) return ENOMEM;
  std::memcpy(view_.host(*moved), view_.host(address), old_length);
  if (copies_.overlaps(address, old_length)) add_copy(*moved, old_length);
  if (const int error = unmap(address, old_length)) {
    unmap(*moved, length);
    return error;
  }
  address = *moved;
  return 0;
}

int AddressSpace::move(std::uint64_t address, std::uint64_t old_size, std::uint64_t size, std::uint64_t to) {
  const std::uint64_t old_length = page_up(old_size), length = page_up(size);
  unsigned permissions = 0;
  if (size == 0 || length < size) return EINVAL;
  if (const int error = movable(address, old_size, permissions)) return error;
  if (to < address + old_length && address < to + length) return EINVAL;
  if (const int error = map_fixed(to, length, permissions, true)) return error;
  std::memcpy(view_.host(to), view_.host(address), std::min(length, old_length));
  if (copies_.overlaps(address, old_length)) add_copy(to, std::min(length, old_length));
  return unmap(address, old_length);
}

int AddressSpace::watch(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  if (address % kPageSize != 0 || size % kPageSize != 0 || size == 0) return EINVAL;
  if (!allowed(address, size, kWritable)) return EFAULT;
  if (!change(address, end, kReadable | kWritable | kWatched)) return ENOMEM;
  watched_.add(address, end);
  return 0;
}

std::optional<std::string> AddressSpace::string_at(std::uint64_t address, std::uint64_t limit) const {
  std::string text;
  while (text.size() < limit) {
    const std::uint8_t* byte = readable(address + text.size(), 1);
    if (byte == nullptr) return std::nullopt;
    if (*byte == 0) return text;
    text.push_back(static_cast<char>(*byte));
  }
  return std::nullopt;
}

}  // namespace toroid
