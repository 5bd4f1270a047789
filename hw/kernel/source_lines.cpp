// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/source_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>

#include <string_view>

namespace toroid {
namespace {

/// The compilation unit that an address belongs to. Compilers may leave out the table that says so (.debug_aranges).
bool find_unit(Dwarf* dwarf, std::uint64_t address, Dwarf_Die& unit) {
  if (dwarf_addrdie(dwarf, address, &unit) != nullptr) return true;
  Dwarf_Off next = 0;
  std::size_t header_size = 0;
  for (Dwarf_Off offset = 0;
       dwarf_nextcu(dwarf, offset, &next, &header_size, nullptr, nullptr, nullptr) == 0 && next > offset;
       offset = next) {
    if (dwarf_offdie(dwarf, offset + header_size, &unit) != nullptr && dwarf_haspc(&unit, address) == 1) return true;
  }
  return false;
}

}  // namespace

SourceLines::SourceLines(const std::vector<std::uint8_t>& file) {
  elf_version(EV_CURRENT);
  // libelf wants to write where it may; it opens this to read.
  auto* image = reinterpret_cast<char*>(const_cast<std::uint8_t*>(file.data()));
  elf_ = elf_memory(image, file.size());
  dwarf_ = elf_ == nullptr ? nullptr : dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
}

SourceLines::~SourceLines() {
  dwarf_end(dwarf_);
  elf_end(elf_);
}

std::string SourceLines::at(std::uint64_t address) {
  Dwarf_Die unit{};
  if (dwarf_ == nullptr || !find_unit(dwarf_, address, unit)) return {};
  Dwarf_Line* const line = dwarf_getsrc_die(&unit, address);
  int number = 0;
  const char* const path = line == nullptr ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
  if (path == nullptr || dwarf_lineno(line, &number) != 0 || number <= 0) return {};
  const std::string_view whole(path);
  return std::string(whole.substr(whole.rfind('/') + 1)) + ":" + std::to_string(number);
}

}  // namespace toroid
