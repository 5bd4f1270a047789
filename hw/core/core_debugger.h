// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

class Core;
struct CoreFault;

/// Stops a core between two instructions, and looks at it.
///
/// A core stands still for as long as a callback does not return: the host's time passes, simulated time does not. A
/// callback may let simulated time come up to the core's (Core::synchronise()), which changes no result.
class CoreDebugger {
 public:
  /// The instruction at `pc` is about to be executed; the registers are exact. Where the program counter is written,
  /// the core goes on there instead. It is also called where the core has jumped to what is no code, before that is a
  /// fault.
  virtual void on_instruction(Core& core, std::uint64_t pc) = 0;
  /// The core cannot go on. Its registers are those before the instruction at fault.
  virtual void on_fault(Core& core, const CoreFault& fault) = 0;
  /// The software is about to end its process by a signal, in a call that the core has made.
  virtual void on_kill(Core& core, int signal) = 0;

 protected:
  ~CoreDebugger() = default;
};

}  // namespace toroid
