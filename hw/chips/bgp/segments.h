// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace toroid {

class Process;

/// A range of a process's addresses, and where in the node's memory it lies.
struct Segment {
  std::uint32_t va;
  std::uint64_t pa;
  std::uint32_t bytes;
};

/// The segments that the kernel tells programs of (GETAPPSEGMENTMAPPING): by them programs find physical addresses.
///
/// The kernel maps a process's memory as one linear range. The segments cut it as programs expect it, at multiples of
/// their page of 1 MB but for the end of the text. Data and heap overlap by up to two such pages: any object lies in
/// one segment whole, and behind it is more of the same, as translations on the machine demand.
enum class SegmentKind : std::uint8_t { text, data, heap, shared };

/// nullopt if the process has no such segment. It has started.
std::optional<Segment> segment_of(Process& process, SegmentKind kind);

}  // namespace toroid
