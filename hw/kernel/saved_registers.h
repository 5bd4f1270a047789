// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/core.h"

namespace toroid {

/// All registers of a core that a program can write but the program counter: what a function that comes between two
/// instructions may leave changed.
class SavedRegisters {
 public:
  /// From the software of the core, in one of its callbacks.
  explicit SavedRegisters(Core& core);
  void restore(Core& core) const;

 private:
  std::vector<std::uint64_t> numbers_;
  std::vector<Engine::Vector> vectors_;
  std::vector<std::string> emulated_;
};

}  // namespace toroid
