// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "hw/isa/block.h"
#include "hw/isa/block_decoder.h"
#include "hw/isa/line_size.h"

namespace toroid {

/// The basic blocks of one program, decoded once and shared by all cores that run it.
///
/// A block costs what its instruction set's pipelines say, from a standing start or behind the block that was executed
/// before it: a result that the predecessor still owes can hold up its first instructions. What a block owes is taken
/// from its run behind drained pipelines: what a block hands on unread to the next but one is lost.
class BlockTable {
 public:
  /// `code_line`: of the caches that hold the code.
  BlockTable(std::unique_ptr<BlockDecoder> decoder, LineSize code_line);

  const Block& find(std::uint64_t address, std::uint32_t size) {
    const Block* cached = cache_[(address >> 2) & (kCacheSize - 1)];
    if (cached->address == address && cached->size == size) return *cached;
    return find_slowly(address, size);
  }

  /// What `block` costs right behind `previous`; nullptr: behind drained pipelines.
  std::uint32_t cycles_behind(const Block* previous, const Block& block) {
    if (previous == nullptr || previous->settled) return block.cycles;
    for (const Block::Entry& entry : block.entries) {
      if (entry.from == previous) return entry.cycles;
    }
    return cycles_behind_slowly(*previous, block);
  }

  /// Of all block tables that there have been.
  std::uint64_t number() const { return number_; }

  /// The number of a line that belongs to a block; nullopt if none has it.
  std::optional<std::uint32_t> number_of_line(std::uint64_t line) const {
    const auto known = lines_.find(line);
    return known == lines_.end() ? std::nullopt : std::optional(known->second);
  }

  /// Of the caches that hold the code.
  LineSize code_line() const { return code_line_; }

  /// What single instructions are and do.
  const BlockDecoder& code() const { return *decoder_; }

 private:
  static constexpr unsigned kCacheSize = 8192;
  struct Place {
    std::uint64_t address;
    std::uint32_t size;
    bool operator==(const Place& other) const { return address == other.address && size == other.size; }
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const {
      return std::hash<std::uint64_t>()(place.address ^ std::uint64_t{place.size} << 48);
    }
  };

  void number_lines(Block& block);
  const Block& find_slowly(std::uint64_t address, std::uint32_t size);
  std::uint32_t cycles_behind_slowly(const Block& previous, const Block& block);

  const std::uint64_t number_;
  std::unique_ptr<BlockDecoder> decoder_;
  const LineSize code_line_;
  Block empty_;
  std::vector<const Block*> cache_;
  std::unordered_map<Place, std::unique_ptr<Block>, PlaceHash> blocks_;  // looked up only, never iterated
  std::unordered_map<std::uint64_t, std::uint32_t> lines_;    // numbers of lines; looked up only, never iterated
  std::unordered_map<std::uint64_t, std::uint32_t> entries_;  // by the numbers of both blocks; never iterated
};

}  // namespace toroid
