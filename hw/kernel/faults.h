// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "hw/core/core.h"

namespace toroid {

class Process;

/// What a process has done that it must not.
struct FaultReport {
  std::string what;           ///< "write to 0x00000000 (NULL pointer), at 0x10000520 (main+0x20)"
  std::uint64_t from = 0;     ///< the address whose callers are of interest
  int signal = 0;             ///< that Linux would send
  std::uint64_t address = 0;  ///< siginfo's si_addr
  unsigned code = 1;          ///< siginfo's si_code: of most signals the first is that of an instruction or an address
};

FaultReport fault_report(Process& process, Core& core, const CoreFault& fault);

}  // namespace toroid
