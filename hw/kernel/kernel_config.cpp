// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/kernel_config.h"

namespace toroid {

std::optional<std::string> KernelConfig::variable(const std::string& name) const {
  std::optional<std::string> value;
  for (const std::string& each : environment) {
    if (each.compare(0, name.size() + 1, name + "=") == 0) value = each.substr(name.size() + 1);
  }
  return value;
}

}  // namespace toroid
