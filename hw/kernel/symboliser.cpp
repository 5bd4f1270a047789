// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/symboliser.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>

#include "hw/kernel/printable.h"

namespace toroid {
namespace {

constexpr std::size_t kLongestShown = 1000;  // characters of a name

/// Runs in a child process. Never empty, as `name` is not.
std::string demangled(const std::string& name) {
  int status = -1;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && *text != 0 ? text.get() : name;
}

}  // namespace

Symboliser::Symboliser(const ElfImage& image) : image_(image), demangle_(demangled) {}

const Symboliser::Place& Symboliser::place_of(std::uint32_t address) {
  const auto [entry, fresh] = places_.try_emplace(address);
  Place& place = entry->second;
  if (!fresh) return place;
  if (const auto symbol = image_.symbol_at(address)) {
    std::string name(symbol->name);
    // Names of C that happen to be short are those of C++ types as well.
    if (name.compare(0, 2, "_Z") == 0) name = demangle_(name).value_or(name);
    if (name.size() > kLongestShown) name = name.substr(0, kLongestShown) + "...";
    place.function = printable(name);
    place.offset = symbol->offset;
  }
  return place;
}

std::string Symboliser::symbol_at(std::uint32_t address) {
  const Place& place = place_of(address);
  if (place.function.empty()) return {};
  char offset[16];
  std::snprintf(offset, sizeof offset, "+0x%x", place.offset);
  return place.function + offset;
}

std::string Symboliser::function_at(std::uint32_t address) {
  return place_of(address).function;
}

std::string Symboliser::describe(std::uint32_t address) {
  const std::string symbol = symbol_at(address);
  return symbol.empty() ? hex(address) : hex(address) + " (" + symbol + ")";
}

}  // namespace toroid
