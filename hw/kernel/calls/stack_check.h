// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "hw/kernel/process.h"

namespace toroid {

/// Whether a pointer of the process points to what can be a function.
inline bool is_function(Process& process, std::uint64_t pointer) {
  const AddressSpace& space = *process.memory();
  const Isa& isa = process.isa();
  const auto readable = [&space](std::uint64_t at, std::uint64_t size) { return space.readable(at, size); };
  const std::optional<std::uint64_t> code = isa.code_of(pointer, readable);
  return code && *code % isa.code_alignment() == 0 && space.is_executable(*code, isa.code_alignment());
}

/// Whether a function can begin with this stack pointer.
inline bool is_stack(Process& process, std::uint64_t pointer) {
  // Room that the first frames take for granted, and Isa::enter_function() may write.
  constexpr std::uint64_t kBelow = 16;
  const std::uint64_t above = process.isa().word_bytes() == 8 ? 24 : 8;
  return pointer % 16 == 0 && pointer >= kBelow &&
         process.memory()->writable(pointer - kBelow, kBelow + above) != nullptr;
}

}  // namespace toroid
