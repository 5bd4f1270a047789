// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/system_call.h"

#include <algorithm>

namespace toroid {

const SystemCall* CallTable::find(std::uint64_t number) const {
  const SystemCall* const end = calls + count;
  const SystemCall* const found = std::lower_bound(
      calls, end, number, [](const SystemCall& call, std::uint64_t value) { return call.number < value; });
  return found != end && found->number == number ? found : nullptr;
}

}  // namespace toroid
