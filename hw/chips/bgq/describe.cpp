// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/describe.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "hw/isa/ppc64/ppc64.h"
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

void BgqChipConfig::visit_parameters(ParameterVisitor& visitor) {
  memory.visit_parameters(visitor);
  core.visit_parameters(visitor);
  issue.visit_parameters(visitor);
  reservation.visit_parameters(visitor);
  pipeline.visit_parameters(visitor);
  mu.visit_parameters(visitor);
  mu_access.visit_parameters(visitor, "mu.read_latency", "mu.write");
  l2_access.visit_parameters(visitor, "l2_atomics.read_latency", "l2_atomics.write");
  wake_up_access.visit_parameters(visitor, "wake_up.read_latency", "wake_up.write");
}

void BgqConfig::visit_parameters(ParameterVisitor& visitor) {
  kernel.visit_parameters(visitor);
  visitor.count(devices_apart, "core.devices_apart", "cycles", {1, 1'000'000},
                "a thread alone on its node, which has accessed no device lately, sees what devices write to memory "
                "up to so much later");
  chip.visit_parameters(visitor);
  torus.visit_parameters(visitor);
  zones.visit_parameters(visitor);
  collective.visit_parameters(visitor);
  global_interrupts.visit_parameters(visitor);
}

BgqConfig describe_bgq(const Parameters& parameters) {
  auto machine = parameters.read<BgqConfig>();
  parameters.require_all_used();
  machine.torus.zones = machine.zones;
  machine.torus.fifo_groups = 1;
  machine.torus.reception_depth = machine.chip.mu.torus_fifo_depth;
  machine.chip.core.isa = ppc64::make_isa(machine.chip.pipeline, machine.chip.core.pipeline);
  machine.chip.cores_apart = machine.kernel.cores_apart;
  try {
    machine.routers = &family_of(machine.torus, parameters);
    machine.torus.injection_fifos = std::min(kInjectionFifos, machine.routers->injection_fifos);
    machine.torus.validate(*machine.routers);
    machine.chip.core.memory.validate();
    require(machine.chip.reservation.is_valid(), "core.reservation",
            "is " + std::to_string(machine.chip.reservation.bytes) + "; it must be 0 or a power of two from 8 on");
    require(machine.chip.issue.threads == 1 || machine.chip.issue.threads == BgqNodeKernel::kThreadsOfACore,
            "core.threads",
            "is " + std::to_string(machine.chip.issue.threads) + "; it must be " +
                std::to_string(BgqNodeKernel::kThreadsOfACore) +
                ", the threads of a core, or 1 if each is to have units of its own");
  } catch (const ParameterError& error) {
    throw parameters.refusal(error);
  }
  return machine;
}

}  // namespace toroid
