// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/torus_tree/config.h"

#include <stdexcept>
#include <string>

#include "torus/traffic/families.h"

namespace toroid {
namespace {

// Of the torus: three injection FIFOs of normal priority and one of high priority a group.
constexpr unsigned kFifoGroups = 2;
constexpr unsigned kInjectionFifos = 4;

/// The routers that are described; programs need one family (TorusTreeModel::check_programs).
const RouterFamily& family_of(const TorusConfig& torus, const Parameters& parameters) {
  try {
    return *traffic_family(torus.router, static_cast<unsigned>(parameters.dimensions().size())).family;
  } catch (const std::invalid_argument& error) {
    throw ParameterError("torus.router", "is " + torus.router + ": " + error.what());
  }
}

}  // namespace

void TorusTreeConfig::visit_parameters(ParameterVisitor& visitor) {
  torus.visit_parameters(visitor);
  tree.visit_parameters(visitor);
  global_interrupts.visit_parameters(visitor);
  io.visit_parameters(visitor);
}

void TorusTreeConfig::complete(const Parameters& parameters, const CoreConfig& core, const DeviceCost& access) {
  torus.fifo_groups = kFifoGroups;
  torus.injection_fifos = kInjectionFifos;
  io_node = io_node_config(io, core, access, torus.clock_mhz);
  try {
    routers = &family_of(torus, parameters);
    torus.validate(*routers);
    tree.validate();
    core.memory.validate();
  } catch (const ParameterError& error) {
    throw parameters.refusal(error);
  }
}

}  // namespace toroid
