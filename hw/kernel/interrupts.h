// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/kernel/process_core.h"

namespace toroid {

class Process;

/// The interrupt line of a core is up, which stands at `pc`: it is left to a handler, at the price of that.
void begin_interrupt(Process& process, ProcessCore& core, std::uint64_t pc);
/// The same, and the process's handler begins.
void enter_interrupt_handler(Process& process, ProcessCore& core, std::uint64_t pc);
/// The handler has ended: the core goes on where it was interrupted. From a system call that it makes.
void restore_interrupted(ProcessCore& core);

}  // namespace toroid
