// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace toroid::testing {

/// The memory of a process, with physical addresses of its own. Under AddressSanitizer what nobody has allocated is
/// poisoned, so that a DMA that writes beside a buffer is found.
class NodeMemoryDouble {
 public:
  NodeMemoryDouble(std::uint32_t physical, std::size_t bytes);
  ~NodeMemoryDouble();
  NodeMemoryDouble(NodeMemoryDouble&& other) noexcept;
  NodeMemoryDouble(const NodeMemoryDouble&) = delete;
  NodeMemoryDouble& operator=(const NodeMemoryDouble&) = delete;

  /// `bytes` that stay allocated, zero, at a multiple of `alignment` plus `beside`.
  void* allocate(std::size_t bytes, std::size_t alignment = 16, std::size_t beside = 0);

  /// nullptr and 0: not this memory.
  char* at(std::uint32_t physical, std::uint32_t bytes) const;
  std::uint32_t physical(const void* memory, std::size_t bytes) const;

 private:
  char* start_;
  std::size_t bytes_, used_ = 0;
  std::uint32_t physical_;
};

}  // namespace toroid::testing
