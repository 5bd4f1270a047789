// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// Observes what bus masters write to memory: a core, whose cache model may hold it.
class MemoryWriteObserver {
 public:
  /// All of [address, address + bytes) has been written, now.
  virtual void on_memory_write(std::uint32_t address, std::uint32_t bytes) = 0;

 protected:
  ~MemoryWriteObserver() = default;
};

}  // namespace toroid
