// SPDX-License-Identifier: Apache-2.0
#include "nic/common/change_log.h"

#include <algorithm>

namespace toroid {

ChangeLog::ChangeLog(const sc_core::sc_module_name& name) : sc_module(name), changed_("changed") {
  SC_HAS_PROCESS(ChangeLog);
  SC_METHOD(announce_next);
  sensitive << changed_;
  dont_initialize();
}

void ChangeLog::add(sc_core::sc_time at) {
  const auto place = std::lower_bound(pending_.begin(), pending_.end(), at);
  if (place != pending_.end() && *place == at) return;
  const bool earliest = place == pending_.begin();
  pending_.insert(place, at);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (earliest) changed_.notify(at > now ? at - now : sc_core::SC_ZERO_TIME);
}

sc_core::sc_time ChangeLog::last() const {
  const auto future = std::upper_bound(pending_.begin(), pending_.end(), sc_core::sc_time_stamp());
  return future == pending_.begin() ? last_ : *(future - 1);
}

void ChangeLog::announce_next() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const auto future = std::upper_bound(pending_.begin(), pending_.end(), now);
  if (future != pending_.begin()) last_ = *(future - 1);
  pending_.erase(pending_.begin(), future);
  if (!pending_.empty()) changed_.notify(pending_.front() - now);
}

}  // namespace toroid
