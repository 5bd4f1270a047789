// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iostream>
#include <string>

#include "hw/kernel/printable.h"
#include "torus/config.h"

namespace toroid {

/// Tells what of a configuration is allowed and seldom meant, a line each on standard error.
inline void print_warning(const std::string& text) {
  std::cerr << "toroid-sim: warning: " << printable(text) << "\n";
}
inline void print_warnings(const TorusConfig& config) {
  for (const std::string& text : config.warnings()) print_warning(text);
}

}  // namespace toroid
