// SPDX-License-Identifier: Apache-2.0
#include "hw/memory/memory_view.h"

namespace toroid {

void AddressRanges::remove(std::uint64_t begin, std::uint64_t end) {
  if (!overlaps(begin, end - begin)) return;
  std::vector<Range> left;
  for (const Range& range : ranges_) {
    if (range.begin < begin) left.push_back({range.begin, std::min(range.end, begin)});
    if (range.end > end) left.push_back({std::max(range.begin, end), range.end});
  }
  ranges_ = std::move(left);
}

AddressRanges::Range AddressRanges::longest_gap(const Range& whole) const {
  std::vector<Range> sorted = ranges_;
  std::sort(sorted.begin(), sorted.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  Range longest{whole.begin, whole.begin};
  std::uint64_t free = whole.begin;  // nothing from here on is known to be overlapped
  const auto consider = [&](std::uint64_t end) {
    if (end > free && end - free > longest.end - longest.begin) longest = {free, end};
  };
  for (const Range& range : sorted) {
    consider(std::min(range.begin, whole.end));
    free = std::max(free, range.end);
  }
  consider(whole.end);
  return longest;
}

MemoryView::MemoryView(NodeMemory& memory, std::uint64_t base, std::uint64_t offset, std::uint64_t size)
    : memory_(&memory), host_(memory.host(0)) {
  add({base, offset, size});
}

void MemoryView::add(const Piece& piece) {
  if (pieces_ == kMostPieces) throw std::invalid_argument("a view of memory has too many pieces");
  if (piece.size > memory_->size() || piece.offset > memory_->size() - piece.size)
    throw std::invalid_argument("a piece of a view lies outside the memory");
  if ((piece.base | piece.offset | piece.size) % kAlignment != 0)
    throw std::invalid_argument("a piece of a view does not consist of whole pages");
  for (std::size_t i = 0; i < pieces_; ++i) {
    if (piece.base < piece_[i].base + piece_[i].size && piece_[i].base < piece.base + piece.size)
      throw std::invalid_argument("a piece of a view overlaps another one");
  }
  piece_[pieces_++] = piece;
}

bool MemoryView::is_same(const MemoryView& other) const {
  return memory_ == other.memory_ && pieces_ == other.pieces_ && piece_ == other.piece_;
}

void MemoryView::show_memory(const std::uint8_t*& host, std::uint64_t& base, std::uint64_t& size) const {
  AddressRanges::Range range{this->base(), end()};
  if (left_out_ != nullptr) range = left_out_->longest_gap(range);
  host = this->host(range.begin);
  base = range.begin;
  size = range.end - range.begin;
}

bool MemoryView::in_further_piece(std::uint64_t address, std::uint64_t length) const {
  return std::any_of(piece_.begin() + 1, piece_.begin() + pieces_,
                     [=](const Piece& piece) { return piece.holds(address, length); });
}

const MemoryView::Piece& MemoryView::further_piece_of(std::uint64_t address) const {
  const auto end = piece_.begin() + pieces_;
  const auto found = std::find_if(piece_.begin() + 1, end, [=](const Piece& piece) { return piece.holds(address, 1); });
  return found == end ? piece_.front() : *found;
}

}  // namespace toroid
