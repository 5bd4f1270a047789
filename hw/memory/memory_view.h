// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "hw/memory/node_memory.h"

namespace toroid {

/// Ranges of addresses, few of them.
class AddressRanges {
 public:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };

  bool overlaps(std::uint64_t address, std::uint64_t length) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [address, length](const Range& range) {
      return address < range.end && range.begin < address + length;
    });
  }
  bool empty() const { return ranges_.empty(); }
  void add(std::uint64_t begin, std::uint64_t end) { ranges_.push_back({begin, end}); }
  void remove(std::uint64_t begin, std::uint64_t end);
  /// The longest part of `whole` that no range overlaps, the first of several.
  Range longest_gap(const Range& whole) const;

 private:
  std::vector<Range> ranges_;
};

/// What of a node's memory a process has, and at which addresses it sees it.
///
/// A view has up to kMostPieces linear pieces: a range of virtual addresses that lies on a range of physical ones of
/// the same size, physical = virtual - base + offset. The compute-node kernel maps memory as simply as that: a few
/// large pages, set up once. The first piece is the process's own memory; others are what it shares with the node's
/// other processes. Virtual addresses of pieces do not overlap; physical ones may.
class MemoryView {
 public:
  static constexpr std::size_t kMostPieces = 4;
  /// Of base, offset and size.
  static constexpr std::uint64_t kAlignment = 4096;

  struct Piece {
    std::uint64_t base;    ///< virtual
    std::uint64_t offset;  ///< physical
    std::uint64_t size;

    bool holds(std::uint64_t address, std::uint64_t length) const {
      const std::uint64_t at = address - base;
      return address >= base && at <= size && length <= size - at;
    }
    bool operator==(const Piece& other) const {
      return base == other.base && offset == other.offset && size == other.size;
    }
  };

  /// The whole memory at its physical addresses.
  explicit MemoryView(NodeMemory& memory) : MemoryView(memory, 0, 0, memory.size()) {}
  /// One piece: `size` bytes from physical address `offset` on, at virtual address `base`.
  MemoryView(NodeMemory& memory, std::uint64_t base, std::uint64_t offset, std::uint64_t size);

  /// Adds a piece. Throws std::invalid_argument if there are kMostPieces, or if it does not lie inside the memory, does
  /// not begin and end at multiples of kAlignment or overlaps another one's virtual addresses.
  void add(const Piece& piece);
  /// Both see the same memory at the same addresses.
  bool is_same(const MemoryView& other) const;

  // Of the first piece.

  std::uint64_t base() const { return piece_.front().base; }
  std::uint64_t size() const { return piece_.front().size; }
  /// The first address behind.
  std::uint64_t end() const { return base() + size(); }

  /// From now on, and in all copies, `ranges` are no memory to be reached directly: devices write them as well.
  void leave_out(const AddressRanges& ranges) { left_out_ = &ranges; }

  /// True if [address, address + length) lies in one piece and only the process's cores write it.
  bool contains(std::uint64_t address, std::uint64_t length) const {
    return (piece_.front().holds(address, length) || in_further_piece(address, length)) &&
           (left_out_ == nullptr || !left_out_->overlaps(address, length));
  }
  /// Memory of which contains() is true, to be read without a call: as much as lies in one range. Size 0 if there is
  /// none.
  void show_memory(const std::uint8_t*& host, std::uint64_t& base, std::uint64_t& size) const;
  /// `address` must be inside a piece.
  std::uint8_t* host(std::uint64_t address) { return host_ + physical(address); }
  const std::uint8_t* host(std::uint64_t address) const { return host_ + physical(address); }
  std::uint64_t physical(std::uint64_t address) const {
    const Piece& piece = piece_of(address);
    return address - piece.base + piece.offset;
  }
  /// Calls `each` with every address at which the byte at a physical one is seen.
  template <typename Each>
  void each_address_of(std::uint64_t physical, Each&& each) const {
    for (std::size_t i = 0; i < pieces_; ++i) {
      const std::uint64_t at = physical - piece_[i].offset;
      if (at < piece_[i].size) each(piece_[i].base + at);
    }
  }
  ImagePart image_at(std::uint64_t address, std::uint64_t size) const {
    return memory_->image_at(physical(address), size);
  }
  void place(std::uint64_t address, const ImageFile& image) { memory_->place(physical(address), image); }
  /// Zeroes whole pages and gives them back to the host.
  void clear(std::uint64_t address, std::uint64_t size) { memory_->clear(physical(address), size); }

 private:
  bool in_further_piece(std::uint64_t address, std::uint64_t length) const;
  /// The first piece where no piece has the address.
  const Piece& piece_of(std::uint64_t address) const {
    return address - piece_.front().base < piece_.front().size ? piece_.front() : further_piece_of(address);
  }
  const Piece& further_piece_of(std::uint64_t address) const;

  NodeMemory* memory_;
  std::uint8_t* host_;  ///< of physical address 0
  std::array<Piece, kMostPieces> piece_{};
  std::size_t pieces_ = 0;
  const AddressRanges* left_out_ = nullptr;
};

}  // namespace toroid
