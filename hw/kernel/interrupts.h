// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/kernel/process_core.h"

namespace toroid {

class Process;

/// The interrupt line of a core is up: its handler begins. `pc` is where the core stands.
void enter_interrupt_handler(Process& process, ProcessCore& core, std::uint64_t pc);
/// The handler has ended: the core goes on where it was interrupted.
void restore_interrupted(ProcessCore& core);

}  // namespace toroid
