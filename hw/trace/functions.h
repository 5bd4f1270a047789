// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "hw/isa/block_table.h"
#include "hw/kernel/elf_image.h"
#include "hw/trace/request.h"

namespace toroid::trace {

/// The functions of a program whose calls are recorded, and which of them a block begins.
class Functions {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Those whose names match `patterns`.
  Functions(const ElfImage& image, const Request::Patterns& patterns);

  const std::vector<std::string>& names() const { return names_; }

  /// The number of the function that `block` begins, or kNone.
  std::uint32_t of(const Block& block) {
    if (block.number < by_block_.size() && by_block_[block.number] != kUnknown) return by_block_[block.number];
    return look_up(block);
  }

 private:
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0} - 1;

  void choose(const ElfImage& image, const std::vector<std::string>& patterns);
  std::uint32_t look_up(const Block& block);

  std::vector<std::string> names_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_address_;  // looked up only, never iterated
  std::vector<std::uint32_t> by_block_;
};

}  // namespace toroid::trace
