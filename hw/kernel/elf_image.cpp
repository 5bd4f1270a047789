// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/elf_image.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

constexpr std::uint64_t kLargestFile = 1 << 30;  // more than programs have with all that debuggers want to know
constexpr std::size_t kLongestName = 4096;       // of a symbol; what is longer is cut
constexpr const char* kWanted = "; a static 32-bit big-endian PowerPC executable is needed (toroid cc makes one)";

}  // namespace

/// Bounds-checked access to the file's big-endian fields.
class ElfImage::File {
 public:
  File(const std::vector<std::uint8_t>& bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  [[noreturn]] void fail(const std::string& what) const { throw ProgramError(path_ + ": " + what); }
  std::uint64_t size() const { return bytes_.size(); }
  const std::uint8_t* at(std::uint64_t offset, std::uint64_t size) const {
    if (!holds(offset, size))
      fail("the file is cut short: it needs " + std::to_string(offset + size) + " bytes and has " +
           std::to_string(bytes_.size()));
    return bytes_.data() + offset;
  }
  std::uint16_t half(std::uint64_t offset) const { return load_be16(at(offset, 2)); }
  std::uint32_t word(std::uint64_t offset) const { return load_be32(at(offset, 4)); }
  bool holds(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }
  void check_header() const;

 private:
  const std::vector<std::uint8_t>& bytes_;
  const std::string& path_;
};

void ElfImage::File::check_header() const {
  if (bytes_.size() < SELFMAG || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0)
    fail(std::string("not an ELF file") + kWanted);
  const std::uint8_t* ident = at(0, EI_NIDENT);
  const bool little = ident[EI_DATA] == ELFDATA2LSB;
  const std::uint8_t* machine_bytes = at(18, 2);
  const unsigned machine = little ? machine_bytes[1] << 8 | machine_bytes[0] : load_be16(machine_bytes);
  if (machine != EM_PPC) {
    const char* what = machine == EM_X86_64  ? "an x86-64 program"
                       : machine == EM_386   ? "an x86 program"
                       : machine == EM_PPC64 ? "a 64-bit PowerPC program"
                                             : nullptr;
    fail((what != nullptr ? what : "a program for ELF machine " + std::to_string(machine)) + std::string(kWanted));
  }
  if (ident[EI_CLASS] != ELFCLASS32) fail(std::string("not a 32-bit program") + kWanted);
  if (little) fail(std::string("a little-endian program") + kWanted);
  const unsigned type = half(16);
  if (type == ET_DYN) fail(std::string("a dynamic or position-independent program") + kWanted);
  if (type != ET_EXEC) fail(std::string("an object or core file, not a program") + kWanted);
}

ElfImage ElfImage::read(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw ProgramError(path + ": not a regular file" + kWanted);
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) throw ProgramError(path + ": cannot open the program: " + std::strerror(errno));
  const auto size = static_cast<std::uint64_t>(stream.tellg());
  if (size > kLargestFile)
    throw ProgramError(path + ": a file of " + std::to_string(size) + " bytes; programs of up to " +
                       std::to_string(kLargestFile) + " are read");
  std::vector<std::uint8_t> bytes(size);
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!stream || bytes.empty()) throw ProgramError(path + ": cannot read the program, or it is empty");
  return parse(std::move(bytes), path);
}

ElfImage ElfImage::parse(std::vector<std::uint8_t> bytes, const std::string& path) {
  ElfImage image;
  image.file_ = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
  const File file(*image.file_, path);
  file.check_header();
  image.entry_ = file.word(24);
  image.read_segments(file);
  image.read_sections(file);
  return image;
}

void ElfImage::read_segments(const File& file) {
  const std::uint32_t headers = file.word(28);
  program_header_size_ = file.half(42);
  program_header_count_ = file.half(44);
  if (program_header_size_ < sizeof(Elf32_Phdr)) file.fail("program headers of an impossible size");

  std::uint64_t loaded = 0;
  for (std::uint32_t i = 0; i < program_header_count_; ++i) {
    const std::uint64_t at = headers + std::uint64_t{i} * program_header_size_;
    const std::uint32_t type = file.word(at);
    if (type == PT_INTERP || type == PT_DYNAMIC) file.fail(std::string("a dynamically linked program") + kWanted);
    if (type == PT_GNU_STACK) executable_stack_ = (file.word(at + 24) & PF_X) != 0;
    if (type != PT_LOAD) continue;
    const std::uint32_t offset = file.word(at + 4);
    const std::uint32_t file_size = file.word(at + 16);
    const std::uint32_t flags = file.word(at + 24);
    Segment segment;
    segment.address = file.word(at + 8);
    segment.memory_size = file.word(at + 20);
    if (segment.memory_size == 0) continue;
    if (file_size > segment.memory_size) file.fail("a segment with more bytes in the file than in memory");
    if (segment.end() > std::uint64_t{1} << 32) file.fail("a segment that leaves the 32-bit address space");
    const std::uint8_t* data = file.at(offset, file_size);
    loaded += file_size;
    if (loaded > file.size()) file.fail("segments that load the same bytes of the file several times");
    segment.bytes.assign(data, data + file_size);
    segment.writable = (flags & PF_W) != 0;
    segment.executable = (flags & PF_X) != 0;
    if (headers >= offset && headers - offset < file_size) program_headers_ = segment.address + (headers - offset);
    segments_.push_back(std::move(segment));
  }
  if (segments_.empty()) file.fail("a program without loadable segments");
  std::sort(segments_.begin(), segments_.end(),
            [](const Segment& a, const Segment& b) { return a.address < b.address; });
  for (std::size_t i = 1; i < segments_.size(); ++i) {
    if (segments_[i - 1].end() > segments_[i].address) file.fail("overlapping segments");
  }
}

