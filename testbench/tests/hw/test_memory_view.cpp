// SPDX-License-Identifier: Apache-2.0
//
// Views of a node's memory that consist of several pieces, against a table of pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

#include "hw/memory/memory_view.h"
#include "hw/memory/node_memory.h"

namespace toroid {
namespace {

constexpr std::uint64_t kPage = MemoryView::kAlignment, kPages = 64;

/// The piece and the physical page that each virtual page lies in.
class PageTable {
 public:
  void add(const MemoryView::Piece& piece) {
    for (std::uint64_t at = 0; at < piece.size; at += kPage)
      pages_[(piece.base + at) / kPage] = {count_, (piece.offset + at) / kPage};
    ++count_;
  }
  void leave_out(std::uint64_t page) { left_out_.insert(page); }

  bool contains(std::uint64_t address, std::uint64_t length) const {
    const auto first = pages_.find(address / kPage);
    for (std::uint64_t page = address / kPage; page <= (address + length - 1) / kPage; ++page) {
      const auto found = pages_.find(page);
      if (found == pages_.end() || found->second.piece != first->second.piece || left_out_.count(page) != 0)
        return false;
    }
    return true;
  }
  bool has(std::uint64_t address) const { return pages_.count(address / kPage) != 0; }
  std::uint64_t physical(std::uint64_t address) const {
    return pages_.at(address / kPage).physical * kPage + address % kPage;
  }
  std::set<std::uint64_t> addresses_of(std::uint64_t physical) const {
    std::set<std::uint64_t> addresses;
    for (const auto& [page, is] : pages_) {
      if (is.physical == physical / kPage) addresses.insert(page * kPage + physical % kPage);
    }
    return addresses;
  }
  /// In bytes, of the first piece.
  std::uint64_t longest_run() const {
    std::uint64_t longest = 0, run = 0;
    for (const auto& [page, is] : pages_) {
      run = is.piece == 0 && left_out_.count(page) == 0 ? run + kPage : 0;
      longest = std::max(longest, run);
    }
    return longest;
  }

 private:
  struct Page {
    std::size_t piece;
    std::uint64_t physical;
  };
  std::map<std::uint64_t, Page> pages_;
  std::set<std::uint64_t> left_out_;
  std::size_t count_ = 0;
};

NodeMemory& memory() {
  static NodeMemory memory("memory", kPages * kPage);
  return memory;
}

/// A view of three pieces, of which the last shows part of the first one's memory anew; pages are left out.
void compare(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<MemoryView::Piece> pieces = {{0x10'0000, 8 * kPage, (1 + random() % 40) * kPage},
                                                 {0xC000'0000, 56 * kPage, 8 * kPage},
                                                 {0x7'0000'0000, 0, 16 * kPage}};
  MemoryView view(memory(), pieces[0].base, pieces[0].offset, pieces[0].size);
  PageTable table;
  table.add(pieces[0]);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    view.add(pieces[i]);
    table.add(pieces[i]);
  }
  AddressRanges watched;
  view.leave_out(watched);
  for (unsigned trial = 0; trial < 10'000; ++trial) {
    const MemoryView::Piece& piece = pieces[random() % pieces.size()];
    const std::uint64_t address = piece.base - kPage + random() % (piece.size + 2 * kPage);
    const std::uint64_t length = 1 + (random() % 2 == 0 ? random() % 64 : random() % (4 * kPage));
    if (trial % 1'000 == 999) {
      const std::uint64_t page = (piece.base + random() % piece.size) / kPage;
      watched.add(page * kPage, (page + 1) * kPage);
      table.leave_out(page);
    }
    ASSERT_EQ(view.contains(address, length), table.contains(address, length)) << trial;
    const std::uint8_t* host = nullptr;
    std::uint64_t base = 0, size = 0;
    view.show_memory(host, base, size);
    ASSERT_EQ(size, table.longest_run());
    ASSERT_EQ(host, view.host(base));
    if (size != 0) {
      ASSERT_TRUE(view.contains(base, size));
    }
    if (!table.has(address)) continue;
    const std::uint64_t physical = table.physical(address);
    ASSERT_EQ(view.physical(address), physical);
    ASSERT_EQ(view.host(address), memory().host(static_cast<std::uint32_t>(physical)));
    std::set<std::uint64_t> addresses;
    view.each_address_of(physical, [&addresses](std::uint64_t at) { addresses.insert(at); });
    ASSERT_EQ(addresses, table.addresses_of(physical));
  }
}

TEST(MemoryView, SaysWhatATableOfPagesSays) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) compare(seed);
}

TEST(MemoryView, RefusesPiecesThatCannotBe) {
  MemoryView view(memory(), 0, 0, 4 * kPage);
  EXPECT_THROW(view.add({3 * kPage, 8 * kPage, kPage}), std::invalid_argument);         // overlaps the first
  EXPECT_THROW(view.add({8 * kPage, kPages * kPage, kPage}), std::invalid_argument);    // behind the memory
  EXPECT_THROW(view.add({8 * kPage, 0, (kPages + 1) * kPage}), std::invalid_argument);  // larger than it
  EXPECT_THROW(view.add({8 * kPage + 16, 8 * kPage, kPage}), std::invalid_argument);    // no whole page
  for (std::uint64_t i = 1; i < MemoryView::kMostPieces; ++i) view.add({8 * i * kPage, 0, kPage});
  EXPECT_THROW(view.add({100 * kPage, 0, kPage}), std::invalid_argument);
}

TEST(MemoryView, IsTheSameOnlyWithTheSamePieces) {
  MemoryView view(memory(), 0, 0, 4 * kPage), other = view;
  EXPECT_TRUE(view.is_same(other));
  other.add({8 * kPage, 0, kPage});
  EXPECT_FALSE(view.is_same(other));
  view.add({8 * kPage, kPage, kPage});
  EXPECT_FALSE(view.is_same(other));
}

}  // namespace
}  // namespace toroid
