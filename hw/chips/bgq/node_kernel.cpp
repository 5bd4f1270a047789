// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/node_kernel.h"

#include <algorithm>
#include <cerrno>

#include "hw/kernel/process.h"
#include "nic/bgq/kernel_services.h"
#include "nic/bgq/mu_layout.h"

namespace toroid {
namespace {

constexpr std::uint64_t kWordBytes = 8;

/// What SPR 263 tells of a hardware thread. Its kernel writes it for all threads of a job before the program begins.
std::uint64_t place_register(const Process& process, unsigned thread) {
  constexpr std::uint64_t kCores = BgqNodeKernel::kThreads / BgqNodeKernel::kThreadsOfACore;
  return thread | std::uint64_t{process.machine().processes_per_node} << BGQ_PLACE_PROCESSES_SHIFT |
         std::uint64_t{1} << BGQ_PLACE_SOFTWARE_THREADS_SHIFT | std::uint64_t{1} << BGQ_PLACE_RUNNABLE_SHIFT |
         (kCores - 1) << BGQ_PLACE_CORES_SHIFT;
}

}  // namespace

BgqNodeKernel::BgqNodeKernel(MuDevice& mu, WakeUpUnit& wake_up, L1pUnit& l1p, ClassRoutes& routes)
    : unit_(mu), mu_(mu), wake_up_(wake_up), l1p_(l1p), routes_(routes) {
  mu.on_fault([this](const MuFault& fault) {
    // Subgroups are those of hardware threads; the last ones, and what is of none, are no process's own.
    const unsigned thread = fault.subgroup < kThreads ? fault.subgroup : 0;
    kill(thread * processes() / kThreads, fault.text + others());
  });
}

void BgqNodeKernel::begin(Process& process, ProcessCore& core) {
  if (!set_up_) mu_.set_up(core.core->memory().size());
  set_up_ = true;
  const unsigned thread = core.core->number();
  core.identity.registers[BGQ_SPR_PLACE] = place_register(process, thread);
  processes_[thread] = &process;
  wake_up_.begin(thread);
  if (&core != &process.cores().front()) return;
  if (!process.memory()->map(BGQ_VA_PROCESS_WINDOW, core.core->memory().size(), kReadable)) {
    constexpr int kBusError = 128 + 7;
    process.kill(*core.core, kBusError, "the simulator's instruction-set engine has no room for the process window");
    return;
  }
  if (process.machine().processes_per_node > 1) process.share_node_memory();
}

void BgqNodeKernel::add_memory(const Process&, std::uint64_t memory_bytes, MemoryView& view) const {
  view.add({BGQ_VA_PROCESS_WINDOW, 0, memory_bytes});
}

std::optional<std::uint64_t> BgqNodeKernel::aliased(unsigned core, std::uint64_t va) const {
  Process* const process = core < kThreads ? processes_[core] : nullptr;
  if (process == nullptr) return std::nullopt;
  const bool shared = va - process->shared_base() < process->config().shared_memory;
  if (!shared && !aliases_[process->place().t].overlaps(va, kWordBytes)) return std::nullopt;
  return process->memory()->view().physical(va);
}

int BgqNodeKernel::alias(Process& process, std::uint64_t va, std::uint64_t bytes) {
  if (bytes == 0 || process.memory()->writable(va, bytes) == nullptr) return EFAULT;
  AddressRanges& ranges = aliases_[process.place().t];
  const std::uint64_t begin = va & ~(kPageSize - 1), end = (va + bytes + kPageSize - 1) & ~(kPageSize - 1);
  for (std::uint64_t page = begin; page != end; page += kPageSize) {
    if (!ranges.overlaps(page, kPageSize)) ranges.add(page, page + kPageSize);
  }
  process.share_node_memory();
  return 0;
}

void BgqNodeKernel::on_device_fault(unsigned process, std::function<void(const std::string&)> kill) {
  if (kills_.size() <= process) kills_.resize(process + 1);
  kills_[process] = std::move(kill);
}

/// Whose program has set up the unit wrongly may be another process than the one whose subgroup it is.
std::string BgqNodeKernel::others() const {
  std::vector<std::uint32_t> ranks;
  for (const Process* const process : processes_) {
    if (process != nullptr && (ranks.empty() || ranks.back() != process->rank())) ranks.push_back(process->rank());
  }
  if (ranks.size() < 2) return {};
  std::string text;
  for (std::size_t first = 0, last = 0; first < ranks.size(); first = ++last) {
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    text += (first == 0 ? "" : ", ") + std::to_string(ranks[first]);
    if (last != first) text += " to " + std::to_string(ranks[last]);
  }
  return "; ranks of this node: " + text;
}

void BgqNodeKernel::kill(unsigned process, const std::string& what) {
  if (process < kills_.size() && kills_[process]) kills_[process](what);
}

BgqNodeKernel& bgq_node_kernel(Process& process) {
  return static_cast<BgqNodeKernel&>(*process.node());
}

}  // namespace toroid
