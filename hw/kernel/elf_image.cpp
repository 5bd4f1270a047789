// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/elf_image.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

/// Bounds-checked access to the file's big-endian fields.
class File {
 public:
  File(const std::vector<std::uint8_t>& bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  [[noreturn]] void fail(const std::string& what) const { throw ProgramError(path_ + ": " + what); }
  const std::uint8_t* at(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      fail("the file is cut short: it needs " + std::to_string(offset + size) + " bytes and has " +
           std::to_string(bytes_.size()));
    return bytes_.data() + offset;
  }
  std::uint16_t half(std::uint64_t offset) const { return load_be16(at(offset, 2)); }
  std::uint32_t word(std::uint64_t offset) const { return load_be32(at(offset, 4)); }
  bool holds(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }

 private:
  const std::vector<std::uint8_t>& bytes_;
  const std::string& path_;
};

constexpr const char* kWanted = "; a static 32-bit big-endian PowerPC executable is needed (toroid cc makes one)";

void check_header(const File& file, const std::vector<std::uint8_t>& bytes) {
  if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
    file.fail(std::string("not an ELF file") + kWanted);
  const std::uint8_t* ident = file.at(0, EI_NIDENT);
  const bool little = ident[EI_DATA] == ELFDATA2LSB;
  const std::uint8_t* machine_bytes = file.at(18, 2);
  const unsigned machine = little ? machine_bytes[1] << 8 | machine_bytes[0] : load_be16(machine_bytes);
  if (machine != EM_PPC) {
    const char* what = machine == EM_X86_64  ? "an x86-64 program"
                       : machine == EM_386   ? "an x86 program"
                       : machine == EM_PPC64 ? "a 64-bit PowerPC program"
                                             : nullptr;
    file.fail((what != nullptr ? what : "a program for ELF machine " + std::to_string(machine)) + std::string(kWanted));
  }
  if (ident[EI_CLASS] != ELFCLASS32) file.fail(std::string("not a 32-bit program") + kWanted);
  if (little) file.fail(std::string("a little-endian program") + kWanted);
  const unsigned type = file.half(16);
  if (type == ET_DYN) file.fail(std::string("a dynamic or position-independent program") + kWanted);
  if (type != ET_EXEC) file.fail(std::string("an object or core file, not a program") + kWanted);
}

}  // namespace

ElfImage ElfImage::read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw ProgramError(path + ": cannot open the program: " + std::strerror(errno));
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad() || bytes.empty()) throw ProgramError(path + ": cannot read the program, or it is empty");
  return parse(bytes, path);
}

