// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "hw/chips/bgl/describe.h"
#include "hw/machine/machine_description.h"
#include "hw/machine/torus_tree/model.h"

namespace toroid {

/// Blue Gene/L.
class BglModel final : public TorusTreeModel {
 public:
  /// Throws ConfigurationError for a mode that needs more cores than a node has.
  BglModel(const BglConfig& config, const std::vector<ProcessMode>& modes);

  const char* name() const override { return "bgl"; }
  void check_programs(const Shape& shape) const override;
  bool checks_coherence() const override { return true; }
  bool has_units_in_verilog() const override { return true; }
  const CoreConfig& core() const override { return config_.chip.core; }
  void set_up(KernelConfig& kernel) const override;
  std::unique_ptr<Hardware> build(const BuildRequest& request, JobDirectory& directory,
                                  OutputSink& output) const override;
  std::unique_ptr<rtl::UnitSet> replace_units(const rtl::UnitsRequest& request,
                                              AnyTorusNetwork& network) const override;

 private:
  const BglConfig& config() const override { return config_; }

  const BglConfig config_;
};

/// Throws ConfigurationError.
std::unique_ptr<MachineModel> make_bgl_model(const MachineDescription& description);
/// Shows all parameters of its description.
void visit_bgl_parameters(ParameterVisitor& visitor);

}  // namespace toroid
