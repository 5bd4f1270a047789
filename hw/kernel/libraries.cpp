// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/libraries.h"

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "hw/kernel/activity.h"
#include "hw/kernel/kernel_abi.h"

namespace toroid {
namespace {

constexpr unsigned kMostLists = 1024, kMostElements = 1024;  // that are looked at: a program may have them in circles
constexpr unsigned kMostTexts = 256;
constexpr unsigned kMostTold = 3;

/// The program's memory as libraries describe it.
class Reader {
 public:
  Reader(const AddressSpace& space, ByteOrder order) : space_(space), order_(order) {}

  const AddressSpace& space() const { return space_; }
  /// 0 if it cannot be read.
  std::uint32_t word(std::uint64_t address) const {
    const std::uint8_t* const at = space_.readable(address, 4);
    return at == nullptr ? 0 : load_u32(at, order_);
  }
  std::uint16_t half(std::uint64_t address) const {
    const std::uint8_t* const at = space_.readable(address, 2);
    return at == nullptr ? 0 : load_u16(at, order_);
  }
  std::string text(std::uint64_t address) const {
    return address == 0 ? "" : space_.string_at(address, kLongestActivity).value_or("");
  }

 private:
  const AddressSpace& space_;
  ByteOrder order_;
};

std::string lower_case(std::string text) {
  for (char& each : text) each = static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  return text;
}

/// The text for what waits, with its arguments; empty if there is none.
std::string text_of(const Reader& memory, std::uint64_t lists, std::uint64_t object) {
  const std::uint32_t choice = memory.word(object + memory.half(lists + offsetof(toroid_waits, choice))) &
                               memory.word(lists + offsetof(toroid_waits, mask));
  std::uint64_t pair = memory.word(lists + offsetof(toroid_waits, texts));
  for (unsigned i = 0; i < kMostTexts && memory.word(pair + 4) != 0; ++i, pair += 8) {
    if (memory.word(pair) != choice) continue;
    std::vector<std::uint32_t> values;
    for (unsigned argument = 0; argument < TOROID_WAITS_ARGUMENTS; ++argument)
      values.push_back(memory.word(object + memory.half(lists + offsetof(toroid_waits, arguments) + 2 * argument)));
    return filled_in(memory.text(memory.word(pair + 4)), memory.space(), values);
  }
  return "";
}

/// Those of one toroid_waits. What has been told of is told once.
void add_waits(const Reader& memory, std::uint64_t lists, std::vector<std::string>& texts) {
  const std::uint32_t pointer = memory.word(lists + offsetof(toroid_waits, memory));
  std::uint64_t head = memory.word(lists + offsetof(toroid_waits, first));
  if (pointer != 0) {
    const std::uint32_t base = memory.word(pointer);
    if (base == 0) return;
    head += base;
  }
  const std::uint32_t next = memory.half(lists + offsetof(toroid_waits, next));
  const std::uint32_t to_object = memory.half(lists + offsetof(toroid_waits, object));
  const unsigned heads = memory.half(lists + offsetof(toroid_waits, heads));
  unsigned elements = 0;
  for (unsigned i = 0; i < heads && i < kMostLists; ++i, head += 4) {
    for (std::uint64_t each = memory.word(head); each != 0 && elements < kMostElements;
         each = memory.word(each + next)) {
      ++elements;
      const std::uint64_t object = to_object == TOROID_WAITS_ELEMENT ? each : memory.word(each + to_object);
      std::string text = text_of(memory, lists, object);
      bool told = text.empty();
      for (const std::string& other : texts) told = told || other == text;
      if (!told) texts.push_back(std::move(text));
    }
  }
}

}  // namespace

std::string misuse_of(const ElfImage& image, const AddressSpace& space, ByteOrder order,
                      const std::vector<std::string>& functions) {
  const Reader memory(space, order);
  std::string found, inside;
  std::size_t outermost = 0;
  for (const std::uint64_t library : image.objects(TOROID_LIBRARY_SYMBOLS)) {
    const std::uint32_t ready = memory.word(library + offsetof(toroid_library, ready));
    if (ready == 0 || memory.word(ready) != 0) continue;
    const std::string prefix = memory.text(memory.word(library + offsetof(toroid_library, functions)));
    const std::string misuse = memory.text(memory.word(library + offsetof(toroid_library, misuse)));
    for (std::size_t i = 0; i < functions.size() && !prefix.empty(); ++i) {
      if (i >= outermost && functions[i].rfind(prefix, 0) == 0) {
        outermost = i;
        found = functions[i] + "() " + misuse;
      } else if (functions[i].rfind(lower_case(prefix), 0) == 0) {
        inside = prefix.substr(0, prefix.find('_')) + " " + misuse;
      }
    }
  }
  return found.empty() ? inside : found;
}

std::string waits_of(const ElfImage& image, const AddressSpace& space, ByteOrder order) {
  constexpr unsigned kMostDescribed = 16;
  const Reader memory(space, order);
  std::vector<std::string> texts;
  for (const std::uint64_t library : image.objects(TOROID_LIBRARY_SYMBOLS)) {
    std::uint64_t lists = memory.word(library + offsetof(toroid_library, waits));
    for (unsigned i = 0; i < kMostDescribed && lists != 0 && memory.half(lists + offsetof(toroid_waits, heads)) != 0;
         ++i, lists += sizeof(toroid_waits)) {
      add_waits(memory, lists, texts);
    }
  }
  std::string text;
  for (std::size_t i = 0; i < texts.size() && i < kMostTold; ++i) text += (i == 0 ? "" : "; ") + texts[i];
  if (texts.size() > kMostTold) text += "; and " + std::to_string(texts.size() - kMostTold) + " more";
  return text;
}

}  // namespace toroid
