// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "nic/common/pending_work.h"

namespace toroid {

/// The accesses to device control registers that a chip has refused (DcrBus), which software can leave unnoticed.
class RefusedDcrs final : public PendingWorkSource {
 public:
  /// An access now; `reason` says what was done, where, and why it had no effect.
  void add(std::string reason);

  std::vector<PendingWork> pending_work(const std::string& node) const override;

 private:
  std::uint64_t number_ = 0;
  std::string last_;
  sc_core::sc_time at_;
};

}  // namespace toroid
