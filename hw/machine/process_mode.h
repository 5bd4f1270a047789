// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hw/core/core_config.h"

namespace toroid {

/// How the processes of a job share a node.
struct ProcessMode {
  std::string name;        ///< by which users choose it: "co"
  std::string title;       ///< "coprocessor mode"
  unsigned processes = 1;  ///< of a node
  unsigned cores = 1;      ///< of a process
  std::string origin;      ///< where it stands in a description, for messages; may be empty
};

/// The mode called `name`. Throws ConfigurationError that lists the modes that `machine` has.
const ProcessMode& mode_called(const std::string& name, const std::vector<ProcessMode>& modes,
                               const std::string& machine);

/// Throws ConfigurationError if a node of `cores` cores has too few for the mode.
void require_cores(const ProcessMode& mode, unsigned cores);

/// A core as one process has it, which has its share of L3 (docs/decisions/0007). Throws ConfigurationError if that
/// makes no cache.
CoreConfig core_of_mode(CoreConfig core, const ProcessMode& mode);

}  // namespace toroid
