// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace toroid {

/// Which lines of a program's code a first-level cache is known to hold, by the numbers that BlockTable gives them: the
/// code of blocks finds each without a search. Lines of higher numbers than kLines are never known.
class CodeLines {
 public:
  static constexpr std::uint32_t kLines = 1u << 16;

  /// The host commits what is used.
  CodeLines() : known_(static_cast<std::uint8_t*>(std::calloc(kLines, 1))) {
    if (known_ == nullptr) throw std::bad_alloc();
  }

  bool has(std::uint32_t number) const { return number < kLines && known_.get()[number] != 0; }
  void add(std::uint32_t number) {
    if (number >= kLines) return;
    known_.get()[number] = 1;
    used_ = number < used_ ? used_ : number + 1;
  }
  void remove(std::uint32_t number) {
    if (number < kLines) known_.get()[number] = 0;
  }
  void clear() {
    for (std::uint32_t number = 0; number < used_; ++number) known_.get()[number] = 0;
    used_ = 0;
  }
  /// One byte a line: 1 if it is there, else 0. Stays where it is.
  const std::uint8_t* bytes() const { return known_.get(); }

 private:
  struct Free {
    void operator()(std::uint8_t* block) const { std::free(block); }
  };
  std::unique_ptr<std::uint8_t, Free> known_;
  std::uint32_t used_ = 0;
};

}  // namespace toroid
