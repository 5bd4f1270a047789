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

#include "hw/kernel/machine_note.h"
#include "hw/kernel/printable.h"

namespace toroid {
namespace {

constexpr std::uint64_t kLargestFile = 1 << 30;  // more than programs have with all that debuggers want to know
constexpr std::size_t kLongestName = 4096;       // of a symbol; what is longer is cut
constexpr std::size_t kLongestMachine = 64;      // likewise

}  // namespace

ElfImage ElfImage::read(const std::string& path, const ElfFormat& wanted) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw ProgramError(path + ": not a regular file" + wanted_instead(wanted));
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
  return parse(std::move(bytes), path, wanted);
}

ElfImage ElfImage::parse(std::vector<std::uint8_t> bytes, const std::string& path, const ElfFormat& wanted) {
  ElfImage image;
  image.file_ = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
  const ElfFile file(*image.file_, path, wanted);
  image.entry_ = file.entry();
  image.read_segments(file);
  image.read_sections(file);
  if (wanted.machine == EM_PPC64 && wanted.byte_order == ByteOrder::big) image.follow_descriptors();
  image.tell_data_from_code();
  if (!wanted.computer.empty() && !image.machine_.empty() && image.machine_ != wanted.computer)
    file.fail("compiled for the machine " + printable(image.machine_) + ", and this one is " + wanted.computer +
              "; compile it again with " + wanted.compiler());
  return image;
}

void ElfImage::read_segments(const ElfFile& file) {
  program_header_size_ = file.segments().size;
  program_header_count_ = file.segments().count;
  std::uint64_t loaded = 0;
  for (std::uint32_t i = 0; i < program_header_count_; ++i) {
    const ElfFile::Segment header = file.segment(i);
    if (header.type == PT_INTERP || header.type == PT_DYNAMIC) file.refuse("a dynamically linked program");
    if (header.type == PT_GNU_STACK) executable_stack_ = (header.flags & PF_X) != 0;
    if (header.type != PT_LOAD || header.memory_size == 0) continue;
    add_segment(file, header);
    loaded += header.file_size;
    if (loaded > file.size()) file.fail("segments that load the same bytes of the file several times");
  }
  if (segments_.empty()) file.fail("a program without loadable segments");
  std::sort(segments_.begin(), segments_.end(),
            [](const Segment& a, const Segment& b) { return a.address < b.address; });
  for (std::size_t i = 1; i < segments_.size(); ++i) {
    if (segments_[i - 1].end() > segments_[i].address) file.fail("overlapping segments");
  }
}

/// Data that may also be executed, as a C library has it on PowerPC, is data: what is executed is never written here.
void ElfImage::tell_data_from_code() {
  const auto is_code = [](const Segment& each) { return each.executable && !each.writable; };
  if (std::none_of(segments_.begin(), segments_.end(), is_code)) return;
  for (Segment& each : segments_) each.executable = is_code(each);
}

void ElfImage::add_segment(const ElfFile& file, const ElfFile::Segment& header) {
  const std::uint64_t space = file.wide() ? ~std::uint64_t{0} : std::uint64_t{1} << 32;
  if (header.file_size > header.memory_size) file.fail("a segment with more bytes in the file than in memory");
  if (header.memory_size > space - header.address)
    file.fail(std::string("a segment that leaves the ") + (file.wide() ? "64" : "32") + "-bit address space");
  const std::uint8_t* const data = file.at(header.offset, header.file_size);
  Segment segment;
  segment.address = header.address;
  segment.memory_size = header.memory_size;
  segment.bytes.assign(data, data + header.file_size);
  segment.writable = (header.flags & PF_W) != 0;
  segment.executable = (header.flags & PF_X) != 0;
  const std::uint64_t headers = file.segments().at;
  if (headers >= header.offset && headers - header.offset < header.file_size)
    program_headers_ = header.address + (headers - header.offset);
  segments_.push_back(std::move(segment));
}

/// Sections serve messages, and tell instructions from data: a file without them, or with a damaged table, still runs.
void ElfImage::read_sections(const ElfFile& file) {
  bool has_symbols = false;
  std::vector<Code> code;
  for (std::uint32_t i = 0; i < file.sections().count; ++i) {
    if (!file.has_section(i)) continue;
    const ElfFile::Section section = file.section(i);
    if (section.type == SHT_PROGBITS && (section.flags & SHF_EXECINSTR) != 0)
      code.push_back({section.address, section.address + std::min(section.size, ~section.address)});
    if (section.type == SHT_NOTE) read_note(file, section);
    // A file has one table of symbols; headers that name it again would cost its reading each time.
    if (section.type != SHT_SYMTAB || has_symbols) continue;
    has_symbols = true;
    if (file.has_section(section.link)) read_symbols(file, section, file.section(section.link));
  }
  merge_code(std::move(code));
}

