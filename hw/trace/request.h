// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace toroid::trace {

/// What is to be recorded, and where: the `trace` object of docs/reference/simulator_files.md.
struct Request {
  std::string file;
  std::vector<std::string> calls;  ///< patterns of functions' names; empty: see Functions
  bool contents = false;           ///< also what packets carry
};

}  // namespace toroid::trace
