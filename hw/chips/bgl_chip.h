// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>

#include "hw/bus/address_decoder.h"
#include "hw/core/core.h"
#include "hw/kernel/process.h"
#include "hw/memory/node_memory.h"
#include "nic/bgl/torus_fifo.h"
#include "torus/network.h"
#include "torus/network_clock.h"
#include "torus/tlm_local_port.h"

namespace toroid {

struct BglChipConfig {
  CoreConfig core;
  TorusFifoConfig torus_fifo;
  std::uint64_t memory_bytes = 512u << 20;
};

/// A Blue Gene/L compute node: one core, memory and the torus FIFOs behind an address decoder, at the addresses of the
/// real memory map (bl_physmap.h).
class BglChip : public sc_core::sc_module, public DcrBus {
 public:
  BglChip(const sc_core::sc_module_name& name, const BglChipConfig& config, TorusNetwork& network, std::uint32_t node,
          NetworkClock& clock);

  Core& core() { return core_; }
  const TorusFifoDevice& torus() const { return torus_; }

  std::optional<std::uint32_t> read_dcr(std::uint32_t number) override;
  bool write_dcr(std::uint32_t number, std::uint32_t value) override;

 private:
  NodeMemory memory_;
  Core core_;
  AddressDecoder bus_;
  TorusFifoDevice torus_;
  LinkSocketPort torus_port_;
};

}  // namespace toroid
