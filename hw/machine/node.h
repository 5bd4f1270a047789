// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/core/core.h"
#include "hw/io/io_port.h"
#include "hw/kernel/dcr_bus.h"
#include "nic/common/packet_watch.h"

namespace toroid {

/// A node on which processes run, as the kernel, debuggers and traces know it, whatever chip it has.
class Node {
 public:
  virtual ~Node() = default;

  virtual unsigned cores() const = 0;
  virtual Core& core(unsigned number) = 0;
  virtual const Core& core(unsigned number) const = 0;
  /// Ships the calls of its processes to the I/O node.
  virtual IoPort& io() = 0;
  /// The privileged bus of its kernel, or nullptr.
  virtual DcrBus* dcr() { return nullptr; }
  /// Has all its network devices report their packets to `watch` from now on.
  virtual void watch_packets(PacketWatch& watch) { (void)watch; }
};

}  // namespace toroid
