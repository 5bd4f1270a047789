// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/bus/address_decoder.h"
#include "hw/chips/bgp/node_kernel.h"
#include "hw/chips/bgp/performance_events.h"
#include "hw/core/core.h"
#include "hw/io/tree/tree_io_port.h"
#include "hw/isa/power/pipeline.h"
#include "hw/kernel/dcr_bus.h"
#include "hw/kernel/refused_dcrs.h"
#include "hw/machine/torus_tree/node.h"
#include "hw/memory/memory_arbiter.h"
#include "hw/memory/node_memory.h"
#include "hw/memory/node_memory_config.h"
#include "hw/memory/sram.h"
#include "hw/memory/watched_memory.h"
#include "nic/bgp/counter_lockbox.h"
#include "nic/bgp/dma.h"
#include "nic/bgp/global_interrupt_dcr.h"
#include "nic/bgp/interrupt_router.h"
#include "nic/collective/tree_fifo.h"
#include "nic/common/device_monitor.h"
#include "torus/barrier/global_interrupts.h"
#include "torus/base/network_clock.h"
#include "torus/torus/families/blue_gene_lp_network.h"

namespace toroid {

/// What a node is made of. Values and sources: hw/machines/bgp.yaml.
struct BgpChipConfig {
  CoreConfig core;
  power::PipelineConfig pipeline;
  DmaConfig dma;
  DeviceCost packet_access;  ///< of the tree's FIFOs
  DeviceCost dma_access;     ///< of registers of the DMA engine
  DeviceCost sram_access;
  DeviceCost lockbox_access;
  DeviceCost global_interrupt_access;  ///< of control registers that programs reach
  NodeMemoryConfig memory;

  void visit_parameters(ParameterVisitor& visitor);
};

/// A Blue Gene/P compute node: four cores with coherent caches and what they share, memory and, behind an address
/// decoder, the devices at the physical addresses of the real memory map (nic/bgp/addresses.h). Programs see them at
/// the addresses to which its kernel maps them (nic/bgp/kernel_services.h). A core without software costs next to
/// nothing.
class BgpChip final : public sc_core::sc_module, public TorusTreeNode, public DcrBus, private DeviceMonitor {
 public:
  static constexpr unsigned kCores = 4;

  BgpChip(const sc_core::sc_module_name& name, const BgpChipConfig& config, TorusNetwork& network, TreeNetwork& tree,
          GlobalInterrupts& global_interrupts, RankIndex& ranks, const NodeFacts& facts, NetworkClock& clock);

  unsigned cores() const override { return kCores; }
  Core& core(unsigned number) override { return *cores_[number]; }
  const Core& core(unsigned number) const override { return *cores_[number]; }
  /// Virtual channel 1 of the tree is the kernel's own.
  IoPort& io() override { return io_; }
  DcrBus* dcr() override { return this; }
  NodeServices* services() override { return &kernel_; }
  void on_device_fault(unsigned process, std::function<void(const std::string&)> kill) override {
    kernel_.on_device_fault(process, std::move(kill));
  }
  void watch_packets(PacketWatch& watch) override {
    dma_.watch_packets(watch);
    tree_.watch_packets(watch);
  }
  const DeviceMonitor* monitor() const override { return this; }
  DmaDevice& dma() { return dma_; }
  const DmaDevice& dma() const { return dma_; }
  const TreeFifoDevice& tree() const override { return tree_; }
  const GlobalInterruptChannels& barrier_channels() const override { return global_interrupts_.channels(); }

  std::optional<std::uint32_t> read_dcr(std::uint32_t number) override;
  bool write_dcr(std::uint32_t number, std::uint32_t value) override;
  std::optional<std::uint32_t> peek_dcr(std::uint32_t number) override;
  std::string name_of_dcr(std::uint32_t number) const override;

  std::vector<PendingWork> pending_work(const std::string& node) const override;

 private:
  // DeviceMonitor.
  std::string help() const override;
  std::optional<std::string> answer(const std::vector<std::string>& words) const override;

  void add_devices(Core& core, const BgpChipConfig& config);
  void open_barrier_channel();
  std::vector<InterruptRouter::Source> interrupt_sources(NetworkClock& clock);
  bool is_kernels_dcr(std::uint32_t number) const;

  NodeMemory memory_;
  WatchedMemory watched_;
  MemoryArbiter arbiter_;
  MemoryReaders readers_;
  std::array<std::unique_ptr<Core>, kCores> cores_;
  AddressDecoder bus_;
  DmaDevice dma_;
  TreeFifoDevice tree_;
  TreeIoPort io_;
  Sram sram_;
  CounterLockbox lockbox_;
  GlobalInterruptDcr global_interrupts_;
  InterruptRouter interrupts_;
  LinkSocketPort torus_port_;
  ChipEvents events_;
  NodeKernel kernel_;
  RefusedDcrs refused_;
};

}  // namespace toroid
