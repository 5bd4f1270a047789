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

}  // namespace toroid
