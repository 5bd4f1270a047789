// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/isa/block_table.h"
#include "hw/isa/isa.h"
#include "hw/kernel/abi/abi.h"
#include "hw/kernel/elf_image.h"
#include "hw/kernel/symboliser.h"
#include "hw/memory/image_file.h"

namespace toroid {

/// A program as all its processes share it: the image, the costs of its blocks, and what the core must know of its
/// code.
///
/// What the engine does not execute as the machine does (Isa::replace_instructions()), the loader replaces by a system
/// call and remembers. Code cannot be written or made at run time (AddressSpace refuses it), so this finds all of it.
class Program {
 public:
  /// For the machine `computer` or, if that is empty, for any with such cores; `code_line`: of their caches of code;
  /// `frame`: of its signals' handlers, whose way back the program gets (way_back.h). Throws ProgramError.
  static std::shared_ptr<Program> read(const std::string& path, std::shared_ptr<const Isa> isa, LineSize code_line,
                                       const std::string& computer = {}, const SignalFrame& frame = {});
  Program(ElfImage image, std::shared_ptr<const Isa> isa, LineSize code_line, const SignalFrame& frame = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const Isa& isa() const { return *isa_; }
  const ElfImage& image() const { return image_; }
  BlockTable& blocks() { return *blocks_; }
  /// The bytes of the image's segment `number`.
  const ImageFile& file_of(std::size_t number) const { return *files_[number]; }
  Symboliser& symbols() { return symbols_; }
  /// The instruction that stood at `address` before the loader replaced it; nullptr where it has not.
  const ReplacedInstruction* replaced_at(std::uint64_t address) const;
  /// Puts the original instructions into `bytes`, a copy of what lies at `address`.
  void restore_code(std::uint64_t address, std::string& bytes) const;

 private:
  std::shared_ptr<const Isa> isa_;
  ElfImage image_;
  Symboliser symbols_{image_};
  std::vector<std::unique_ptr<ImageFile>> files_;  ///< by segment
  std::unique_ptr<BlockTable> blocks_;
  std::vector<ReplacedInstruction> replaced_;  // by rising address
};

}  // namespace toroid
