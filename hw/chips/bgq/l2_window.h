// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/memory/memory_write_observer.h"
#include "hw/memory/watched_memory.h"

namespace toroid {

/// What the kernel has mapped of the window to the L2's atomic operations, by core: each address space has its own.
class AtomicAliases {
 public:
  /// The physical address of the word that software of `core` knows as `va`; nullopt if it has no alias.
  virtual std::optional<std::uint64_t> aliased(unsigned core, std::uint64_t va) const = 0;

 protected:
  ~AtomicAliases() = default;
};

/// The window through which cores perform the L2's atomic operations (nic/common/l2_atomics.h) on words of memory: a
/// load or store of 8 bytes, whose address holds the word's address and the operation
/// (nic/bgq/kernel_services.h). An access takes effect at its own time.
///
/// Errors, each with a FaultReason:
///   not 8 bytes                                                TLM_BURST_ERROR_RESPONSE
///   no alias there, or no room in one line for word and bound  TLM_ADDRESS_ERROR_RESPONSE
class L2Window : public sc_core::sc_module {
 public:
  /// Of the window: for virtual addresses of 35 bits, which all memory of a process has.
  static constexpr std::uint64_t kBytes = std::uint64_t{1} << 40;

  tlm_utils::simple_target_socket<L2Window, 32> bus;

  /// Everything is kept by reference.
  L2Window(const sc_core::sc_module_name& name, WatchedMemory& watched, const AtomicAliases& aliases);
  /// Tells `observer` of operations that write, also of what is there already.
  void observe(MemoryWriteObserver& observer) { observers_.push_back(&observer); }

 private:
  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  tlm::tlm_response_status perform_access(tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                          std::string& reason);

  WatchedMemory& watched_;
  const AtomicAliases& aliases_;
  std::vector<MemoryWriteObserver*> observers_;
};

}  // namespace toroid
