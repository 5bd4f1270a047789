// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/chips/bgp/bgp_chip.h"
#include "hw/chips/bgp/describe.h"
#include "hw/io/tree/io_nodes.h"
#include "hw/machine/dead_end.h"
#include "hw/machine/hardware.h"
#include "hw/machine/machine_model.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/base/network_clock.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/tree/network.h"

namespace toroid {

/// A Blue Gene/P: torus, collective network (tree) and global interrupts, a chip at every node that has a process, and
/// the I/O nodes that serve them.
class BgpHardware final : public Hardware {
 public:
  /// `directory` and `output` are kept by reference.
  BgpHardware(const BgpConfig& config, const BuildRequest& request, JobDirectory& directory, OutputSink& output);
  BgpHardware(const BgpHardware&) = delete;
  BgpHardware& operator=(const BgpHardware&) = delete;
  ~BgpHardware() override;

  const Topology& topology() const override { return torus_.topology(); }
  Node* node(std::uint32_t number) const override { return chips_[number].get(); }
  Wheel* wheel() override { return &wheel_; }
  std::uint32_t processing_set(std::uint32_t node) const override;
  void on_stuck(std::function<void()> call) override;
  /// With what the DMA engines have in work.
  std::uint64_t in_flight() const override;
  bool calls_under_way() const override;
  std::uint64_t packets() const override { return torus_.injected(); }
  std::uint64_t packet_hops() const override { return torus_.hops(); }
  void settle() override;
  std::uint64_t passed_on(std::uint32_t rank) const override { return io_->passed_on(rank); }
  std::string unmoved_text() const override;
  std::string held_up_text(Ending ending) const override;
  std::vector<PendingWork> pending_work() const override;
  MachineReport report(const Job& job, Ending ending) const override;
  void describe_trace(nlohmann::ordered_json& metadata) const override;
  std::unique_ptr<NetworkTrace> record(trace::Writer& writer, bool contents) override;

  // For its report, diagnosis and trace.
  const BgpConfig& config() const { return config_; }
  const TorusNetwork& torus() const { return torus_; }
  const TreeNetwork& tree() const { return tree_; }
  /// By node; nullptr where no process runs.
  const std::vector<std::unique_ptr<BgpChip>>& chips() const { return chips_; }
  const IoNodes& io() const { return *io_; }

 private:
  void set_tree_classes(const std::vector<std::uint32_t>& node_of_rank);

  const BgpConfig config_;
  Wheel wheel_;
  TorusNetwork torus_;
  TreeNetwork tree_;
  GlobalInterrupts global_interrupts_;
  NetworkClock clock_;
  RankIndex ranks_;
  std::vector<std::unique_ptr<BgpChip>> chips_;      ///< by node
  std::vector<std::unique_ptr<DeadEnd>> dead_ends_;  ///< by node; nullptr where a process runs
  std::unique_ptr<IoNodes> io_;
};

}  // namespace toroid
