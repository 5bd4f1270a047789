// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nic/common/pending_work.h"
#include "torus/base/network_clock.h"
#include "torus/base/topology.h"
#include "torus/torus/local_port.h"

namespace toroid {

/// What stands at a node's router where no process runs: takes what comes and does nothing.
class DeadEnd : public LocalPort, public PendingWorkSource {
 public:
  /// `network` is of any router family.
  template <typename Network>
  DeadEnd(Network& network, std::uint32_t node, const NetworkClock& clock)
      : topology_(network.topology()), clock_(clock) {
    network.attach(node, *this);
  }

  /// Because no tokens return, the packets of a misdirected sender back up, as on the machine.
  void packet_received(Packet& packet, unsigned fifo, Cycle at) override;
  void injection_taken(unsigned, unsigned, Cycle) override {}

  std::vector<PendingWork> pending_work(const std::string& node) const override;

 private:
  const Topology& topology_;
  const NetworkClock& clock_;
  std::uint64_t packets_ = 0;
  std::uint32_t first_source_ = 0;
  Cycle last_ = 0;
};

}  // namespace toroid
