// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/node_kernel.h"

#include "hw/chips/bgp/segments.h"
#include "hw/kernel/process.h"
#include "nic/bgp/kernel_services.h"

namespace toroid {
namespace {

/// TEXTI, DATAI: where a range begins, virtual and physical, in MB.
std::uint32_t range_register(const MemoryView& view) {
  const auto va = static_cast<std::uint32_t>(view.base());
  const std::uint64_t pa = view.physical(view.base());
  return (va & BGP_RANGE_VIRTUAL_START) |
         (static_cast<std::uint32_t>(pa >> 20) << BGP_RANGE_PHYSICAL_MB_SHIFT & BGP_RANGE_PHYSICAL_MB) |
         (static_cast<std::uint32_t>(pa >> 32) << BGP_RANGE_UPPER_SHIFT & BGP_RANGE_UPPER);
}

/// SHMEM: where shared memory is; only if its addresses are the physical ones, as the machine has it.
std::uint32_t shared_register(Process& process) {
  const auto segment = segment_of(process, SegmentKind::shared);
  if (!segment || segment->va != segment->pa) return 0;
  return (segment->va & BGP_SHMEM_VIRTUAL_START) | (segment->bytes >> 20 << BGP_SHMEM_MB_SHIFT & BGP_SHMEM_MB);
}

// Of the DMA's valid addresses; the first are the processes'.
constexpr unsigned kSharedRange = 4;

}  // namespace

NodeKernel::NodeKernel(const NodeFacts& facts, DmaDevice& dma, CounterLockbox& lockbox, InterruptRouter& router,
                       RankIndex& ranks, const PerformanceEvents& events)
    : facts_(facts),
      ranks_(ranks),
      dma_(dma),
      lockbox_(lockbox),
      comm_threads_(router, lockbox),
      performance_(events, facts.node % 2) {
  dma.on_fault([this](const DmaFault& fault) {
    // Where nobody has taken anything of the group, it is that of the cores of the same number.
    const auto processes = static_cast<unsigned>(kills_.size());
    kill(dma_.owner_of(fault.group).value_or(fault.group * processes / DmaDevice::kGroups), fault.text);
  });
}

/// Text and data are one range here: the process's memory is linear.
void NodeKernel::begin(Process& process, ProcessCore& core) {
  const MemoryView& view = process.memory()->view();
  dma_.set_up();
  dma_.allow(process.place().t, view.physical(view.base()), view.size());
  const std::uint64_t shared = process.config().shared_memory;
  if (shared != 0) dma_.allow(kSharedRange, core.core->memory().size() - shared, shared);
  const auto cores = static_cast<std::uint32_t>(process.cores().size());
  auto& registers = core.identity.registers;
  registers[BGP_SPR_SHMEM] = BGP_SHMEM_STATIC_MAP | (cores - 1) << BGP_SHMEM_CORES_SHIFT |
                             (process.machine().processes_per_node - 1) | shared_register(process);
  registers[BGP_SPR_DST2] = (static_cast<std::uint32_t>(view.size()) & BGP_DST2_DATA_SIZE) | core.core->number();
  registers[BGP_SPR_TEXTI] = range_register(view);
  registers[BGP_SPR_DATAI] = range_register(view);
  processes_[core.core->number()] = &process;
  comm_threads_.begin(process, core);
}

/// A core that has never run is its process's all the same.
Process* NodeKernel::process_of(unsigned core) const {
  for (Process* const process : processes_) {
    if (process == nullptr) continue;
    for (const ProcessCore& each : process->cores()) {
      if (each.core->number() == core) return process;
    }
  }
  return nullptr;
}

void NodeKernel::on_device_fault(unsigned process, std::function<void(const std::string&)> kill) {
  if (kills_.size() <= process) kills_.resize(process + 1);
  kills_[process] = std::move(kill);
}

void NodeKernel::kill(unsigned process, const std::string& what) {
  if (process < kills_.size() && kills_[process]) kills_[process](what);
}

NodeKernel& node_kernel(Process& process) {
  return static_cast<NodeKernel&>(*process.node());
}

}  // namespace toroid
