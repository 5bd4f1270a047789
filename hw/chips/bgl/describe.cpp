// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl/describe.h"

#include "hw/isa/ppc32/ppc32.h"

namespace toroid {

void BglChipConfig::visit_parameters(ParameterVisitor& visitor) {
  memory.visit_parameters(visitor);
  core.visit_parameters(visitor);
  pipeline.visit_parameters(visitor);
  torus_fifo.visit_parameters(visitor);
  packet_access.visit_parameters(visitor, "device.read_latency", "device.write_quad");
  sram_access.visit_parameters(visitor, "sram.read_latency", "sram.write");
  lockbox_access.visit_parameters(visitor, "lockbox.read_latency", "lockbox.write");
  global_interrupt_access.visit_parameters(visitor, "global_interrupts.read_latency", "global_interrupts.write");
}

void BglConfig::visit_parameters(ParameterVisitor& visitor) {
  kernel.visit_parameters(visitor);
  chip.visit_parameters(visitor);
  TorusTreeConfig::visit_parameters(visitor);
}

BglConfig describe(const Parameters& parameters) {
  auto machine = parameters.read<BglConfig>();
  parameters.require_all_used();
  machine.chip.core.isa = ppc32::make_isa(machine.chip.pipeline, machine.chip.core.pipeline);
  machine.torus.reception_depth = machine.chip.torus_fifo.depth;
  machine.complete(parameters, machine.chip.core, machine.chip.packet_access);
  return machine;
}

}  // namespace toroid
