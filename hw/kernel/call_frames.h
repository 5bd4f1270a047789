// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct Dwarf_CFI_s;
struct Elf;

namespace toroid {

/// Where a function keeps what its caller needs, at one of its instructions. Registers have DWARF's numbers.
struct CallFrame {
  // The stack pointer as it was before the call: a register's value and an offset.
  unsigned base_register = 0;
  std::int64_t base_offset = 0;
  // In memory, by offsets from that: the return address, and registers of the caller's.
  std::int64_t return_address = 0;
  std::vector<std::pair<unsigned, std::int64_t>> saved;

  /// Numbers with blanks between them, for from_text().
  std::string text() const;
  static std::optional<CallFrame> from_text(const std::string& text);
};

/// A program's call frames, as what its exceptions need says of them (.eh_frame, by libdw). Where that takes more than
/// registers and offsets, as in linkage tables, they are not known.
///
/// Hostile files can make libdw use time and memory: to be used in a child process with bounds (confined_function.h).
class CallFrames {
 public:
  /// `file`, a whole program file, must outlive this.
  explicit CallFrames(const std::vector<std::uint8_t>& file);
  CallFrames(const CallFrames&) = delete;
  CallFrames& operator=(const CallFrames&) = delete;
  ~CallFrames();

  /// At the instruction at `address`, which has not been executed, of the first `registers` registers.
  std::optional<CallFrame> at(std::uint64_t address, unsigned registers);

 private:
  ::Elf* elf_ = nullptr;
  ::Dwarf_CFI_s* frames_ = nullptr;
};

}  // namespace toroid
