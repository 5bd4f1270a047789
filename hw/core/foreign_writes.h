// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/core/memory_path.h"

namespace toroid {

/// What bus masters have written to memory and a core's cache model still holds.
///
/// The core's time may be ahead of a write, by how much depends on its quantum. So the written lines leave the caches
/// when the core next looks at the world: where software, too, finds out that the data has come.
class ForeignWrites {
 public:
  /// `memory_bytes`: of the whole memory.
  explicit ForeignWrites(std::uint64_t memory_bytes) : memory_bytes_(memory_bytes) {}

  /// `bytes` at a physical address, written now.
  void add(std::uint64_t address, std::uint64_t bytes);
  /// Takes what was written until `seen` out of the caches.
  void see(const sc_core::sc_time& seen, MemoryPath& path);

 private:
  struct Write {
    sc_core::sc_time at;
    std::uint64_t address;
    std::uint64_t bytes;
  };
  static constexpr std::size_t kMost = 4096;
  static constexpr std::size_t kStreams = 16;  ///< messages that come at the same time, as far as shorten() looks

  void shorten();

  const std::uint64_t memory_bytes_;
  std::vector<Write> writes_;  ///< by time
};

}  // namespace toroid
