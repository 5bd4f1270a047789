// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl_chip.h"

#include <string>

#include "nic/bgl/torus_regs.h"

namespace toroid {

namespace {

constexpr std::uint32_t kTorusWindow = BGL_TORUS_GROUP_COUNT * BGL_TORUS_GROUP_STRIDE;

}  // namespace

BglChip::BglChip(const sc_core::sc_module_name& name, const BglChipConfig& config, TorusNetwork& network,
                 std::uint32_t node, NetworkClock& clock)
    : sc_module(name),
      memory_("memory", config.memory_bytes),
      core_("core", config.core, memory_),
      bus_("bus", {{"torus", BGL_TORUS_BASE, kTorusWindow}}),
      torus_("torus", config.torus_fifo, network, node, clock),
      torus_port_("torus_port", network.router(node)) {
  core_.bus.bind(bus_.in);
  bus_.out(0).bind(torus_.bus_in);
  core_.add_device(BGL_TORUS_BASE, kTorusWindow, &torus_);
  torus_.injection_out.bind(torus_port_.from_device);
  torus_port_.to_device.bind(torus_.reception_in);
}

std::optional<std::uint32_t> BglChip::read_dcr(std::uint32_t number) {
  sc_core::sc_time delay;
  std::string reason;
  std::uint32_t value = 0;
  if (!torus_.read_dcr(number, value, delay, reason)) return std::nullopt;
  return value;
}

bool BglChip::write_dcr(std::uint32_t number, std::uint32_t value) {
  sc_core::sc_time delay;
  std::string reason;
  return torus_.write_dcr(number, value, delay, reason);
}

}  // namespace toroid
