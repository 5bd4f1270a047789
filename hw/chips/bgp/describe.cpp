// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/describe.h"

#include "hw/isa/ppc32/ppc32.h"
#include "torus/traffic/families.h"

namespace toroid {

namespace {

// Of the torus, as the DMA engine's maps know them: three of normal priority and one of high priority a group.
constexpr unsigned kFifoGroups = 2;
constexpr unsigned kInjectionFifos = 4;

/// The routers that are described; programs need this machine's own (BgpModel::check_programs).
const RouterFamily& family_of(const TorusConfig& torus, const Parameters& parameters) {
  try {
    return *traffic_family(torus.router, static_cast<unsigned>(parameters.dimensions().size())).family;
  } catch (const std::invalid_argument& error) {
    throw ParameterError("torus.router", "is " + torus.router + ": " + error.what());
  }
}

}  // namespace

void BgpChipConfig::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(memory_bytes, "node.memory_size", "MiB", {16, 2048}, "memory of a node", 1u << 20);
  visitor.number(memory_bytes_per_cycle, "memory.bandwidth", "bytes/cycle", {0.001, 1e6},
                 "core cycles; what devices that read and write memory themselves share");
  core.visit_parameters(visitor);
  pipeline.visit_parameters(visitor);
  dma.visit_parameters(visitor);
  dma_access.visit_parameters(visitor, "dma.read_latency", "dma.write");
  packet_access.visit_parameters(visitor, "device.read_latency", "device.write_quad");
  sram_access.visit_parameters(visitor, "sram.read_latency", "sram.write");
  lockbox_access.visit_parameters(visitor, "lockbox.read_latency", "lockbox.write");
  global_interrupt_access.visit_parameters(visitor, "global_interrupts.read_latency", "global_interrupts.write");
}

void BgpConfig::visit_parameters(ParameterVisitor& visitor) {
  kernel.visit_parameters(visitor);
  chip.visit_parameters(visitor);
  torus.visit_parameters(visitor);
  tree.visit_parameters(visitor);
  global_interrupts.visit_parameters(visitor);
  io.visit_parameters(visitor);
}

BgpConfig describe_bgp(const Parameters& parameters) {
  auto machine = parameters.read<BgpConfig>();
  parameters.require_all_used();
  machine.chip.core.isa = ppc32::make_isa(machine.chip.pipeline, machine.chip.core.pipeline, true);
  machine.torus.fifo_groups = kFifoGroups;
  machine.torus.injection_fifos = kInjectionFifos;
  machine.torus.reception_depth = machine.chip.dma.torus_fifo_depth;
  // I/O nodes are made of the same chip.
  machine.io_node = io_node_config(machine.io, machine.chip.core, machine.chip.packet_access, machine.torus.clock_mhz);
  try {
    machine.routers = &family_of(machine.torus, parameters);
    machine.torus.validate(*machine.routers);
    machine.tree.validate();
    machine.chip.core.memory.validate();
  } catch (const ParameterError& error) {
    throw parameters.refusal(error);
  }
  return machine;
}

}  // namespace toroid
