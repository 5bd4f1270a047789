// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/refused_dcrs.h"

#include <utility>

namespace toroid {

void RefusedDcrs::add(std::string reason) {
  ++number_;
  last_ = std::move(reason);
  at_ = sc_core::sc_time_stamp();
}

std::vector<PendingWork> RefusedDcrs::pending_work(const std::string& node) const {
  if (number_ == 0) return {};
  return {{PendingWork::Kind::refused,
           std::to_string(number_) + (number_ == 1 ? " access" : " accesses") + " of " + node +
               " to device control registers had no effect, with EINVAL; the last: " + last_,
           at_}};
}

}  // namespace toroid
