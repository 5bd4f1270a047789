// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/isa/isa.h"
#include "hw/memory/byte_order.h"

namespace toroid {

/// A program file the kernel cannot run: which file, what is wrong, what would be right.
class ProgramError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Which ELF files an instruction set's programs are.
struct ElfFormat {
  std::uint16_t machine;  ///< e_machine
  unsigned word_bytes;    ///< 4 or 8
  ByteOrder byte_order;
  std::string description;    ///< as people call it: "32-bit big-endian PowerPC"
  std::string computer = {};  ///< whose cores these are, as `--machine` calls it; empty: any

  static ElfFormat of(const Isa& isa, const std::string& computer = {}) {
    return {isa.elf_machine(), isa.word_bytes(), isa.byte_order(), isa.description(), computer};
  }
  /// The command that compiles such programs.
  std::string compiler() const { return computer.empty() ? "toroid cc" : "toroid cc --machine " + computer; }
};

/// The headers and tables of an ELF executable of 32 or 64 bits and either byte order, as numbers of the host. All
/// reading is bounds-checked; what is damaged throws ProgramError.
class ElfFile {
 public:
  /// Checks that it is a static executable of the `wanted` format. `bytes`, `path` (for messages) and `wanted` must
  /// outlive this.
  ElfFile(const std::vector<std::uint8_t>& bytes, const std::string& path, const ElfFormat& wanted);

  /// A table of headers: `count` of `size` bytes each, from `at` in the file on.
  struct Table {
    std::uint64_t at;
    std::uint32_t size;
    std::uint32_t count;
  };
  std::uint64_t entry() const { return entry_; }
  const Table& segments() const { return segments_; }
  const Table& sections() const { return sections_; }

  struct Segment {
    std::uint32_t type;
    std::uint32_t flags;
    std::uint64_t offset;
    std::uint64_t address;
    std::uint64_t file_size;
    std::uint64_t memory_size;
  };
  Segment segment(std::uint32_t number) const;
  struct Section {
    std::uint32_t type;
    std::uint64_t flags;
    std::uint64_t address;
    std::uint64_t offset;
    std::uint64_t size;
    std::uint32_t link;
  };
  /// Whether the file is long enough to have the header of section `number`.
  bool has_section(std::uint32_t number) const;
  Section section(std::uint32_t number) const;
  struct Symbol {
    std::uint32_t name;
    std::uint8_t type;
    std::uint16_t section;
    std::uint64_t address;
    std::uint64_t size;
  };
  /// The symbol at `offset` in the file, and how many bytes one takes.
  Symbol symbol(std::uint64_t offset) const;
  std::uint64_t symbol_size() const;

  /// The word of 4 bytes at `offset`.
  std::uint32_t word(std::uint64_t offset) const { return load_u32(at(offset, 4), order_); }

  std::uint64_t size() const { return bytes_.size(); }
  bool holds(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }
  /// Throws if the file does not hold them.
  const std::uint8_t* at(std::uint64_t offset, std::uint64_t size) const;
  [[noreturn]] void fail(const std::string& what) const { throw ProgramError(path_ + ": " + what); }
  /// Of a file that would have to be another one: says which.
  [[noreturn]] void refuse(const std::string& what) const;
  bool wide() const { return wide_; }

 private:
  void check_identity(const ElfFormat& wanted);
  template <typename Header>
  void read_header();
  template <typename Struct>
  Struct copy(std::uint64_t offset) const;
  template <typename Number>
  Number number(Number raw) const;
  std::uint64_t place(const Table& table, std::uint32_t number) const;

  const std::vector<std::uint8_t>& bytes_;
  const std::string& path_;
  const ElfFormat& wanted_;
  bool wide_ = false;
  ByteOrder order_ = ByteOrder::big;
  std::uint64_t entry_ = 0;
  Table segments_{};
  Table sections_{};
};

/// What a message says of a file that is not of the wanted format: "; a static ... executable is needed (...)".
std::string wanted_instead(const ElfFormat& wanted);

}  // namespace toroid
