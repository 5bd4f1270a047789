// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

namespace toroid {

/// Which of a node's cores makes an access, for devices that answer each of them differently.
///
/// Ignorable: without it, the access counts as core 0's.
struct BusMaster : tlm::tlm_extension<BusMaster> {
  unsigned core = 0;

  tlm::tlm_extension_base* clone() const override { return new BusMaster(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { core = static_cast<const BusMaster&>(other).core; }
};

}  // namespace toroid
