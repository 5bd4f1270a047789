// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/core/core_config.h"
#include "hw/isa/block_table.h"
#include "hw/kernel/elf_image.h"
#include "hw/kernel/symboliser.h"

namespace toroid {

/// A program as all its processes share it: the image, the costs of its blocks, and what the core must know of its
/// code.
///
/// The engine has no time base, and its processor version is not the machine's (and privileged, though Linux lets
/// programs read it): the loader replaces each read of these registers in the code by `sc` and remembers what stood
/// there. Code cannot be written or made at run time (AddressSpace refuses it), so this finds them all.
class Program {
 public:
  /// Throws ProgramError.
  static std::shared_ptr<Program> read(const std::string& path, const CoreConfig& config);
  Program(ElfImage image, const CoreConfig& config);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const ElfImage& image() const { return image_; }
  BlockTable& blocks() { return *blocks_; }
  Symboliser& symbols() { return symbols_; }
  /// The special-register read that stood at `address`, or 0.
  std::uint32_t special_read_at(std::uint32_t address) const;

 private:
  struct SpecialRead {
    std::uint32_t address;
    std::uint32_t word;
  };

  ElfImage image_;
  Symboliser symbols_{image_};
  std::unique_ptr<BlockTable> blocks_;
  std::vector<SpecialRead> special_reads_;  // by rising address
};

}  // namespace toroid
