// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/core_config.h"

namespace toroid {

struct Abi;

/// What the kernel of a machine costs and gives a process, and what the user passes to it.
struct KernelConfig {
  const Abi* abi = nullptr;              ///< of programs and kernel (hw/kernel/abi)
  CoreCycle cost_system_call = 300;      ///< core cycles each
  CoreCycle cost_interrupt = 1000;       ///< core cycles, to the handler and back
  std::uint32_t stack_size = 8 << 20;    ///< bytes
  std::uint64_t seed = 0;                ///< what getrandom() and AT_RANDOM give derives from it and the rank
  std::uint64_t epoch = 1'104'537'600;   ///< calendar time, in seconds since 1970, at simulated time 0 (1 January 2005)
  std::vector<std::string> arguments;    ///< argv, the program's name first
  std::vector<std::string> environment;  ///< "NAME=value"
};

}  // namespace toroid
