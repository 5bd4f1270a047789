// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/chips/bgq/bgq_chip.h"
#include "hw/chips/bgq/describe.h"
#include "hw/io/io_service.h"
#include "hw/machine/dead_end.h"
#include "hw/machine/hardware.h"
#include "hw/machine/machine_model.h"
#include "torus/base/network_clock.h"
#include "torus/collective/global_interrupts.h"
#include "torus/collective/network.h"

namespace toroid {

/// A Blue Gene/Q: a torus with collectives and global interrupts inside it, and a chip at every node that has a
/// process. Calls about files are performed on the node: I/O nodes are not modelled.
class BgqHardware final : public Hardware {
 public:
  /// `directory` and `output` are kept by reference.
  BgqHardware(const BgqConfig& config, const BuildRequest& request, JobDirectory& directory, OutputSink& output);

  const Topology& topology() const override { return torus_.topology(); }
  BgqChip* node(std::uint32_t number) const override { return chips_[number].get(); }
  Wheel* wheel() override { return &wheel_; }
  void on_stuck(std::function<void()> call) override { torus_.progress().set_on_stuck(std::move(call)); }
  /// With what the Messaging Units have in work.
  std::uint64_t in_flight() const override;
  std::uint64_t packets() const override { return torus_.injected(); }
  std::uint64_t packet_hops() const override { return torus_.hops(); }
  void settle() override;
  std::uint64_t passed_on(std::uint32_t rank) const override { return io_.passed_on(rank); }
  std::string unmoved_text() const override;
  std::string held_up_text(Ending ending) const override;
  std::vector<PendingWork> pending_work() const override;
  MachineReport report(const Job& job, Ending ending) const override;
  void describe_trace(nlohmann::ordered_json& metadata) const override;
  std::unique_ptr<NetworkTrace> record(trace::Writer& writer, bool contents) override;

 private:
  Wheel wheel_;
  CollectiveNetwork::Torus torus_;
  CollectiveNetwork collectives_;
  InterruptClasses interrupts_;
  NetworkClock clock_;
  IoService io_;
  std::vector<std::unique_ptr<BgqChip>> chips_;      ///< by node; nullptr where no process runs
  std::vector<std::unique_ptr<DeadEnd>> dead_ends_;  ///< the others
};

}  // namespace toroid
