// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iostream>
#include <string>

#include "hw/kernel/printable.h"
#include "hw/machine/host_memory.h"
#include "hw/machine/machine_model.h"

namespace toroid {

/// Tells what of a configuration is allowed and seldom meant, a line each on standard error.
inline void print_warning(const std::string& text) {
  std::cerr << "toroid-sim: warning: " << printable(text) << "\n";
}
inline void print_warnings(const MachineModel& model) {
  for (const std::string& text : model.warnings()) print_warning(text);
}

/// Says before a run how much of the host's memory it needs, where that is much. Throws ConfigurationError where the
/// host has less.
inline void tell_host_memory(const HostMemory& needed) {
  const std::uint64_t available = available_host_memory();
  require_host_memory(needed, available);
  if (const auto remark = host_memory_remark(needed, available)) std::cerr << "toroid-sim: " << *remark << "\n";
}

}  // namespace toroid
