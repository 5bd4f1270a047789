// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/kernel/process.h"

namespace toroid {

/// Whether a function of the process can begin at `entry`.
inline bool is_entry(Process& process, std::uint64_t entry) {
  const unsigned bytes = process.isa().code_alignment();
  return entry % bytes == 0 && process.memory()->is_executable(entry, bytes);
}

/// Whether a function can begin with this stack pointer.
inline bool is_stack(Process& process, std::uint64_t pointer) {
  constexpr std::uint64_t kBelow = 16, kAbove = 8;  // room that the first frames take for granted
  return pointer % 16 == 0 && pointer >= kBelow &&
         process.memory()->writable(pointer - kBelow, kBelow + kAbove) != nullptr;
}

}  // namespace toroid
