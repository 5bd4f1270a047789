// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/printable.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace toroid {
namespace {

/// The number of bytes of the character that `text` begins with; 0 where they are not UTF-8 (RFC 3629).
std::size_t character_size(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xC2 && first < 0xE0   ? 2
                           : first >= 0xE0 && first < 0xF0 ? 3
                           : first >= 0xF0 && first < 0xF5 ? 4
                                                           : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Longer than need be, half of a pair of UTF-16, or beyond the last character.
  const std::uint8_t second = byte(1);
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return wrong ? 0 : size;
}

/// U+0000 to U+001F and U+007F to U+009F, some terminals obey the latter too.
bool is_control(std::string_view character) {
  const auto first = static_cast<std::uint8_t>(character[0]);
  return first < 0x20 || first == 0x7F || (first == 0xC2 && static_cast<std::uint8_t>(character[1]) < 0xA0);
}

void escape(char character, std::string& to) {
  switch (character) {
    case '\n':
      to += "\\n";
      return;
    case '\r':
      to += "\\r";
      return;
    case '\t':
      to += "\\t";
      return;
    default: {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02x", static_cast<std::uint8_t>(character));
      to += code;
    }
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size != 0 && !is_control(text.substr(0, size))) {
      result += text.substr(0, size);
      text.remove_prefix(size);
      continue;
    }
    const std::size_t bytes = size == 0 ? 1 : size;
    for (std::size_t i = 0; i < bytes; ++i) escape(text[i], result);
    text.remove_prefix(bytes);
  }
  return result;
}

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%08llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace toroid