/// Of each section, the first note.
void ElfImage::read_note(const ElfFile& file, const ElfFile::Section& section) {
  constexpr std::uint64_t kHeader = 12;  // sizes of owner and descriptor, type
  const std::string_view owner(TOROID_NOTE_OWNER, sizeof TOROID_NOTE_OWNER);
  const std::uint64_t name = kHeader + (owner.size() + 3) / 4 * 4;  // of the machine
  if (section.size <= name || !file.holds(section.offset, section.size)) return;
  const auto* const bytes = reinterpret_cast<const char*>(file.at(section.offset, section.size));
  const std::uint64_t size = file.word(section.offset + 4);
  if (file.word(section.offset) != owner.size() || file.word(section.offset + 8) != TOROID_NOTE_MACHINE ||
      std::string_view(bytes + kHeader, owner.size()) != owner || size > section.size - name)
    return;
  machine_ = {bytes + name, strnlen(bytes + name, std::min<std::uint64_t>(size, kLongestMachine))};
}

void ElfImage::merge_code(std::vector<Code> sections) {
  std::sort(sections.begin(), sections.end(), [](const Code& a, const Code& b) { return a.begin < b.begin; });
  for (const Code& section : sections) {
    if (code_.empty() || section.begin > code_.back().end) {
      code_.push_back(section);
    } else {
      code_.back().end = std::max(code_.back().end, section.end);
    }
  }
}

void ElfImage::read_symbols(const ElfFile& file, const ElfFile::Section& table, const ElfFile::Section& strings) {
  if (!file.holds(table.offset, table.size) || !file.holds(strings.offset, strings.size)) return;
  strings_end_ = strings.offset + strings.size;
  const std::uint64_t count = table.size / file.symbol_size();
  for (std::uint64_t i = 0; i < count; ++i) {
    const ElfFile::Symbol symbol = file.symbol(table.offset + i * file.symbol_size());
    if (symbol.type != STT_FUNC && symbol.type != STT_OBJECT && symbol.type != STT_NOTYPE) continue;
    if (symbol.section == SHN_UNDEF || symbol.name == 0 || symbol.name >= strings.size) continue;
    symbols_.push_back({symbol.address, symbol.size, static_cast<std::uint32_t>(strings.offset + symbol.name),
                        symbol.type == STT_FUNC});
  }
  std::stable_sort(symbols_.begin(), symbols_.end(),
                   [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
}

/// Symbols of functions name descriptors, whose first word is where the code begins; their size is the code's.
void ElfImage::follow_descriptors() {
  for (Symbol& symbol : symbols_) {
    if (!symbol.function) continue;
    for (const Segment& segment : segments_) {
      const std::uint64_t offset = symbol.address - segment.address;
      if ((segment.executable && !segment.writable) || offset >= segment.bytes.size() ||
          segment.bytes.size() - offset < 8)
        continue;
      const std::uint64_t code = load_u64(segment.bytes.data() + offset, ByteOrder::big);
      if (is_code(code)) symbol.address = code;
      break;
    }
  }
  std::stable_sort(symbols_.begin(), symbols_.end(),
                   [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
}

std::string_view ElfImage::name_of(const Symbol& symbol) const {
  const auto* text = reinterpret_cast<const char*>(file_->data() + symbol.name);
  return {text, strnlen(text, std::min<std::uint64_t>(strings_end_ - symbol.name, kLongestName))};
}

bool ElfImage::is_code(std::uint64_t address) const {
  if (code_.empty()) return true;
  const auto after = std::upper_bound(code_.begin(), code_.end(), address,
                                      [](std::uint64_t value, const Code& code) { return value < code.begin; });
  return after != code_.begin() && address < std::prev(after)->end;
}

std::uint64_t ElfImage::end() const {
  return segments_.back().end();
}

std::optional<ElfImage::SymbolOffset> ElfImage::symbol_at(std::uint64_t address) const {
  auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                [](std::uint64_t value, const Symbol& symbol) { return value < symbol.address; });
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

std::vector<std::uint64_t> ElfImage::objects(std::string_view prefix) const {
  std::vector<std::uint64_t> addresses;
  for (const Symbol& symbol : symbols_) {
    if (!symbol.function && name_of(symbol).substr(0, prefix.size()) == prefix) addresses.push_back(symbol.address);
  }
  return addresses;
}

std::uint64_t ElfImage::address_of(std::string_view name) const {
  for (const Symbol& symbol : symbols_) {
    const std::uint8_t* text = file_->data() + symbol.name;
    if (strings_end_ - symbol.name > name.size() && std::memcmp(text, name.data(), name.size()) == 0 &&
        text[name.size()] == 0)
      return symbol.address;
  }
  return 0;
}

}  // namespace toroid
