// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/machine/ending.h"
#include "hw/machine/node.h"
#include "nic/common/pending_work.h"
#include "torus/base/topology.h"
#include "torus/rtl/unit_set.h"

namespace toroid {

namespace trace {
class Writer;
}

class Job;
class Wheel;
struct MachineReport;

/// Records what the networks of a machine do. To be kept up to the end of the run.
class NetworkTrace {
 public:
  virtual ~NetworkTrace() = default;
};

/// The networks, nodes and I/O nodes of one machine, as built for a job. What a machine does in its own way stands
/// behind this interface; how a job runs, ends and is reported is the same for all of them (machine.h).
class Hardware {
 public:
  virtual ~Hardware() = default;

  virtual const Topology& topology() const = 0;
  /// The node of this number, or nullptr if no process runs there.
  virtual Node* node(std::uint32_t number) const = 0;
  /// The number of the group of nodes that share this node's I/O node.
  virtual std::uint32_t processing_set(std::uint32_t node) const {
    (void)node;
    return 0;
  }

  /// What the networks run on; nullptr if there are none.
  virtual Wheel* wheel() = 0;

  // Running.

  /// Calls `call` when packets in a network have not moved for too long. It may come again.
  virtual void on_stuck(std::function<void()> call) { (void)call; }
  /// Packets in all networks.
  virtual std::uint64_t in_flight() const = 0;
  /// Whether a core waits for an answer of its I/O node that will come: the request or the answer moves, or the I/O
  /// node works on it.
  virtual bool calls_under_way() const { return false; }
  /// Packets that programs have injected, and the links that they have crossed, for progress reports.
  virtual std::uint64_t packets() const = 0;
  virtual std::uint64_t packet_hops() const = 0;

  // After the end.

  /// Lets the networks come up to SystemC's time, and the I/O nodes perform what has come to them in whole.
  virtual void settle() = 0;
  /// Bytes of a rank's standard output and error that its I/O node has passed on.
  virtual std::uint64_t passed_on(std::uint32_t rank) const = 0;
  /// Packets that have not moved: how many, where and since when; one clause. Valid where a run is stuck.
  virtual std::string unmoved_text() const { return {}; }
  /// What the networks hold up, and which nodes have not come to a barrier; empty if nothing is known. Several lines.
  virtual std::string held_up_text(Ending ending) const {
    (void)ending;
    return {};
  }
  /// What software has left in the devices of all nodes, by node.
  virtual std::vector<PendingWork> pending_work() const { return {}; }
  virtual MachineReport report(const Job& job, Ending ending) const = 0;

  // Watching.

  /// What a reader of a trace must know of the networks: adds it to the trace's metadata.
  virtual void describe_trace(nlohmann::ordered_json& metadata) const { (void)metadata; }
  /// Records the networks' packets, with `contents` also what they carry.
  virtual std::unique_ptr<NetworkTrace> record(trace::Writer& writer, bool contents) {
    (void)writer;
    (void)contents;
    return nullptr;
  }
  /// Replaces units of the networks by units in Verilog, if the model has such (has_units_in_verilog()). Destroy the
  /// result before the hardware. Throws std::invalid_argument if the unit does not fit the machine.
  virtual std::unique_ptr<rtl::UnitSet> replace_units(const rtl::UnitsRequest& request) {
    (void)request;
    throw std::logic_error("this machine has no units in Verilog");
  }

  /// "node (0,0,2)".
  std::string name_of(std::uint32_t node) const {
    return "node " + coordinates_text(topology().coordinates(node), topology().dimensions());
  }
};

}  // namespace toroid
