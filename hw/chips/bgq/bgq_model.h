// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hw/chips/bgq/describe.h"
#include "hw/machine/machine_description.h"
#include "hw/machine/machine_model.h"

namespace toroid {

/// Blue Gene/Q.
class BgqModel final : public MachineModel {
 public:
  /// Throws ConfigurationError for a mode that needs more hardware threads than a node has.
  BgqModel(const BgqConfig& config, const std::vector<ProcessMode>& modes);

  const char* name() const override { return "bgq"; }
  const std::vector<ProcessMode>& modes() const override { return modes_; }
  std::vector<std::string> warnings() const override { return config_.torus.warnings(*config_.routers); }
  const char* rank_order() const override { return "ABCDET"; }
  /// Throws ConfigurationError or ParameterError unless the torus has the dimensions and the routers of packet headers.
  void check_programs(const Shape& shape) const override;
  const CoreConfig& core() const override { return config_.chip.core; }
  void set_up(KernelConfig& kernel) const override;
  std::unique_ptr<Hardware> build(const BuildRequest& request, JobDirectory& directory,
                                  OutputSink& output) const override;
  const TorusConfig& torus() const override { return config_.torus; }

 private:
  const BgqConfig config_;
  const std::vector<ProcessMode> modes_;
};

/// Throws ConfigurationError.
std::unique_ptr<MachineModel> make_bgq_model(const MachineDescription& description);
/// Shows all parameters of its description.
void visit_bgq_parameters(ParameterVisitor& visitor);

}  // namespace toroid
