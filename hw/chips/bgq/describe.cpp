// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/describe.h"

#include <algorithm>
#include <stdexcept>

#include "torus/traffic/families.h"

namespace toroid {
namespace {

constexpr unsigned kInjectionFifos = 16;  // T0 to T9, L0, L1, HP, IO and two of collectives

const RouterFamily& family_of(const TorusConfig& torus, const Parameters& parameters) {
  try {
    return *traffic_family(torus.router, static_cast<unsigned>(parameters.dimensions().size())).family;
  } catch (const std::invalid_argument& error) {
    throw ParameterError("torus.router", "is " + torus.router + ": " + error.what());
  }
}

}  // namespace

void BgqConfig::visit_parameters(ParameterVisitor& visitor) {
  torus.visit_parameters(visitor);
  zones.visit_parameters(visitor);
  mu.visit_parameters(visitor);
  collective.visit_parameters(visitor);
  global_interrupts.visit_parameters(visitor);
}

BgqConfig describe_bgq(const Parameters& parameters) {
  auto machine = parameters.read<BgqConfig>();
  parameters.require_all_used();
  machine.torus.zones = machine.zones;
  machine.torus.fifo_groups = 1;
  machine.torus.reception_depth = machine.mu.torus_fifo_depth;
  try {
    machine.routers = &family_of(machine.torus, parameters);
    machine.torus.injection_fifos = std::min(kInjectionFifos, machine.routers->injection_fifos);
    machine.torus.validate(*machine.routers);
  } catch (const ParameterError& error) {
    throw parameters.refusal(error);
  }
  return machine;
}

}  // namespace toroid
