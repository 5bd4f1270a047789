// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/way_back.h"

#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace toroid {
namespace {

constexpr std::uint64_t kBegin = 8;  // unwinders look in front of it as well

const ElfImage::Segment* data_of(const ElfImage& image) {
  const auto found = std::find_if(image.segments().begin(), image.segments().end(), [](const auto& each) {
    return each.writable && !each.executable && each.memory_size >= 2 * kBegin;
  });
  return found == image.segments().end() ? nullptr : &*found;
}

/// Numbers of DWARF, one after the other.
class Rules {
 public:
  explicit Rules(const WordLayout& words) : words_(words) {}

  std::vector<std::uint8_t>& bytes() { return bytes_; }
  void byte(unsigned value) { bytes_.push_back(static_cast<std::uint8_t>(value)); }
  void number(std::uint64_t value, unsigned size) {
    bytes_.resize(bytes_.size() + size);
    store_number(bytes_.data() + bytes_.size() - size, value, size, words_.order);
  }
  void word(std::uint64_t value) { number(value, words_.bytes); }
  /// What lies `offset` bytes from the frame's beginning, which the stack pointer points to, up to 8 KiB.
  void place(unsigned offset, bool load) {
    constexpr unsigned kBaseOfStackPointer = 0x71, kLoad = 0x06;  // DW_OP_breg1, DW_OP_deref
    byte(load ? 4 : 3);                                           // bytes that follow
    byte(kBaseOfStackPointer);
    byte((offset & 0x7F) | 0x80);
    byte(offset >> 7);
    if (load) byte(kLoad);
  }
  /// Ends an entry that began at `from`: fills it up and stores its length.
  void end(std::size_t from) {
    while ((bytes_.size() - from) % words_.bytes != 4 % words_.bytes) byte(0);
    store_number(bytes_.data() + from, bytes_.size() - from - 4, 4, words_.order);
  }

 private:
  const WordLayout words_;
  std::vector<std::uint8_t> bytes_;
};

/// What the compilers of these programs number so; nullopt of what functions may leave changed. The kernel has the way
/// back on PowerPC alone.
std::optional<unsigned> number_of(const std::string& name) {
  constexpr int kFirstKept = 14;
  if (name == "r2") return 2;
  if (name == "lr") return 65;
  if (name == "cr") return 70;
  if (name == "pc") return 67;
  const int number = std::atoi(name.c_str() + 1);
  if (number < kFirstKept) return std::nullopt;
  if (name[0] == 'r') return number;
  if (name[0] == 'f') return 32 + number;
  return std::nullopt;
}

/// .eh_frame_hdr without a table, and .eh_frame behind it.
std::vector<std::uint8_t> rules(const SignalFrame& frame, const ElfImage::Segment& data, const WordLayout& words,
                                std::uint64_t address) {
  constexpr unsigned kOmitted = 0xFF, kAbsolute = 0, kPcColumn = 67;
  constexpr unsigned kBase = 0x0F, kSavedAt = 0x10;  // DW_CFA_def_cfa_expression, DW_CFA_expression
  Rules made(words);
  made.byte(1);
  made.byte(kAbsolute);
  made.byte(kOmitted);
  made.byte(kOmitted);
  made.word(address + 16);
  while (made.bytes().size() < 16) made.byte(0);

  const std::size_t common = made.bytes().size();
  made.number(0, 4);
  made.number(0, 4);
  made.byte(1);
  for (const char each : {'z', 'R', 'S', '\0'}) made.byte(static_cast<unsigned char>(each));
  made.byte(4);     // code is aligned to
  made.byte(0x7C);  // -4, which no rule uses
  made.byte(kPcColumn);
  made.byte(1);
  made.byte(kAbsolute);
  for (const ContextRegister& each : frame.registers) {
    if (each.name != "r1" || each.at == 0) continue;
    made.byte(kBase);
    made.place(each.at, true);
  }
  for (const ContextRegister& each : frame.registers) {
    const std::optional<unsigned> number = each.taken ? number_of(each.name) : std::nullopt;
    if (!number) continue;
    made.byte(kSavedAt);
    made.byte(*number);
    made.place(each.name == "cr" ? each.at + each.bytes - 4 : each.at, false);
  }
  made.end(common);

  const std::size_t entry = made.bytes().size();
  made.number(0, 4);
  made.number(entry + 4 - common, 4);
  made.word(data.address);
  made.word(2 * kBegin);
  made.byte(0);
  made.end(entry);
  made.number(0, 4);
  return std::move(made.bytes());
}

}  // namespace

std::uint64_t way_back(const ElfImage& image) {
  const ElfImage::Segment* const data = data_of(image);
  return data == nullptr ? 0 : (data->address + kBegin) & ~std::uint64_t{3};
}

void add_way_back(ElfImage& image, const SignalFrame& frame, const WordLayout& words) {
  constexpr std::uint64_t kAlignment = 16, kPage = 4096;
  const ElfImage::Segment* const data = data_of(image);
  if (frame.bytes == 0 || frame.has_restorer || data == nullptr) return;
  const std::uint64_t headers_at = image.program_headers(), size = image.program_header_size();
  const std::uint64_t headers_bytes = image.program_header_count() * size;
  std::vector<ElfImage::Segment>& segments = image.segments();
  const auto code = std::find_if(segments.begin(), segments.end(), [&](const ElfImage::Segment& each) {
    return each.executable && headers_at >= each.address && each.bytes.size() == each.memory_size &&
           headers_at - each.address <= each.bytes.size() &&
           headers_bytes <= each.bytes.size() - (headers_at - each.address);
  });
  if (code == segments.end()) return;
  std::uint8_t* note = nullptr;
  std::uint8_t* const headers = code->bytes.data() + (headers_at - code->address);
  for (std::uint64_t at = 0; at < headers_bytes; at += size) {
    const std::uint64_t type = load_number(headers + at, 4, words.order);
    if (type == PT_GNU_EH_FRAME) return;
    if (type == PT_NOTE) note = headers + at;
  }
  const std::uint64_t at = (code->end() + kAlignment - 1) & ~(kAlignment - 1);
  const std::vector<std::uint8_t> said = rules(frame, *data, words, at);
  const std::uint64_t end = at + said.size();
  const bool fits = std::all_of(segments.begin(), segments.end(), [&](const ElfImage::Segment& each) {
    return each.end() <= code->end() || (each.address & ~(kPage - 1)) >= end;
  });
  if (note == nullptr || !fits) return;
  Rules header(words);
  const std::uint64_t bytes = said.size();
  header.number(PT_GNU_EH_FRAME, 4);
  if (words.bytes == 8) header.number(PF_R, 4);
  for (const std::uint64_t each : {std::uint64_t{0}, at, at, bytes, bytes}) header.word(each);
  if (words.bytes == 4) header.number(PF_R, 4);
  header.word(kAlignment);
  std::copy(header.bytes().begin(), header.bytes().end(), note);
  code->bytes.resize(at - code->address);
  code->bytes.insert(code->bytes.end(), said.begin(), said.end());
  code->memory_size = code->bytes.size();
}

}  // namespace toroid
