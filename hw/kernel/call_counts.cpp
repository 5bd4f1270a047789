// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/call_counts.h"

namespace toroid {

void CallCounts::count(std::uint64_t number, const SystemCall* call) {
  constexpr std::size_t kMostUnknown = 200;  // that are told one by one
  const std::string kUnknown = "unknown ";
  if (call != nullptr) {
    ++counts_[call->name];
    return;
  }
  const std::string name = kUnknown + std::to_string(number);
  const auto found = counts_.find(name);
  if (found == counts_.end() && unknown_ < kMostUnknown) {
    ++unknown_;
    counts_[name] = 1;
  } else {
    ++(found == counts_.end() ? counts_[kUnknown + "others"] : found->second);
  }
}

}  // namespace toroid
