// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/chips/bgq/class_routes.h"
#include "hw/chips/bgq/comm_handlers.h"
#include "hw/chips/bgq/l1p_unit.h"
#include "hw/chips/bgq/l2_window.h"
#include "hw/chips/bgq/mu_resources.h"
#include "hw/chips/bgq/wake_up_unit.h"
#include "hw/kernel/node_services.h"
#include "hw/kernel/shared_memory.h"
#include "hw/memory/memory_view.h"
#include "nic/bgq/kernel_services.h"

namespace toroid {

/// What the kernel of a Blue Gene/Q node keeps beside its processes: who has what of its Messaging Unit, and what it
/// has mapped for them.
class BgqNodeKernel final : public NodeServices, public AtomicAliases {
 public:
  static constexpr unsigned kThreads = 64;  ///< hardware threads of a node
  static constexpr unsigned kThreadsOfACore = 4;

  /// The units and the routes are kept by reference.
  BgqNodeKernel(MuDevice& mu, WakeUpUnit& wake_up, L1pUnit& l1p, ClassRoutes& routes);

  // NodeServices.
  /// Sets up the Messaging Unit when the node's first process begins. Sets the special register that tells programs
  /// where they run, and maps the window to the node's memory.
  void begin(Process& process, ProcessCore& core) override;
  SharedMemory* shared_memory() override { return &shared_; }
  std::optional<CallResult> set_affinity(const Call& call) override;
  std::optional<CallResult> get_affinity(const Call& call) override;
  /// The window to all memory of the node.
  void add_memory(const Process& process, std::uint64_t memory_bytes, MemoryView& view) const override;

  // AtomicAliases.
  std::optional<std::uint64_t> aliased(unsigned core, std::uint64_t va) const override;

  /// From now on, the words of whole pages around [va, va + bytes) of the process can be reached through the L2's
  /// window. Returns 0, or an errno: EFAULT if the process may not write there.
  int alias(Process& process, std::uint64_t va, std::uint64_t bytes);

  void on_device_fault(unsigned process, std::function<void(const std::string&)> kill);

  MuResources& mu() { return mu_; }
  MuDevice& unit() { return unit_; }
  CommHandlers& comm_handlers(unsigned thread) { return comm_handlers_[thread]; }
  /// What programs have set last; 0 before.
  unsigned speculation_domains() const { return speculation_domains_; }
  void set_speculation_domains(unsigned number) { speculation_domains_ = number; }
  ClassRoutes& routes() { return routes_; }
  L1pUnit& l1p() { return l1p_; }

 private:
  void kill(unsigned process, const std::string& what);
  std::string others() const;
  unsigned processes() const { return static_cast<unsigned>(kills_.size()); }

  MuDevice& unit_;
  MuResources mu_;
  WakeUpUnit& wake_up_;
  L1pUnit& l1p_;
  ClassRoutes& routes_;
  bool set_up_ = false;
  // No agent of the control system runs beside jobs. Words of all objects can be reached through the L2.
  SharedMemory shared_{SharedMemory::Rules{"/dev/shm/" BGQ_SHM_AGENT, BGQ_IOCTL_ATOMIC}};
  unsigned speculation_domains_ = 0;
  std::array<CommHandlers, kThreads> comm_handlers_{};          ///< by hardware thread
  std::array<Process*, kThreads> processes_{};                  ///< by hardware thread
  std::array<AddressRanges, kThreads> aliases_;                 ///< virtual, by process of the node
  std::vector<std::function<void(const std::string&)>> kills_;  ///< by process
};

/// That of the node of a process.
BgqNodeKernel& bgq_node_kernel(Process& process);

}  // namespace toroid
