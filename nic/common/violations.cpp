// SPDX-License-Identifier: Apache-2.0
#include "nic/common/violations.h"

namespace toroid {

void Violations::add(std::size_t rule, const std::string& text, sc_core::sc_time when) {
  first_.resize(rules_);
  First& first = first_[rule];
  if (first.times++ == 0) {
    first.text = text;
    first.when = when;
  }
  ++total_;
}

std::vector<PendingWork> Violations::refused(const std::string& node) const {
  std::vector<PendingWork> work;
  for (const First& first : first_) {
    if (first.times == 0) continue;
    std::string text = first.text + ", at " + node;
    if (first.times > 1) text += ", and " + counted(first.times - 1, "more violation") + " of that rule";
    work.push_back({PendingWork::Kind::refused, text, first.when});
  }
  return work;
}

}  // namespace toroid
