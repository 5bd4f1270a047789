// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/bus/address_decoder.h"
#include "hw/chips/bgl/coherence_checker.h"
#include "hw/core/core.h"
#include "hw/io/tree/tree_io_port.h"
#include "hw/isa/power/pipeline.h"
#include "hw/kernel/dcr_bus.h"
#include "hw/kernel/refused_dcrs.h"
#include "hw/machine/torus_tree/node.h"
#include "hw/memory/node_memory.h"
#include "hw/memory/node_memory_config.h"
#include "hw/memory/sram.h"
#include "nic/bgl/global_interrupt.h"
#include "nic/bgl/interrupt_controller.h"
#include "nic/bgl/lockbox.h"
#include "nic/bgl/torus_fifo.h"
#include "nic/collective/tree_fifo.h"
#include "torus/base/network_clock.h"
#include "torus/torus/families/blue_gene_lp_network.h"

namespace toroid {

/// What a node is made of. Values and sources: hw/machines/bgl.yaml.
struct BglChipConfig {
  CoreConfig core;
  power::PipelineConfig pipeline;
  TorusFifoConfig torus_fifo;
  DeviceCost packet_access;  ///< of the torus and the tree FIFOs
  DeviceCost sram_access;
  DeviceCost lockbox_access;
  DeviceCost global_interrupt_access;
  NodeMemoryConfig memory;       ///< its bandwidth is for bus masters: this chip has none
  bool check_coherence = false;  ///< slow; changes no result

  void visit_parameters(ParameterVisitor& visitor);
};

/// A Blue Gene/L compute node: two cores and what they share, memory and, behind an address decoder, the torus and
/// tree FIFOs, the global interrupts, the SRAM and the lockbox, at the addresses of the real memory map
/// (bl_physmap.h). A core without software costs next to nothing.
class BglChip final : public sc_core::sc_module, public TorusTreeNode, public DcrBus {
 public:
  static constexpr unsigned kCores = 2;

  BglChip(const sc_core::sc_module_name& name, const BglChipConfig& config, TorusNetwork& network, TreeNetwork& tree,
          GlobalInterrupts& global_interrupts, std::uint32_t node, NetworkClock& clock);

  unsigned cores() const override { return kCores; }
  Core& core(unsigned number) override { return *cores_[number]; }
  const Core& core(unsigned number) const override { return *cores_[number]; }
  /// Virtual channel 1 of the tree is the kernel's own.
  IoPort& io() override { return io_; }
  DcrBus* dcr() override { return this; }
  void watch_packets(PacketWatch& watch) override {
    torus_.watch_packets(watch);
    tree_.watch_packets(watch);
  }
  const TorusFifoDevice& torus() const { return torus_; }
  const TreeFifoDevice& tree() const override { return tree_; }
  const GlobalInterruptChannels& barrier_channels() const override { return global_interrupts_.channels(); }
  /// Returns nullptr unless it was asked for.
  const CoherenceChecker* coherence() const { return coherence_.get(); }

  std::optional<std::uint32_t> read_dcr(std::uint32_t number) override;
  bool write_dcr(std::uint32_t number, std::uint32_t value) override;
  std::optional<std::uint32_t> peek_dcr(std::uint32_t number) override;
  std::string name_of_dcr(std::uint32_t number) const override;

  std::vector<PendingWork> pending_work(const std::string& node) const override;

 private:
  bool is_kernels_dcr(std::uint32_t number) const;
  void open_barrier_channels();
  std::array<InterruptController::Group, InterruptController::kGroups> interrupt_groups(NetworkClock& clock);

  NodeMemory memory_;
  std::array<std::unique_ptr<Core>, kCores> cores_;
  AddressDecoder bus_;
  TorusFifoDevice torus_;
  TreeFifoDevice tree_;
  TreeIoPort io_;
  Sram sram_;
  LockboxDevice lockbox_;
  GlobalInterruptDevice global_interrupts_;
  InterruptController interrupt_controller_;
  LinkSocketPort torus_port_;
  std::unique_ptr<CoherenceChecker> coherence_;
  RefusedDcrs refused_;
};

}  // namespace toroid
