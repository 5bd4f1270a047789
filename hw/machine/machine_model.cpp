// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/machine_model.h"

#include "hw/machine/parameters.h"
#include "hw/machine/report.h"

namespace toroid {
namespace {

[[noreturn]] void refuse(const MachineModel& model, const std::string& what) {
  throw ConfigurationError("machine \"" + std::string(model.name()) + "\" has no " + what);
}

}  // namespace

const TorusConfig& MachineModel::torus() const {
  refuse(*this, "torus for synthetic traffic; programs run on it");
}

std::unique_ptr<rtl::UnitSet> MachineModel::replace_units(const rtl::UnitsRequest&, AnyTorusNetwork&) const {
  refuse(*this, "units in Verilog");
}

CollectiveLatencies MachineModel::measure_collectives(const Topology&) const {
  refuse(*this, "collective networks");
}

}  // namespace toroid
