// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hw/chips/bgq/describe.h"
#include "hw/machine/machine_description.h"
#include "hw/machine/machine_model.h"

namespace toroid {

/// Blue Gene/Q without nodes: its torus, for synthetic traffic.
class BgqModel final : public MachineModel {
 public:
  BgqModel(const BgqConfig& config, const std::vector<ProcessMode>& modes) : config_(config), modes_(modes) {}

  const char* name() const override { return "bgq"; }
  const std::vector<ProcessMode>& modes() const override { return modes_; }
  std::vector<std::string> warnings() const override { return config_.torus.warnings(*config_.routers); }
  /// Throws ConfigurationError: there are no cores.
  void check_programs(const Shape& shape) const override;
  const CoreConfig& core() const override;
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
