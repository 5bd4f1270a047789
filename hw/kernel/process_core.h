// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/core/core.h"
#include "hw/isa/isa.h"

namespace toroid {

/// A core's interrupt handler, and where it has interrupted.
struct InterruptHandler {
  std::uint64_t entry = 0, stack = 0;  ///< entry 0: none
  bool running = false;
  std::uint64_t pc = 0;
  RegisterSnapshot registers;
};

/// What a further core of a process was started with.
struct CoreStart {
  std::uint64_t entry = 0, stack = 0, argument = 0;
  Isa::ThreadRegisters thread{};
};

/// A core that a process has.
struct ProcessCore {
  Core* core = nullptr;
  bool has_memory = false;  ///< its engine is part of the address space
  CoreStart start;          ///< of one that the process has started
  InterruptHandler handler;
};

}  // namespace toroid
