// SPDX-License-Identifier: Apache-2.0
#include "torus/rtl/clocked_unit.h"

#include "torus/rtl/waves.h"

namespace toroid::rtl {

void ClockedUnit::catch_up() {
  while (next_edge_ < now() && !dead_) {
    if (quiet()) {
      next_edge_ = now();
      return;
    }
    const Cycle cycle = next_edge_++;
    ++clocks_;
    if (surroundings_.waves != nullptr) surroundings_.waves->edge(cycle);
    try {
      edge(cycle);
    } catch (const RtlFault& fault) {
      dead_ = true;
      const RtlFault told(name_ + ", cycle " + std::to_string(cycle), fault.what());
      if (!surroundings_.on_fault) throw told;
      surroundings_.on_fault(told);
    }
  }
}

void ClockedUnit::go_on() {
  if (ticking_ || dead_ || quiet()) return;
  ticking_ = true;
  wheel_.post(now() + 1, *this, 0, 0);
}

void ClockedUnit::on_event(std::uint32_t, std::uint32_t) {
  ticking_ = false;
  catch_up();
  go_on();
}

}  // namespace toroid::rtl
