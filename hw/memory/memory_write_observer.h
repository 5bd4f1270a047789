// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid {

/// Observes what bus masters write to memory: a core that has begun to run, whose cache model may hold it.
class MemoryWriteObserver {
 public:
  /// All of [address, address + bytes) has been written, now.
  virtual void on_memory_write(std::uint64_t address, std::uint32_t bytes) = 0;

 protected:
  ~MemoryWriteObserver() = default;
};

/// Tells of what bus masters write.
class MemoryWrites {
 public:
  /// From now on.
  virtual void observe(MemoryWriteObserver& observer) = 0;

 protected:
  ~MemoryWrites() = default;
};

}  // namespace toroid
