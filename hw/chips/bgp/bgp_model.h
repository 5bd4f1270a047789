// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "hw/chips/bgp/describe.h"
#include "hw/machine/machine_description.h"
#include "hw/machine/torus_tree/model.h"

namespace toroid {

/// Blue Gene/P.
class BgpModel final : public TorusTreeModel {
 public:
  /// Throws ConfigurationError for a mode that needs more cores than a node has.
  BgpModel(const BgpConfig& config, const std::vector<ProcessMode>& modes);

  const char* name() const override { return "bgp"; }
  const CoreConfig& core() const override { return config_.chip.core; }
  void set_up(KernelConfig& kernel) const override;
  std::unique_ptr<Hardware> build(const BuildRequest& request, JobDirectory& directory,
                                  OutputSink& output) const override;

 private:
  const BgpConfig& config() const override { return config_; }

  const BgpConfig config_;
};

/// Throws ConfigurationError.
std::unique_ptr<MachineModel> make_bgp_model(const MachineDescription& description);
/// Shows all parameters of its description.
void visit_bgp_parameters(ParameterVisitor& visitor);

}  // namespace toroid
