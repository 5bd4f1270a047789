// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace toroid::trace {

/// What is to be recorded, and where: the `trace` object of docs/reference/simulator_files.md.
struct Request {
  std::string file;
  /// The functions whose calls are recorded, as shell patterns of their names.
  struct Patterns {
    std::vector<std::string> calls;               ///< as the user gives them
    std::vector<std::vector<std::string>> usual;  ///< if there are none: the first list that fits a function
    std::vector<std::string> always;              ///< in any case
  };
  Patterns functions;
  bool contents = false;  ///< also what packets carry
};

}  // namespace toroid::trace
