// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "hw/kernel/confined_function.h"
#include "hw/kernel/elf_image.h"

namespace toroid {

/// What a program's addresses are called in messages: functions, with C++ names demangled. Nothing is looked up before
/// somebody asks. Texts are printable.
///
/// A program file is input from others, and a C++ name of 200 characters can stand for gigabytes, or for years: names
/// are demangled by a child process with bounds (ConfinedFunction), and the C++ library's demangler has none. What it
/// cannot do within them stays mangled.
class Symboliser {
 public:
  /// `image` must outlive this.
  explicit Symboliser(const ElfImage& image);

  /// "main+0x20"; empty where no symbol is known.
  std::string symbol_at(std::uint32_t address);
  /// "main"; empty where no symbol is known.
  std::string function_at(std::uint32_t address);
  /// "0x10000520 (main+0x20)", or the number alone.
  std::string describe(std::uint32_t address);

 private:
  struct Place {
    std::string function;  ///< printable; empty: not known
    std::uint32_t offset = 0;
  };

  const Place& place_of(std::uint32_t address);

  const ElfImage& image_;
  ConfinedFunction demangle_;
  std::unordered_map<std::uint32_t, Place> places_;  // by address; looked up only, never walked
};

}  // namespace toroid
