// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "hw/chips/bgp/comm_threads.h"
#include "hw/chips/bgp/dma_resources.h"
#include "hw/chips/bgp/lockbox_resources.h"
#include "hw/chips/bgp/performance_counters.h"
#include "hw/chips/bgp/personality.h"
#include "hw/chips/bgp/process_windows.h"
#include "hw/chips/bgp/rank_index.h"
#include "hw/kernel/node_services.h"
#include "hw/kernel/shared_memory.h"

namespace toroid {

/// What the kernel of a Blue Gene/P node keeps beside its processes: what it knows of the node, and who has which of
/// its devices' resources.
class NodeKernel final : public NodeServices {
 public:
  /// All else is kept by reference.
  NodeKernel(const NodeFacts& facts, DmaDevice& dma, CounterLockbox& lockbox, InterruptRouter& router, RankIndex& ranks,
             const PerformanceEvents& events);

  // NodeServices.
  /// Sets the special registers that tell programs of their memory, process and core.
  void begin(Process& process, ProcessCore& core) override;
  SharedMemory* shared_memory() override { return &shared_; }
  void add_memory(const Process& process, std::uint64_t memory_bytes, MemoryView& view) const override {
    ProcessWindows::add_memory(process, memory_bytes, view);
  }
  std::optional<CallResult> create_thread(const Call& call, const calls::CloneArguments& arguments) override {
    return comm_threads_.create_thread(call, arguments);
  }
  bool end_thread(const Call& call) override { return comm_threads_.end_thread(call); }
  bool interrupt(Process& process, ProcessCore& core, std::uint64_t pc) override {
    return comm_threads_.interrupt(process, core, pc);
  }
  std::optional<std::uint64_t> returned(Process& process, ProcessCore& core, std::uint64_t address) override {
    return comm_threads_.returned(process, core, address);
  }

  void on_device_fault(unsigned process, std::function<void(const std::string& what)> kill);
  /// Ends a process of the node, by its number there; nothing happens if there is none.
  void kill(unsigned process, const std::string& what);

  /// The process that has a core of the node; nullptr if there is none that has begun.
  Process* process_of(unsigned core) const;

  const NodeFacts& facts() const { return facts_; }
  ProcessWindows& windows() { return windows_; }
  RankIndex& ranks() { return ranks_; }
  DmaResources& dma() { return dma_; }
  LockboxResources& lockbox() { return lockbox_; }
  CommThreads& comm_threads() { return comm_threads_; }
  PerformanceCounters& performance() { return performance_; }

 private:
  const NodeFacts facts_;
  RankIndex& ranks_;
  DmaResources dma_;
  LockboxResources lockbox_;
  CommThreads comm_threads_;
  PerformanceCounters performance_;
  SharedMemory shared_;
  ProcessWindows windows_;
  std::array<Process*, CommThreads::kCores> processes_{};       ///< by core
  std::vector<std::function<void(const std::string&)>> kills_;  ///< by process
};

/// That of the node of a process.
NodeKernel& node_kernel(Process& process);

}  // namespace toroid
