// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "hw/core/core.h"
#include "hw/io/io_port.h"
#include "hw/kernel/dcr_bus.h"
#include "hw/kernel/node_services.h"
#include "nic/common/device_monitor.h"
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
  /// What its kernel keeps for all its processes, or nullptr.
  virtual NodeServices* services() { return nullptr; }
  /// A device of the node calls `kill`, with what was wrong, when process number `process` of the node has misused it
  /// and no core waits for an answer (Process::kill_by_device()).
  virtual void on_device_fault(unsigned process, std::function<void(const std::string& what)> kill) {
    (void)process, (void)kill;
  }
  /// What its devices tell a debugger, or nullptr.
  virtual const DeviceMonitor* monitor() const { return nullptr; }
  /// Has all its network devices report their packets to `watch` from now on.
  virtual void watch_packets(PacketWatch& watch) { (void)watch; }
};

}  // namespace toroid
