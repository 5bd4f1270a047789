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
#include "hw/chips/bgq/barriers.h"
#include "hw/chips/bgq/class_routes.h"
#include "hw/chips/bgq/l1p_unit.h"
#include "hw/chips/bgq/l2_window.h"
#include "hw/chips/bgq/network_registers.h"
#include "hw/chips/bgq/node_kernel.h"
#include "hw/chips/bgq/wake_up_unit.h"
#include "hw/core/core.h"
#include "hw/core/issue_group.h"
#include "hw/core/memory_readers.h"
#include "hw/core/reserved_granule.h"
#include "hw/io/direct_io.h"
#include "hw/isa/ppc64/pipeline.h"
#include "hw/machine/node.h"
#include "hw/memory/memory_arbiter.h"
#include "hw/memory/node_memory.h"
#include "hw/memory/node_memory_config.h"
#include "hw/memory/watched_memory.h"
#include "nic/bgq/mu.h"
#include "nic/common/device_monitor.h"
#include "nic/common/pending_work.h"
#include "torus/base/network_clock.h"
#include "torus/collective/network.h"
#include "torus/torus/families/blue_gene_q_family.h"
#include "torus/torus/network.h"
#include "torus/torus/tlm_local_port.h"

namespace toroid {

/// What a node is made of. Values and sources: hw/machines/bgq.yaml.
struct BgqChipConfig {
  BgqChipConfig() {
    core.memory.levels = MemoryConfig::Levels::l1p_prefetch;
    memory.most_mib = 16384;
  }

  CoreConfig core;
  IssueConfig issue;
  ReservationConfig reservation;
  ppc64::PipelineConfig pipeline;
  MuConfig mu;
  DeviceCost mu_access;  ///< of registers of the Messaging Unit
  DeviceCost l2_access;  ///< of words that cores reach in the L2 itself: atomic operations
  DeviceCost wake_up_access;
  NodeMemoryConfig memory;

  // These follow from the kernel's parameters and the process mode.
  CoreCycle cores_apart{};
  unsigned processes = 1;

  void visit_parameters(ParameterVisitor& visitor);
};

/// A Blue Gene/Q compute node: 16 cores of four hardware threads, each of these a Core; memory and, behind an address
/// decoder, the devices at the addresses of the machine. The kernel maps devices at their physical addresses. A
/// hardware thread without software costs next to nothing.
class BgqChip final : public sc_core::sc_module, public Node, public PendingWorkSource, private DeviceMonitor {
 public:
  static constexpr unsigned kThreads = BgqNodeKernel::kThreads;

  /// All networks are kept by reference.
  struct Networks {
    CollectiveNetwork::Torus& torus;
    CollectiveNetwork& collectives;
    InterruptClasses& interrupts;
    NetworkClock& clock;
    ClassRoute job_route;  ///< the node's, of the job's own class
  };
  BgqChip(const sc_core::sc_module_name& name, const BgqChipConfig& config, const Networks& networks, IoService& io,
          std::uint32_t node);

  unsigned cores() const override { return kThreads; }
  /// Hardware threads in the order in which the kernel gives them to the threads of its processes: those of process 0
  /// come first; of each process, first one thread of each of its cores (Core::number() is core x 4 + thread).
  Core& core(unsigned place) override { return *threads_[order_[place]]; }
  const Core& core(unsigned place) const override { return *threads_[order_[place]]; }
  IoPort& io() override { return io_; }
  NodeServices* services() override { return &kernel_; }
  void on_device_fault(unsigned process, std::function<void(const std::string&)> kill) override {
    kernel_.on_device_fault(process, std::move(kill));
  }
  void watch_packets(PacketWatch& watch) override { mu_.watch_packets(watch); }
  const DeviceMonitor* monitor() const override { return this; }
  MuDevice& mu() { return mu_; }
  const MuDevice& mu() const { return mu_; }

  std::vector<PendingWork> pending_work(const std::string& node) const override { return mu_.pending_work(node); }

 private:
  // DeviceMonitor: monitor.cpp.
  std::string help() const override;
  std::optional<std::string> answer(const std::vector<std::string>& words) const override;
  std::string tell_classes(const std::vector<std::string>& which) const;
  std::string tell_collective_class(unsigned number) const;
  std::string tell_interrupt_class(unsigned number) const;
  std::string tell_links(ClassRoutes::Of of, unsigned number) const;

  void add_devices(Core& core, const BgqChipConfig& config);

  NodeMemory memory_;
  WatchedMemory watched_;
  MemoryArbiter arbiter_;
  MemoryReaders readers_;
  std::vector<IssueGroup> groups_;  ///< by core
  std::array<std::unique_ptr<Core>, kThreads> threads_;
  std::array<unsigned, kThreads> order_;
  AddressDecoder bus_;
  MuDevice mu_;
  BasicLinkSocketPort<BlueGeneQFamily> torus_port_;
  NodeBarriers barriers_;
  WakeUpUnit wake_up_;
  L1pUnit l1p_;
  ClassRoutes routes_;
  const Topology& topology_;
  NetworkRegisters network_registers_;
  BgqNodeKernel kernel_;
  L2Window l2_;
  DirectIo io_;
};

}  // namespace toroid
