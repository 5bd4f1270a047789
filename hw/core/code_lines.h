// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace toroid {

/// Which lines of a program's code a first-level cache is known to hold, by the numbers that BlockTable gives them: the
/// code of blocks finds each without a search. Lines of higher numbers than kLines are never known.
class CodeLines {
 public:
  static constexpr std::uint32_t kLines = 1u << 16;

  /// The host commits what is used: pages of the first lines, as numbers are given in the order of first use.
  CodeLines() {
    void* const pages =
        mmap(nullptr, kLines, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    known_ = static_cast<std::uint8_t*>(pages);
  }
  CodeLines(const CodeLines&) = delete;
  CodeLines& operator=(const CodeLines&) = delete;
  ~CodeLines() { munmap(known_, kLines); }

  bool has(std::uint32_t number) const { return number < kLines && known_[number] != 0; }
  void add(std::uint32_t number) {
    if (number >= kLines) return;
    known_[number] = 1;
    used_ = number < used_ ? used_ : number + 1;
  }
  void remove(std::uint32_t number) {
    if (number < kLines) known_[number] = 0;
  }
  void clear() {
    for (std::uint32_t number = 0; number < used_; ++number) known_[number] = 0;
    used_ = 0;
  }
  /// One byte a line: 1 if it is there, else 0. Stays where it is.
  const std::uint8_t* bytes() const { return known_; }

 private:
  std::uint8_t* known_;
  std::uint32_t used_ = 0;
};

}  // namespace toroid
