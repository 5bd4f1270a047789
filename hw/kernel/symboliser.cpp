// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/symboliser.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "hw/kernel/printable.h"
#include "hw/kernel/source_lines.h"

namespace toroid {
namespace {

constexpr std::size_t kLongestShown = 250;  // characters of a name; a message has a dozen of them
constexpr std::size_t kLongestPath = 200;

// A question is an address in 16 hexadecimal digits, and a name. The answer is the name, demangled; a zero; and the
// line. Or it is this sign, an address in as many digits, and a number of registers. The answer is the call frame, or
// the sign.
constexpr std::size_t kDigits = 16;
constexpr char kFrame = '@';

std::string digits_of(std::uint64_t address) {
  char digits[kDigits + 1];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(address));
  return digits;
}

std::string demangled(const std::string& name) {
  // Names of C that happen to be short are those of C++ types as well.
  if (name.compare(0, 2, "_Z") != 0) return name;
  int status = -1;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : name;
}

std::string shown(std::string text, std::size_t longest) {
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return printable(text);
}

}  // namespace

Symboliser::Symboliser(const ElfImage& image)
    : image_(image), look_up_([this](const std::string& question) { return look_up(question); }) {}

/// In the child process.
std::string Symboliser::look_up(const std::string& question) const {
  if (question.front() == kFrame) return look_up_frame(question.substr(1));
  static SourceLines lines(image_.file());  // one image a child
  const std::string line = lines.at(std::stoull(question.substr(0, kDigits), nullptr, 16));
  return demangled(question.substr(kDigits)).substr(0, kLongestShown + 1) + '\0' + line.substr(0, kLongestPath + 1);
}

std::string Symboliser::look_up_frame(const std::string& question) const {
  static CallFrames frames(image_.file());
  const std::uint64_t address = std::stoull(question.substr(0, kDigits), nullptr, 16);
  const auto frame = frames.at(address, static_cast<unsigned>(std::stoul(question.substr(kDigits))));
  return frame ? frame->text() : std::string(1, kFrame);
}

std::optional<CallFrame> Symboliser::frame_at(std::uint64_t address, unsigned registers) {
  const auto answer = look_up_(kFrame + digits_of(address) + std::to_string(registers));
  return answer ? CallFrame::from_text(*answer) : std::nullopt;
}

const Symboliser::Place& Symboliser::place_of(std::uint64_t address) {
  const auto [entry, fresh] = places_.try_emplace(address);
  Place& place = entry->second;
  if (!fresh) return place;
  const auto symbol = image_.symbol_at(address);
  std::string name(symbol ? symbol->name : "");
  if (const auto answer = look_up_(digits_of(address) + name)) {
    const std::size_t end = std::min(answer->find('\0'), answer->size());
    name = answer->substr(0, end);
    if (end < answer->size()) place.line = shown(answer->substr(end + 1), kLongestPath);
  }
  place.function = shown(std::move(name), kLongestShown);
  place.offset = symbol ? symbol->offset : 0;
  return place;
}

std::string Symboliser::function_at(std::uint64_t address) {
  return place_of(address).function;
}

std::string Symboliser::line_at(std::uint64_t address) {
  return place_of(address).line;
}

std::string Symboliser::function_and_line_at(std::uint64_t address) {
  const Place& place = place_of(address);
  return place.function.empty() || place.line.empty() ? place.function : place.function + " (" + place.line + ")";
}

std::string Symboliser::symbol_at(std::uint64_t address) {
  const Place& place = place_of(address);
  if (place.function.empty()) return place.line;
  char offset[24];
  std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(place.offset));
  return place.function + offset + (place.line.empty() ? "" : ", " + place.line);
}

std::string Symboliser::describe(std::uint64_t address) {
  const std::string symbol = symbol_at(address);
  return symbol.empty() ? hex(address) : hex(address) + " (" + symbol + ")";
}

}  // namespace toroid
