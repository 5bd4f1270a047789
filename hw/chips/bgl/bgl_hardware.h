// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hw/chips/bgl/bgl_chip.h"
#include "hw/chips/bgl/describe.h"
#include "hw/machine/torus_tree/hardware.h"

namespace toroid {

/// A Blue Gene/L: torus, tree and global interrupts, a chip at every node that has a process, and the I/O nodes that
/// serve them.
class BglHardware final : public TorusTreeHardware {
 public:
  /// `directory` and `output` are kept by reference.
  BglHardware(const BglConfig& config, const BuildRequest& request, JobDirectory& directory, OutputSink& output);

  BglChip* node(std::uint32_t number) const override { return chips_[number].get(); }
  MachineReport report(const Job& job, Ending ending) const override;
  void describe_trace(nlohmann::ordered_json& metadata) const override;
  std::unique_ptr<NetworkTrace> record(trace::Writer& writer, bool contents) override;
  std::unique_ptr<rtl::UnitSet> replace_units(const rtl::UnitsRequest& request) override;

 private:
  const BglConfig config_;
  std::vector<std::unique_ptr<BglChip>> chips_;  ///< by node; nullptr where no process runs
};

}  // namespace toroid
