// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace toroid {

/// Throws std::invalid_argument "<parameter> <what>" for a parameter that makes no sense.
inline void require(bool good, const char* parameter, const std::string& what) {
  if (!good) throw std::invalid_argument(parameter + (" " + what));
}

}  // namespace toroid
