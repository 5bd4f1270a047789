// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/hex_text.h"

#include <charconv>

namespace toroid {

std::string hex_of(std::uint64_t value, std::size_t bytes) {
  static const char* const digits = "0123456789abcdef";
  std::string text;
  for (std::size_t digit = 2 * bytes; digit-- > 0;) text += digits[value >> (4 * digit) & 15];
  return text;
}

std::string hex_of(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += hex_of(static_cast<std::uint8_t>(byte), 1);
  return text;
}

std::optional<std::uint64_t> hex_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value, 16);
  if (text.empty() || text.front() == '-' || error != std::errc{} || last != end) return std::nullopt;
  return value;
}

std::optional<std::string> hex_bytes(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 2) {
    const std::optional<std::uint64_t> byte = hex_number(text.substr(at, 2));
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return before;
}

}  // namespace toroid
