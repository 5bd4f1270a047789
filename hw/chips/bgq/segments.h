// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace toroid {

class Process;

/// Physically contiguous memory of a process, whose place never changes.
struct Segment {
  std::uint64_t va;
  std::uint64_t pa;
  std::uint64_t bytes;
};

/// The segment that `va` lies in: text, data, heap with mmap's area and the stack, or the node's shared memory. nullopt
/// if it lies in none.
std::optional<Segment> segment_at(Process& process, std::uint64_t va);

}  // namespace toroid
