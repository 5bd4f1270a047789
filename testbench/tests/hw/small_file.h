// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "hw/kernel/elf_file.h"
#include "hw/memory/byte_order.h"

namespace toroid {

inline const ElfFormat kPpc32Format{EM_PPC, 4, ByteOrder::big, "32-bit big-endian PowerPC"};

/// A program file of what its segments load and its symbols, and nothing else.
class SmallFile {
 public:
  explicit SmallFile(ElfFormat format = kPpc32Format) : format_(std::move(format)) {}

  /// `bytes` in the file for a segment of `memory_size`.
  SmallFile& segment(std::uint64_t address, std::uint64_t memory_size, std::uint32_t flags,
                     std::vector<std::uint8_t> bytes) {
    segments_.push_back({address, memory_size, flags, std::move(bytes)});
    return *this;
  }

  SmallFile& symbol(std::uint64_t address, std::uint64_t size, const std::string& name) {
    symbols_.push_back({address, size, name});
    return *this;
  }

  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> file(EI_NIDENT);
    std::memcpy(file.data(), ELFMAG, SELFMAG);
    file[EI_CLASS] = wide() ? ELFCLASS64 : ELFCLASS32;
    file[EI_DATA] = format_.byte_order == ByteOrder::little ? ELFDATA2LSB : ELFDATA2MSB;
    const std::size_t headers = (wide() ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)), header = wide() ? 56 : 32;
    add(file, {{ET_EXEC, 2}, {format_.machine, 2}, {EV_CURRENT, 4}});
    add(file, {{segments_.front().address, word()}, {headers, word()}, {0, word()}, {0, 4}, {headers, 2}});
    add(file, {{header, 2}, {segments_.size(), 2}, {0, 2}, {0, 2}, {0, 2}});
    std::uint64_t place = headers + segments_.size() * header;
    for (const Segment& segment : segments_) {
      add_segment(file, segment, place);
      place += segment.bytes.size();
    }
    for (const Segment& segment : segments_) file.insert(file.end(), segment.bytes.begin(), segment.bytes.end());
    if (!symbols_.empty()) add_symbols(file);
    return file;
  }

 private:
  struct Symbol {
    std::uint64_t address;
    std::uint64_t size;
    std::string name;
  };
  struct Segment {
    std::uint64_t address;
    std::uint64_t memory_size;
    std::uint32_t flags;
    std::vector<std::uint8_t> bytes;
  };
  struct Number {
    std::uint64_t value;
    unsigned size;
  };

  bool wide() const { return format_.word_bytes == 8; }
  unsigned word() const { return format_.word_bytes; }

  void add(std::vector<std::uint8_t>& file, std::initializer_list<Number> numbers) const {
    for (const Number& number : numbers) {
      file.resize(file.size() + number.size);
      put(file, file.size() - number.size, number);
    }
  }
  void put(std::vector<std::uint8_t>& file, std::size_t at, const Number& number) const {
    store_number(&file[at], number.value, number.size, format_.byte_order);
  }

  void add_segment(std::vector<std::uint8_t>& file, const Segment& segment, std::uint64_t place) const {
    add(file, {{PT_LOAD, 4}});
    if (wide()) add(file, {{segment.flags, 4}});
    add(file, {{place, word()}, {segment.address, word()}, {segment.address, word()}});
    add(file, {{segment.bytes.size(), word()}, {segment.memory_size, word()}});
    if (!wide()) add(file, {{segment.flags, 4}});
    add(file, {{0, word()}});  // the alignment
  }

  void add_symbols(std::vector<std::uint8_t>& file) const {
    const std::size_t table = file.size();
    std::string names(1, 0);
    for (const Symbol& symbol : symbols_) {
      if (wide()) {
        add(file, {{names.size(), 4}, {STT_FUNC, 1}, {0, 1}, {1, 2}, {symbol.address, 8}, {symbol.size, 8}});
      } else {
        add(file, {{names.size(), 4}, {symbol.address, 4}, {symbol.size, 4}, {STT_FUNC, 1}, {0, 1}, {1, 2}});
      }
      names += symbol.name + std::string(1, 0);
    }
    const std::size_t strings = file.size();
    file.insert(file.end(), names.begin(), names.end());
    put(file, wide() ? offsetof(Elf64_Ehdr, e_shoff) : offsetof(Elf32_Ehdr, e_shoff), {file.size(), word()});
    put(file, wide() ? offsetof(Elf64_Ehdr, e_shentsize) : offsetof(Elf32_Ehdr, e_shentsize),
        {wide() ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2});
    put(file, wide() ? offsetof(Elf64_Ehdr, e_shnum) : offsetof(Elf32_Ehdr, e_shnum), {2, 2});
    add_section(file, SHT_SYMTAB, table, strings - table);
    add_section(file, SHT_STRTAB, strings, names.size());
  }
  void add_section(std::vector<std::uint8_t>& file, std::uint32_t type, std::size_t at, std::size_t size) const {
    const unsigned link = type == SHT_SYMTAB ? 1 : 0;
    add(file, {{0, 4}, {type, 4}, {0, word()}, {0, word()}, {at, word()}, {size, word()}});
    add(file, {{link, 4}, {0, 4}, {1, word()}, {0, word()}});
  }

  const ElfFormat format_;
  std::vector<Segment> segments_;
  std::vector<Symbol> symbols_;
};

}  // namespace toroid
