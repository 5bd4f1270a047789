// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/memory/node_memory.h"

namespace toroid {

/// Ranges of addresses, few of them.
class AddressRanges {
 public:
  bool overlaps(std::uint64_t address, std::uint64_t length) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [address, length](const Range& range) {
      return address < range.end && range.begin < address + length;
    });
  }
  bool empty() const { return ranges_.empty(); }
  void add(std::uint64_t begin, std::uint64_t end) { ranges_.push_back({begin, end}); }

 private:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  std::vector<Range> ranges_;
};

/// What of a node's memory a process has, and at which addresses it sees it.
///
/// One range of virtual addresses lies on one range of physical ones of the same size:
/// physical = virtual - base + offset. The compute-node kernel maps memory as simply as that: a few large pages, set up
/// once.
class MemoryView {
 public:
  /// The whole memory at its physical addresses.
  explicit MemoryView(NodeMemory& memory) : MemoryView(memory, 0, 0, memory.size()) {}
  /// `size` bytes from physical address `offset` on, at virtual address `base`. They lie inside the memory.
  MemoryView(NodeMemory& memory, std::uint64_t base, std::uint64_t offset, std::uint64_t size)
      : memory_(&memory), host_(memory.host(offset)), base_(base), offset_(offset), size_(size) {}

  std::uint64_t base() const { return base_; }
  std::uint64_t size() const { return size_; }
  /// The first address behind.
  std::uint64_t end() const { return base_ + size_; }

  /// From now on, and in all copies, `ranges` are no memory to be reached directly: devices write them as well.
  void leave_out(const AddressRanges& ranges) { left_out_ = &ranges; }

  /// True if [address, address + length) is memory of the process that only its cores write.
  bool contains(std::uint64_t address, std::uint64_t length) const {
    const std::uint64_t at = address - base_;
    return address >= base_ && at <= size_ && length <= size_ - at &&
           (left_out_ == nullptr || !left_out_->overlaps(address, length));
  }
  /// Where the memory of which contains() is true lies, without a call; size 0 if ranges are left out.
  void show_memory(const std::uint8_t*& host, std::uint64_t& base, std::uint64_t& size) const {
    host = host_;
    base = base_;
    size = left_out_ == nullptr || left_out_->empty() ? size_ : 0;
  }
  /// `address` must be inside.
  std::uint8_t* host(std::uint64_t address) { return host_ + (address - base_); }
  const std::uint8_t* host(std::uint64_t address) const { return host_ + (address - base_); }
  std::uint64_t physical(std::uint64_t address) const { return address - base_ + offset_; }
  ImagePart image_at(std::uint64_t address, std::uint64_t size) const {
    return memory_->image_at(static_cast<std::uint32_t>(physical(address)), size);
  }
  void place(std::uint64_t address, const ImageFile& image) {
    memory_->place(static_cast<std::uint32_t>(physical(address)), image);
  }
  /// Zeroes whole pages and gives them back to the host.
  void clear(std::uint64_t address, std::uint64_t size) { memory_->clear(physical(address), size); }

 private:
  NodeMemory* memory_;
  std::uint8_t* host_;
  std::uint64_t base_;
  std::uint64_t offset_;
  std::uint64_t size_;
  const AddressRanges* left_out_ = nullptr;
};

}  // namespace toroid
