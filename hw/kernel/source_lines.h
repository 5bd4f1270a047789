// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct Dwarf;
struct Elf;

namespace toroid {

/// Which source lines a program's instructions come from, as its debug information (DWARF, by libdw) says.
///
/// Hostile files can make libdw use time and memory: to be used in a child process with bounds (confined_function.h).
class SourceLines {
 public:
  /// `file`, a whole program file, must outlive this.
  explicit SourceLines(const std::vector<std::uint8_t>& file);
  SourceLines(const SourceLines&) = delete;
  SourceLines& operator=(const SourceLines&) = delete;
  ~SourceLines();

  /// "crash.c:4", of inlined functions the innermost line; empty if it is not known.
  std::string at(std::uint64_t address);

 private:
  ::Elf* elf_ = nullptr;
  ::Dwarf* dwarf_ = nullptr;
};

}  // namespace toroid
