// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/register_set.h"

#include <algorithm>

namespace toroid {

std::optional<Register> RegisterSet::find(std::string_view name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [name](const Entry& entry) { return entry.name == name; });
  if (found == entries_.end()) return std::nullopt;
  return static_cast<Register>(found - entries_.begin());
}

}  // namespace toroid
