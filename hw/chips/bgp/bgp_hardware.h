// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hw/chips/bgp/bgp_chip.h"
#include "hw/chips/bgp/describe.h"
#include "hw/machine/torus_tree/hardware.h"

namespace toroid {

/// A Blue Gene/P: torus, collective network (tree) and global interrupts, a chip at every node that has a process, and
/// the I/O nodes that serve them.
class BgpHardware final : public TorusTreeHardware {
 public:
  /// `directory` and `output` are kept by reference.
  BgpHardware(const BgpConfig& config, const BuildRequest& request, JobDirectory& directory, OutputSink& output);

  BgpChip* node(std::uint32_t number) const override { return chips_[number].get(); }
  /// With what the DMA engines have in work.
  std::uint64_t in_flight() const override;
  MachineReport report(const Job& job, Ending ending) const override;
  void describe_trace(nlohmann::ordered_json& metadata) const override;
  std::unique_ptr<NetworkTrace> record(trace::Writer& writer, bool contents) override;

 private:
  const BgpConfig config_;
  RankIndex ranks_;
  std::vector<std::unique_ptr<BgpChip>> chips_;  ///< by node; nullptr where no process runs
};

}  // namespace toroid
