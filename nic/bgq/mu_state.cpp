// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_state.h"

namespace toroid {

void MuState::bad_address(unsigned master, std::uint64_t address, bool system) {
  constexpr const RegisterDescription* kInfo[] = {&bgq_mu_dcr::kXm0ErrorInfo, &bgq_mu_dcr::kXm1ErrorInfo,
                                                  &bgq_mu_dcr::kXm2ErrorInfo};
  dcr.at(*kInfo[master]) = (address & BGQ_PUT_OFFSET_MASK) | std::uint64_t{system} << 37;
}

void MuState::injection_changed(unsigned fifo) {
  if (fifos.take_status_change()) group_changed(fifo / kMuInjectionOfAGroup);
  page_changed(fifo / kMuInjectionOfASubgroup);
  if (observer == nullptr) return;
  const MuRing& ring = static_cast<const MuFifos&>(fifos).injection(fifo).ring;
  observer->on_fifo(node, MuObserver::Side::injection, fifo, ring.used_to(ring.tail), now());
}

void MuState::reception_changed(unsigned fifo) {
  if (fifos.take_status_change()) group_changed(fifo / kMuReceptionOfAGroup);
  page_changed(fifo / kMuReceptionOfASubgroup);
  if (observer == nullptr) return;
  const MuRing& ring = static_cast<const MuFifos&>(fifos).reception(fifo).ring;
  observer->on_fifo(node, MuObserver::Side::reception, fifo, ring.used_to(ring.tail), now());
}

}  // namespace toroid
