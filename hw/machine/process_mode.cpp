// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/process_mode.h"

#include <algorithm>

#include "hw/machine/parameters.h"

namespace toroid {

const ProcessMode& mode_called(const std::string& name, const std::vector<ProcessMode>& modes,
                               const std::string& machine) {
  const auto found =
      std::find_if(modes.begin(), modes.end(), [&name](const ProcessMode& mode) { return mode.name == name; });
  if (found != modes.end()) return *found;
  std::string known;
  for (const ProcessMode& mode : modes) known += (known.empty() ? "" : ", ") + mode.name;
  throw ConfigurationError("\"mode\" is \"" + name + "\"; the process modes of " + machine + " are " + known);
}

void require_cores(const ProcessMode& mode, unsigned cores) {
  if (mode.processes * mode.cores <= cores) return;
  throw ConfigurationError((mode.origin.empty() ? "" : mode.origin + ": ") + "process mode " + mode.name + ": " +
                           std::to_string(mode.processes) + " processes of " + std::to_string(mode.cores) +
                           " cores each do not fit a node, which has " + std::to_string(cores) + " cores");
}

CoreConfig core_of_mode(CoreConfig core, const ProcessMode& mode) {
  core.memory.share(mode.processes);
  try {
    core.memory.validate();
  } catch (const ParameterError& error) {
    throw ConfigurationError("in " + mode.title +
                             " each process has its share of the last level: " + std::string(error.what()));
  }
  return core;
}

}  // namespace toroid
