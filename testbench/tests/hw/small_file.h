// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "hw/memory/big_endian.h"

namespace toroid {

/// A program file of what its segments load and its symbols, and nothing else.
class SmallFile {
 public:
  /// `bytes` in the file for a segment of `memory_size`.
  SmallFile& segment(std::uint32_t address, std::uint32_t memory_size, std::uint32_t flags,
                     std::vector<std::uint8_t> bytes) {
    segments_.push_back({address, memory_size, flags, std::move(bytes)});
    return *this;
  }

  SmallFile& symbol(std::uint32_t address, std::uint32_t size, const std::string& name) {
    symbols_.push_back({address, size, name});
    return *this;
  }

  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> file(sizeof(Elf32_Ehdr) + segments_.size() * sizeof(Elf32_Phdr));
    std::memcpy(file.data(), ELFMAG, SELFMAG);
    file[EI_CLASS] = ELFCLASS32;
    file[EI_DATA] = ELFDATA2MSB;
    store_be16(&file[16], ET_EXEC);
    store_be16(&file[18], EM_PPC);
    store_be32(&file[24], segments_.front().address);
    store_be32(&file[28], sizeof(Elf32_Ehdr));
    store_be16(&file[42], sizeof(Elf32_Phdr));
    store_be16(&file[44], static_cast<std::uint16_t>(segments_.size()));
    std::size_t header = sizeof(Elf32_Ehdr);
    for (const Segment& segment : segments_) {
      const std::uint32_t fields[] = {
          PT_LOAD,         static_cast<std::uint32_t>(file.size()),          segment.address,
          segment.address, static_cast<std::uint32_t>(segment.bytes.size()), segment.memory_size,
          segment.flags};
      for (const std::uint32_t field : fields) {
        store_be32(&file[header], field);
        header += 4;
      }
      header += 4;  // the alignment
      file.insert(file.end(), segment.bytes.begin(), segment.bytes.end());
    }
    if (!symbols_.empty()) add_symbols(file);
    return file;
  }

 private:
  static void add(std::vector<std::uint8_t>& file, std::initializer_list<std::uint32_t> words) {
    for (const std::uint32_t word : words) {
      file.resize(file.size() + 4);
      store_be32(&file[file.size() - 4], word);
    }
  }

  void add_symbols(std::vector<std::uint8_t>& file) const {
    const auto table = static_cast<std::uint32_t>(file.size());
    std::string names(1, 0);
    for (const Symbol& symbol : symbols_) {
      add(file, {static_cast<std::uint32_t>(names.size()), symbol.address, symbol.size, STT_FUNC << 24 | 1});
      names += symbol.name + std::string(1, 0);
    }
    const auto strings = static_cast<std::uint32_t>(file.size());
    file.insert(file.end(), names.begin(), names.end());
    store_be32(&file[32], static_cast<std::uint32_t>(file.size()));
    store_be16(&file[46], sizeof(Elf32_Shdr));
    store_be16(&file[48], 2);
    add(file, {0, SHT_SYMTAB, 0, 0, table, strings - table, 1, 0, 4, sizeof(Elf32_Sym)});
    add(file, {0, SHT_STRTAB, 0, 0, strings, static_cast<std::uint32_t>(names.size()), 0, 0, 1, 0});
  }

  struct Symbol {
    std::uint32_t address;
    std::uint32_t size;
    std::string name;
  };
  struct Segment {
    std::uint32_t address;
    std::uint32_t memory_size;
    std::uint32_t flags;
    std::vector<std::uint8_t> bytes;
  };
  std::vector<Segment> segments_;
  std::vector<Symbol> symbols_;
};

}  // namespace toroid
