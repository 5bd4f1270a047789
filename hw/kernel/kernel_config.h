// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/kernel/kernel_parameters.h"

namespace toroid {

struct Abi;

/// What the kernel of a machine costs and gives a process, and what the user passes to it.
struct KernelConfig : KernelParameters {
  const Abi* abi = nullptr;  ///< of programs and kernel (hw/kernel/abi)
  /// How far the cores of a process's threads may run apart. 0: the kernel gives a process no thread but its first.
  CoreCycle threads_apart = 0;
  std::uint64_t seed = 0;                ///< what getrandom() and AT_RANDOM give derives from it and the rank
  std::vector<std::string> arguments;    ///< argv, the program's name first
  std::vector<std::string> environment;  ///< "NAME=value"
};

}  // namespace toroid
