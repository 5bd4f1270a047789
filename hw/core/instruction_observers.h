// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/core/access_observer.h"
#include "hw/core/core_debugger.h"
#include "hw/isa/block_decoder.h"
#include "hw/isa/engine.h"

namespace toroid {

/// The observers of each instruction: a checker of accesses, a debugger.
class InstructionObservers {
 public:
  void set(AccessObserver& observer) { accesses_ = &observer; }
  void set(CoreDebugger& debugger) { debugger_ = &debugger; }
  /// nullptr if there is none.
  AccessObserver* accesses() const { return accesses_; }
  CoreDebugger* debugger() const { return debugger_; }

  /// What the engine has to tell them.
  Observation wanted() const;
  /// The instruction at `pc` is about to be executed; `stopping`: the engine only finishes its block.
  void on_instruction(Core& core, const BlockDecoder& code, std::uint64_t pc, bool stopping);
  /// It loads or stores.
  void on_access(const Core& core, std::uint64_t address, unsigned size, bool store) {
    if (!told_) accesses_->on_access(core, pc_, address, size, store);
  }

 private:
  AccessObserver* accesses_ = nullptr;
  CoreDebugger* debugger_ = nullptr;
  std::uint64_t pc_ = 0;
  bool told_ = false;  ///< the observer knows of the instruction's accesses
};

}  // namespace toroid
