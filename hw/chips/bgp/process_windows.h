// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hw/memory/memory_view.h"

namespace toroid {

class Process;

/// Windows of a process to memory of the node's other processes: whole megabytes, in slots. A physical address is seen
/// at one address of a process, so windows of a process may not overlap.
class ProcessWindows {
 public:
  static constexpr std::uint32_t kSlots = 4;  ///< a slot for each process of the node
  static constexpr std::uint64_t kGrain = 1 << 20;

  struct Window {
    std::uint64_t address;  ///< as the process sees it
    std::uint64_t physical;
    std::uint64_t size;
  };

  /// What a process of several on its node can see beside its own memory: all of the node's that has an address.
  static void add_memory(const Process& process, std::uint64_t memory_bytes, MemoryView& view);

  /// Opens a window to the megabytes around `size` bytes at a physical address, in place of the slot's former one.
  /// Returns 0, or an errno: EINVAL if there is no such slot or no such memory, EBUSY if another slot's window
  /// overlaps, ENOMEM.
  int open(Process& process, std::uint32_t slot, std::uint64_t physical, std::uint64_t size);
  /// nullptr if the slot has none.
  const Window* window(const Process& process, std::uint32_t slot) const;

 private:
  std::array<std::array<std::optional<Window>, kSlots>, 4> windows_{};  ///< by process of the node
};

}  // namespace toroid
