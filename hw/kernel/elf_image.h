// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/kernel/elf_file.h"

namespace toroid {

/// A static ELF executable of 32 or 64 bits and either byte order, read and checked.
///
/// Files come from anywhere. Whatever one says, it costs host memory and time in proportion to its size: segments load
/// no more bytes than it has, however far apart they lie, and names stay where they are in it.
class ElfImage {
 public:
  struct Segment {
    std::uint64_t address = 0;
    std::uint64_t memory_size = 0;  ///< what lies beyond the bytes is zero
    std::vector<std::uint8_t> bytes;
    bool writable = false;
    bool executable = false;

    std::uint64_t end() const { return address + memory_size; }
  };

  /// Throws ProgramError, also if the file is not of the `wanted` format.
  static ElfImage read(const std::string& path, const ElfFormat& wanted);
  /// The same for a file's contents; `path` is for messages.
  static ElfImage parse(std::vector<std::uint8_t> file, const std::string& path, const ElfFormat& wanted);

  /// The whole file.
  const std::vector<std::uint8_t>& file() const { return *file_; }
  std::uint64_t entry() const { return entry_; }
  /// Loaded segments by rising address; they do not overlap.
  const std::vector<Segment>& segments() const { return segments_; }
  std::vector<Segment>& segments() { return segments_; }
  /// Program headers as the process finds them in its memory (for AT_PHDR), 0 where they are not loaded.
  std::uint64_t program_headers() const { return program_headers_; }
  std::uint32_t program_header_count() const { return program_header_count_; }
  std::uint32_t program_header_size() const { return program_header_size_; }
  /// Whether the file says that instructions, not data, stand at an address of an executable segment. A file without
  /// section headers says so of all of them.
  bool is_code(std::uint64_t address) const;
  /// Whether the file asks for a stack that can be executed: it makes nested functions' trampolines there.
  bool executable_stack() const { return executable_stack_; }
  /// The machine that the program has been linked for, if it says so (machine_note.h); otherwise empty.
  std::string_view machine() const { return machine_; }
  /// First address behind all segments; 2^32 if those of a 32-bit program end with its address space.
  std::uint64_t end() const;

  /// The symbol that an address belongs to, named as the file names it, with up to 4096 characters. The name lives as
  /// long as the image. Messages show what Symboliser makes of it.
  struct SymbolOffset {
    std::string_view name;
    std::uint64_t offset = 0;  ///< of the address, from the symbol's
  };
  std::optional<SymbolOffset> symbol_at(std::uint64_t address) const;
  /// Functions by rising address; aliases one after the other. The names live as long as the image.
  struct Function {
    std::uint64_t address = 0;
    std::string_view name;
  };
  std::vector<Function> functions() const;
  /// Addresses of the objects whose names begin with `prefix`, rising.
  std::vector<std::uint64_t> objects(std::string_view prefix) const;
  /// The address of the function or object `name`, or 0.
  std::uint64_t address_of(std::string_view name) const;

 private:
  struct Symbol {
    std::uint64_t address;
    std::uint64_t size;
    std::uint32_t name;  ///< its place in the file
    bool function;
  };

  struct Code {
    std::uint64_t begin;
    std::uint64_t end;
  };

  void read_segments(const ElfFile& file);
  void add_segment(const ElfFile& file, const ElfFile::Segment& header);
  void tell_data_from_code();
  void read_sections(const ElfFile& file);
  void read_note(const ElfFile& file, const ElfFile::Section& section);
  void merge_code(std::vector<Code> sections);
  void follow_descriptors();
  void read_symbols(const ElfFile& file, const ElfFile::Section& table, const ElfFile::Section& strings);
  std::string_view name_of(const Symbol& symbol) const;

  std::shared_ptr<const std::vector<std::uint8_t>> file_;
  std::string_view machine_;

  std::uint64_t entry_ = 0;
  std::uint64_t program_headers_ = 0;
  std::uint32_t program_header_count_ = 0;
  std::uint32_t program_header_size_ = 0;
  bool executable_stack_ = false;
  std::vector<Segment> segments_;
  std::vector<Code> code_;         // sections of instructions by rising address, without overlaps
  std::vector<Symbol> symbols_;    // functions and objects by rising address
  std::uint64_t strings_end_ = 0;  // of the symbols' names, in the file
};

}  // namespace toroid
