// SPDX-License-Identifier: Apache-2.0
#include "torus/rtl/clocked_unit.h"

#include "torus/rtl/fault.h"

namespace toroid::rtl {

void ClockedUnit::catch_up() {
  while (next_edge_ < now() && !failed()) {
    if (quiet()) {
      next_edge_ = now();
      return;
    }
    const Cycle cycle = next_edge_++;
    edge(cycle);
    try {
      clock(cycle);
    } catch (const RtlFault& fault) {
      fail(cycle, fault.what());
    }
  }
}

void ClockedUnit::go_on() {
  if (ticking_ || failed() || quiet()) return;
  ticking_ = true;
  wheel_.post(now() + 1, *this, 0, 0);
}

void ClockedUnit::on_event(std::uint32_t, std::uint32_t) {
  ticking_ = false;
  catch_up();
  go_on();
}

}  // namespace toroid::rtl
