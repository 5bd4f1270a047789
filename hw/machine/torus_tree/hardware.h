// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/io/tree/io_nodes.h"
#include "hw/machine/dead_end.h"
#include "hw/machine/hardware.h"
#include "hw/machine/machine_model.h"
#include "hw/machine/report.h"
#include "hw/machine/torus_tree/config.h"
#include "hw/machine/torus_tree/node.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/base/network_clock.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/tree/network.h"

namespace toroid {

/// A machine of a torus, a tree and global interrupts on one clock, with the I/O nodes at the tree. A derived class
/// adds the chips: one at every node that has a process.
class TorusTreeHardware : public Hardware {
 public:
  TorusTreeHardware(const TorusTreeHardware&) = delete;
  TorusTreeHardware& operator=(const TorusTreeHardware&) = delete;

  const Topology& topology() const override { return torus_.topology(); }
  TorusTreeNode* node(std::uint32_t number) const override = 0;
  Wheel* wheel() override { return &wheel_; }
  std::uint32_t processing_set(std::uint32_t node) const override;
  void on_stuck(std::function<void()> call) override;
  std::uint64_t in_flight() const override { return torus_.in_flight() + tree_.in_flight(); }
  bool calls_under_way() const override;
  std::uint64_t packets() const override { return torus_.injected(); }
  std::uint64_t packet_hops() const override { return torus_.hops(); }
  void settle() override;
  std::uint64_t passed_on(std::uint32_t rank) const override { return io_->passed_on(rank); }
  std::string unmoved_text() const override;
  std::string held_up_text(Ending ending) const override;
  std::vector<PendingWork> pending_work() const override;

 protected:
  /// The classes of the tree that the kernels of a partition give user software, by number.
  struct TreeClasses {
    unsigned reduction;
    unsigned broadcast;
  };

  TorusTreeHardware(const TorusTreeConfig& config, const BuildRequest& request);
  /// Builds what comes after the chips: what stands at the other nodes, the classes of the tree with all nodes of the
  /// job as members, and the I/O nodes. `directory` and `output` are kept by reference.
  void complete(const TorusTreeConfig& config, const BuildRequest& request, const TreeClasses& classes,
                JobDirectory& directory, OutputSink& output);

  // Sections of the result (docs/reference/simulator_files.md).
  void report_torus(MachineReport& report) const;
  /// The tree and the I/O nodes; and what is wrong if packets were left in the tree, unless something else is.
  void report_tree(MachineReport& report, Ending ending) const;

  Wheel wheel_;
  TorusNetwork torus_;
  TreeNetwork tree_;
  GlobalInterrupts global_interrupts_;
  NetworkClock clock_;

 private:
  std::vector<std::unique_ptr<DeadEnd>> dead_ends_;  ///< by node; nullptr where a process runs
  std::unique_ptr<IoNodes> io_;
};

}  // namespace toroid