/// Sections serve messages, and tell instructions from data: a file without them, or with a damaged table, still runs.
void ElfImage::read_sections(const File& file) {
  const std::uint32_t sections = file.word(32);
  const std::uint32_t section_size = file.half(46);
  const std::uint32_t section_count = file.half(48);
  if (section_size < sizeof(Elf32_Shdr)) return;
  bool has_symbols = false;
  std::vector<Code> code;
  for (std::uint32_t i = 0; i < section_count; ++i) {
    const std::uint64_t at = sections + std::uint64_t{i} * section_size;
    if (!file.holds(at, sizeof(Elf32_Shdr))) continue;
    if (file.word(at + 4) == SHT_PROGBITS && (file.word(at + 8) & SHF_EXECINSTR) != 0) {
      const std::uint64_t begin = file.word(at + 12);
      code.push_back({begin, begin + file.word(at + 20)});
    }
    // A file has one table of symbols; headers that name it again would cost its reading each time.
    if (file.word(at + 4) != SHT_SYMTAB || has_symbols) continue;
    has_symbols = true;
    const std::uint64_t strings = sections + std::uint64_t{file.word(at + 24)} * section_size;
    if (!file.holds(strings, sizeof(Elf32_Shdr))) continue;
    read_symbols(file, file.word(at + 16), file.word(at + 20), file.word(strings + 16), file.word(strings + 20));
  }
  std::sort(code.begin(), code.end(), [](const Code& a, const Code& b) { return a.begin < b.begin; });
  for (const Code& section : code) {
    if (code_.empty() || section.begin > code_.back().end) {
      code_.push_back(section);
    } else {
      code_.back().end = std::max(code_.back().end, section.end);
    }
  }
}

void ElfImage::read_symbols(const File& file, std::uint64_t table, std::uint64_t table_size, std::uint64_t strings,
                            std::uint64_t strings_size) {
  if (!file.holds(table, table_size) || !file.holds(strings, strings_size)) return;
  strings_end_ = strings + strings_size;
  for (std::uint64_t entry = table; entry + sizeof(Elf32_Sym) <= table + table_size; entry += sizeof(Elf32_Sym)) {
    const unsigned type = *file.at(entry + 12, 1) & 0xF;
    if (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE) continue;
    const std::uint32_t name = file.word(entry);
    if (file.half(entry + 14) == SHN_UNDEF || name == 0 || name >= strings_size) continue;
    symbols_.push_back(
        {file.word(entry + 4), file.word(entry + 8), static_cast<std::uint32_t>(strings + name), type == STT_FUNC});
  }
  std::stable_sort(symbols_.begin(), symbols_.end(),
                   [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
}

std::string_view ElfImage::name_of(const Symbol& symbol) const {
  const auto* text = reinterpret_cast<const char*>(file_->data() + symbol.name);
  return {text, strnlen(text, std::min<std::uint64_t>(strings_end_ - symbol.name, kLongestName))};
}

bool ElfImage::is_code(std::uint32_t address) const {
  if (code_.empty()) return true;
  const auto after = std::upper_bound(code_.begin(), code_.end(), address,
                                      [](std::uint32_t value, const Code& code) { return value < code.begin; });
  return after != code_.begin() && address < std::prev(after)->end;
}

std::uint64_t ElfImage::end() const {
  return segments_.back().end();
}

std::optional<ElfImage::SymbolOffset> ElfImage::symbol_at(std::uint32_t address) const {
  auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                [](std::uint32_t value, const Symbol& symbol) { return value < symbol.address; });
  // Aliases share an address, and labels have no size: take the nearest symbol that reaches the address.
  for (unsigned looked = 0; after != symbols_.begin() && looked < 32; ++looked) {
    --after;
    if (address - after->address < after->size || (after->size == 0 && after->address == address))
      return SymbolOffset{name_of(*after), address - after->address};
  }
  return std::nullopt;
}

std::vector<ElfImage::Function> ElfImage::functions() const {
  std::vector<Function> functions;
  for (const Symbol& symbol : symbols_) {
    if (symbol.function) functions.push_back({symbol.address, name_of(symbol)});
  }
  return functions;
}

std::uint32_t ElfImage::address_of(std::string_view name) const {
  for (const Symbol& symbol : symbols_) {
    const std::uint8_t* text = file_->data() + symbol.name;
    if (strings_end_ - symbol.name > name.size() && std::memcmp(text, name.data(), name.size()) == 0 &&
        text[name.size()] == 0)
      return symbol.address;
  }
  return 0;
}

}  // namespace toroid