ElfImage ElfImage::parse(const std::vector<std::uint8_t>& bytes, const std::string& path) {
  const File file(bytes, path);
  check_header(file, bytes);

  ElfImage image;
  image.entry_ = file.word(24);
  const std::uint32_t headers = file.word(28);
  image.program_header_size_ = file.half(42);
  image.program_header_count_ = file.half(44);
  if (image.program_header_size_ < sizeof(Elf32_Phdr)) file.fail("program headers of an impossible size");

  for (std::uint32_t i = 0; i < image.program_header_count_; ++i) {
    const std::uint64_t at = headers + std::uint64_t{i} * image.program_header_size_;
    const std::uint32_t type = file.word(at);
    if (type == PT_INTERP || type == PT_DYNAMIC) file.fail(std::string("a dynamically linked program") + kWanted);
    if (type == PT_GNU_STACK) image.executable_stack_ = (file.word(at + 24) & PF_X) != 0;
    if (type != PT_LOAD) continue;
    const std::uint32_t offset = file.word(at + 4);
    const std::uint32_t file_size = file.word(at + 16);
    const std::uint32_t flags = file.word(at + 24);
    Segment segment;
    segment.address = file.word(at + 8);
    segment.memory_size = file.word(at + 20);
    if (segment.memory_size == 0) continue;
    if (file_size > segment.memory_size) file.fail("a segment with more bytes in the file than in memory");
    if (std::uint64_t{segment.address} + segment.memory_size > std::uint64_t{1} << 32)
      file.fail("a segment that leaves the 32-bit address space");
    const std::uint8_t* data = file.at(offset, file_size);
    segment.bytes.assign(data, data + file_size);
    segment.writable = (flags & PF_W) != 0;
    segment.executable = (flags & PF_X) != 0;
    if (headers >= offset && headers - offset < file_size)
      image.program_headers_ = segment.address + (headers - offset);
    image.segments_.push_back(std::move(segment));
  }
  if (image.segments_.empty()) file.fail("a program without loadable segments");
  std::sort(image.segments_.begin(), image.segments_.end(),
            [](const Segment& a, const Segment& b) { return a.address < b.address; });
  for (std::size_t i = 1; i < image.segments_.size(); ++i) {
    const Segment& before = image.segments_[i - 1];
    if (before.address + before.memory_size > image.segments_[i].address) file.fail("overlapping segments");
  }

  // Symbols serve messages only: a file without them, or with a damaged table, still runs.
  const std::uint32_t sections = file.word(32);
  const std::uint32_t section_size = file.half(46);
  const std::uint32_t section_count = file.half(48);
  for (std::uint32_t i = 0; i < section_count; ++i) {
    const std::uint64_t at = sections + std::uint64_t{i} * section_size;
    if (!file.holds(at, sizeof(Elf32_Shdr))) continue;
    if (file.word(at + 4) == SHT_PROGBITS && (file.word(at + 8) & SHF_EXECINSTR) != 0) {
      image.code_.push_back({file.word(at + 12), file.word(at + 20)});
    }
    if (file.word(at + 4) != SHT_SYMTAB) continue;
    const std::uint64_t table = file.word(at + 16);
    const std::uint64_t table_size = file.word(at + 20);
    const std::uint64_t strings_at = sections + std::uint64_t{file.word(at + 24)} * section_size;
    if (!file.holds(table, table_size) || !file.holds(strings_at, sizeof(Elf32_Shdr))) continue;
    const std::uint64_t strings = file.word(strings_at + 16);
    const std::uint64_t strings_size = file.word(strings_at + 20);
    if (!file.holds(strings, strings_size)) continue;
    for (std::uint64_t entry = table; entry + sizeof(Elf32_Sym) <= table + table_size; entry += sizeof(Elf32_Sym)) {
      const unsigned type = *file.at(entry + 12, 1) & 0xF;
      if (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE) continue;
      const std::uint32_t name = file.word(entry);
      if (file.half(entry + 14) == SHN_UNDEF || name == 0 || name >= strings_size) continue;
      const char* text = reinterpret_cast<const char*>(file.at(strings + name, strings_size - name));
      image.symbols_.push_back({file.word(entry + 4), file.word(entry + 8),
                                std::string(text, strnlen(text, strings_size - name)), type == STT_FUNC});
    }
  }
  std::stable_sort(image.symbols_.begin(), image.symbols_.end(),
                   [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
  return image;
}

bool ElfImage::is_code(std::uint32_t address) const {
  return code_.empty() || std::any_of(code_.begin(), code_.end(),
                                      [address](const Code& code) { return address - code.address < code.size; });
}

std::uint32_t ElfImage::end() const {
  return segments_.back().address + segments_.back().memory_size;
}

std::string ElfImage::symbol_at(std::uint32_t address) const {
  auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                [](std::uint32_t value, const Symbol& symbol) { return value < symbol.address; });
  const Symbol* best = nullptr;
  // Aliases share an address, and labels have no size: take the nearest symbol that reaches the address.
  for (unsigned looked = 0; after != symbols_.begin() && looked < 32; ++looked) {
    --after;
    if (address - after->address < after->size || (after->size == 0 && after->address == address)) {
      best = &*after;
      break;
    }
  }
  if (best == nullptr) return {};
  // Names of C that happen to be short are those of C++ types as well.
  int status = -1;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      best->name.compare(0, 2, "_Z") == 0 ? abi::__cxa_demangle(best->name.c_str(), nullptr, nullptr, &status)
                                          : nullptr,
      std::free);
  char offset[16];
  std::snprintf(offset, sizeof offset, "+0x%x", address - best->address);
  return (status == 0 ? demangled.get() : best->name) + std::string(offset);
}

std::string ElfImage::describe(std::uint32_t address) const {
  char number[16];
  std::snprintf(number, sizeof number, "0x%08x", address);
  const std::string symbol = symbol_at(address);
  return symbol.empty() ? number : std::string(number) + " (" + symbol + ")";
}

std::vector<ElfImage::Function> ElfImage::functions() const {
  std::vector<Function> functions;
  for (const Symbol& symbol : symbols_) {
    if (symbol.function) functions.push_back({symbol.address, symbol.name});
  }
  return functions;
}

std::uint32_t ElfImage::address_of(const std::string& name) const {
  for (const Symbol& symbol : symbols_) {
    if (symbol.name == name) return symbol.address;
  }
  return 0;
}

}  // namespace toroid
