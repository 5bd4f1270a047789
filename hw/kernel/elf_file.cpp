// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/elf_file.h"

#include <elf.h>

#include <cstddef>
#include <cstring>

namespace toroid {
namespace {

std::string name_of_machine(unsigned machine) {
  switch (machine) {
    case EM_PPC:
    case EM_PPC64:
      return "PowerPC";
    case EM_386:
      return "x86";
    case EM_X86_64:
      return "x86-64";
    case EM_ARM:
    case EM_AARCH64:
      return "Arm";
    case EM_RISCV:
      return "RISC-V";
    default:
      return "ELF machine " + std::to_string(machine);
  }
}

}  // namespace

std::string wanted_instead(const ElfFormat& wanted) {
  return "; a static " + wanted.description + " executable is needed (" + wanted.compiler() + " makes one)";
}

ElfFile::ElfFile(const std::vector<std::uint8_t>& bytes, const std::string& path, const ElfFormat& wanted)
    : bytes_(bytes), path_(path), wanted_(wanted) {
  check_identity(wanted);
  wide_ ? read_header<Elf64_Ehdr>() : read_header<Elf32_Ehdr>();
}

void ElfFile::check_identity(const ElfFormat& wanted) {
  if (bytes_.size() < SELFMAG || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0) refuse("not an ELF file");
  const std::uint8_t* const identity = at(0, EI_NIDENT);
  wide_ = identity[EI_CLASS] == ELFCLASS64;
  order_ = identity[EI_DATA] == ELFDATA2LSB ? ByteOrder::little : ByteOrder::big;
  const std::uint16_t machine = load_u16(at(offsetof(Elf32_Ehdr, e_machine), 2), order_);
  if (machine == wanted.machine && wide_ == (wanted.word_bytes == 8) && order_ == wanted.byte_order) return;
  refuse(std::string("a program for ") + (wide_ ? "64" : "32") + "-bit " + toroid::name_of(order_) + " " +
         name_of_machine(machine) + ", and the machine's cores are " + wanted.description);
}

template <typename Header>
void ElfFile::read_header() {
  const auto header = copy<Header>(0);
  const unsigned type = number(header.e_type);
  if (type == ET_DYN) refuse("a dynamic or position-independent program");
  if (type != ET_EXEC) refuse("an object or core file, not a program");
  // In version 2, functions have no descriptors, and the entry is code.
  const unsigned abi = number(header.e_flags) & EF_PPC64_ABI;
  if (wanted_.machine == EM_PPC64 && abi > 1)
    refuse("a program of version " + std::to_string(abi) +
           " of the 64-bit PowerPC ELF ABI, and the machine's are of "
           "version 1");
  entry_ = number(header.e_entry);
  segments_ = {number(header.e_phoff), number(header.e_phentsize), number(header.e_phnum)};
  sections_ = {number(header.e_shoff), number(header.e_shentsize), number(header.e_shnum)};
  if (segments_.size < (wide_ ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr))) fail("program headers of an impossible size");
  // A file without sections says so in either of these.
  if (sections_.size < (wide_ ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr))) sections_.count = 0;
}

void ElfFile::refuse(const std::string& what) const {
  fail(what + wanted_instead(wanted_));
}

const std::uint8_t* ElfFile::at(std::uint64_t offset, std::uint64_t size) const {
  if (!holds(offset, size)) {
    std::uint64_t needed = 0;
    if (__builtin_add_overflow(offset, size, &needed)) needed = ~std::uint64_t{0};
    fail("the file is cut short: it needs " + std::to_string(needed) + " bytes and has " +
         std::to_string(bytes_.size()));
  }
  return bytes_.data() + offset;
}

template <typename Struct>
Struct ElfFile::copy(std::uint64_t offset) const {
  Struct result;
  std::memcpy(&result, at(offset, sizeof result), sizeof result);
  return result;
}

/// A number of the file as the host has it.
template <typename Number>
Number ElfFile::number(Number raw) const {
  std::uint8_t bytes[sizeof raw];
  std::memcpy(bytes, &raw, sizeof raw);
  return static_cast<Number>(load_number(bytes, sizeof raw, order_));
}

/// Where an entry of a table lies; behind every file where that cannot be told.
std::uint64_t ElfFile::place(const Table& table, std::uint32_t number) const {
  std::uint64_t offset = 0;
  return __builtin_add_overflow(table.at, std::uint64_t{number} * table.size, &offset) ? ~std::uint64_t{0} : offset;
}

ElfFile::Segment ElfFile::segment(std::uint32_t which) const {
  const auto of = [this](const auto& header) {
    return Segment{number(header.p_type),  number(header.p_flags),  number(header.p_offset),
                   number(header.p_vaddr), number(header.p_filesz), number(header.p_memsz)};
  };
  const std::uint64_t offset = place(segments_, which);
  return wide_ ? of(copy<Elf64_Phdr>(offset)) : of(copy<Elf32_Phdr>(offset));
}

bool ElfFile::has_section(std::uint32_t which) const {
  return holds(place(sections_, which), wide_ ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
}

ElfFile::Section ElfFile::section(std::uint32_t which) const {
  const auto of = [this](const auto& header) {
    return Section{number(header.sh_type),   number(header.sh_flags), number(header.sh_addr),
                   number(header.sh_offset), number(header.sh_size),  number(header.sh_link)};
  };
  const std::uint64_t offset = place(sections_, which);
  return wide_ ? of(copy<Elf64_Shdr>(offset)) : of(copy<Elf32_Shdr>(offset));
}

ElfFile::Symbol ElfFile::symbol(std::uint64_t offset) const {
  const auto of = [this](const auto& entry) {
    return Symbol{number(entry.st_name), static_cast<std::uint8_t>(entry.st_info & 0xF), number(entry.st_shndx),
                  number(entry.st_value), number(entry.st_size)};
  };
  return wide_ ? of(copy<Elf64_Sym>(offset)) : of(copy<Elf32_Sym>(offset));
}

std::uint64_t ElfFile::symbol_size() const {
  return wide_ ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

}  // namespace toroid
