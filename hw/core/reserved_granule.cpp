// SPDX-License-Identifier: Apache-2.0
#include "hw/core/reserved_granule.h"

#include <algorithm>
#include <optional>

namespace toroid {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

void ReservationConfig::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(bytes, "core.reservation", "bytes", {0, ReservedGranule::kMostBytes},
                "granule of memory that a load-and-reserve instruction reserves, a power of two; 0: the word itself");
}

void ReservedGranule::before_wait() {
  look();
  kept_ = false;
  const std::optional<std::uint64_t> address = engine_.reservation();
  if (!address) return;
  begin_ = *address & ~std::uint64_t{bytes_ - 1};
  if (!memory_.contains(begin_, bytes_)) return;
  std::copy_n(memory_.host(begin_), bytes_, held_.begin());
  kept_ = true;
}

/// Once for each wait: what the granule holds differently from then on, the core itself has stored there.
void ReservedGranule::compare() {
  kept_ = false;
  if (is_changed()) engine_.lose_reservation();
}

bool ReservedGranule::is_changed() const {
  return !std::equal(held_.begin(), held_.begin() + bytes_, memory_.host(begin_));
}

void ReservedGranule::look(const sc_time& at) {
  look_asleep();
  if (!kept_ && !is_held()) lost_.notify(at - sc_time_stamp());
}

}  // namespace toroid
