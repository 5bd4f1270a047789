// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hw/chips/bgp/describe.h"
#include "hw/machine/machine_description.h"
#include "hw/machine/machine_model.h"

namespace toroid {

/// Blue Gene/P.
class BgpModel final : public MachineModel {
 public:
  /// Throws ConfigurationError for a mode that needs more cores than a node has.
  BgpModel(const BgpConfig& config, const std::vector<ProcessMode>& modes);

  const char* name() const override { return "bgp"; }
  const std::vector<ProcessMode>& modes() const override { return modes_; }
  std::vector<std::string> warnings() const override { return config_.torus.warnings(*config_.routers); }
  void check_programs(const Shape& shape) const override;
  const CoreConfig& core() const override { return config_.chip.core; }
  void set_up(KernelConfig& kernel) const override;
  std::unique_ptr<Hardware> build(const BuildRequest& request, JobDirectory& directory,
                                  OutputSink& output) const override;
  const TorusConfig& torus() const override { return config_.torus; }
  CollectiveLatencies measure_collectives(const Topology& topology) const override;

 private:
  const BgpConfig config_;
  const std::vector<ProcessMode> modes_;
};

/// Throws ConfigurationError.
std::unique_ptr<MachineModel> make_bgp_model(const MachineDescription& description);
/// Shows all parameters of its description.
void visit_bgp_parameters(ParameterVisitor& visitor);

}  // namespace toroid
