// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/block_table.h"

#include <algorithm>
#include <utility>

namespace toroid {

namespace {

std::uint64_t next_number() {
  static std::uint64_t last = 0;
  return ++last;
}

}  // namespace

BlockTable::BlockTable(std::unique_ptr<BlockDecoder> decoder, LineSize code_line)
    : number_(next_number()), decoder_(std::move(decoder)), code_line_(code_line), cache_(kCacheSize, &empty_) {}

void BlockTable::number_lines(Block& block) {
  const std::uint64_t last = code_line_.number(block.address + std::max(block.size, 1u) - 1);
  for (std::uint64_t line = code_line_.number(block.address); line <= last; ++line) {
    const auto number = static_cast<std::uint32_t>(lines_.size());
    block.lines.push_back({line, lines_.try_emplace(line, number).first->second});
  }
}

const Block& BlockTable::find_slowly(std::uint64_t address, std::uint32_t size) {
  std::unique_ptr<Block>& known = blocks_[{address, size}];
  if (!known) {
    auto block = std::make_unique<Block>();
    block->address = address;
    block->size = size;
    block->number = static_cast<std::uint32_t>(blocks_.size());
    number_lines(*block);
    decoder_->decode(*block);
    const std::vector<PlannedAccess>& accesses = block->plan.accesses();
    block->stores = static_cast<std::uint32_t>(
        std::count_if(accesses.begin(), accesses.end(), [](const PlannedAccess& each) { return writes(each.kind); }));
    known = std::move(block);
  }
  cache_[(address >> 2) & (kCacheSize - 1)] = known.get();
  return *known;
}

std::uint32_t BlockTable::cycles_behind_slowly(const Block& previous, const Block& block) {
  const auto [entry, fresh] = entries_.try_emplace(std::uint64_t{previous.number} << 32 | block.number);
  if (fresh) entry->second = decoder_->cycles_behind(previous, block);
  block.entries[1] = block.entries[0];
  block.entries[0] = {&previous, entry->second};
  return entry->second;
}

}  // namespace toroid
