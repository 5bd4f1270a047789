// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "hw/kernel/call_frames.h"
#include "hw/kernel/confined_function.h"
#include "hw/kernel/elf_image.h"

namespace toroid {

/// What a program's addresses are called in messages: functions, with C++ names demangled, and source lines. Nothing is
/// looked up before it is needed. Texts are printable.
///
/// A program file is input from others. A C++ name of 200 characters can stand for gigabytes, and the C++ library's
/// demangler has no bounds; damaged debug information can lead libdw astray. So both are asked in a child process with
/// bounds (ConfinedFunction). What it cannot do within them stays mangled, and without a line.
class Symboliser {
 public:
  /// `image` must outlive this.
  explicit Symboliser(const ElfImage& image);

  /// "main"; empty if no symbol is known.
  std::string function_at(std::uint64_t address);
  /// "crash.c:4"; empty if the program has no debug information for it.
  std::string line_at(std::uint64_t address);
  /// "main (crash.c:4)", "main" or nothing.
  std::string function_and_line_at(std::uint64_t address);
  /// "main+0x20, crash.c:4", or what of it is known.
  std::string symbol_at(std::uint64_t address);
  /// "0x10000520 (main+0x20, crash.c:4)", or the number alone.
  std::string describe(std::uint64_t address);

  /// CallFrames::at()
  std::optional<CallFrame> frame_at(std::uint64_t address, unsigned registers);

 private:
  struct Place {
    std::string function;  ///< printable; empty: not known
    std::uint64_t offset = 0;
    std::string line;  ///< printable; empty: not known
  };

  const Place& place_of(std::uint64_t address);
  std::string look_up(const std::string& question) const;
  std::string look_up_frame(const std::string& question) const;

  const ElfImage& image_;
  ConfinedFunction look_up_;
  std::unordered_map<std::uint64_t, Place> places_;  // by address; looked up only, never walked
};

}  // namespace toroid
