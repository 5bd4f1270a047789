// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/segments.h"

#include <algorithm>

#include "hw/kernel/process.h"

namespace toroid {
namespace {

constexpr std::uint64_t kSegmentPage = 1 << 20;

/// Where the first segment of the program that may be written begins, in whole pages of the kernel.
std::uint64_t data_begin(const ElfImage& image) {
  for (const ElfImage::Segment& segment : image.segments()) {
    if (segment.writable) return segment.address & ~(kPageSize - 1);
  }
  return (image.end() + kPageSize - 1) & ~(kPageSize - 1);
}

}  // namespace

std::optional<Segment> segment_of(Process& process, SegmentKind kind) {
  const MemoryView& view = process.memory()->view();
  const ElfImage& image = process.program().image();
  const auto range = [&view](std::uint64_t begin, std::uint64_t end) {
    return Segment{static_cast<std::uint32_t>(begin), view.physical(begin), static_cast<std::uint32_t>(end - begin)};
  };
  const std::uint64_t data = data_begin(image);
  // Whole pages, and one more: the last object of the data has something behind it.
  const std::uint64_t data_end = std::min(view.end(), (image.end() / kSegmentPage + 2) * kSegmentPage);
  switch (kind) {
    case SegmentKind::text:
      return range(view.base(), data);
    case SegmentKind::data:
      return range(data, data_end);
    case SegmentKind::heap:
      return range(std::max(data, image.end() & ~(kSegmentPage - 1)), view.end());
    case SegmentKind::shared:
      // Programs ask for it if the node has several processes, and go on only if there is one: it may be
      // empty.
      if (process.machine().processes_per_node == 1) return std::nullopt;
      if (process.config().shared_memory == 0) return range(view.base(), view.base());
      return range(process.shared_base(), process.shared_base() + process.config().shared_memory);
  }
  return std::nullopt;
}

}  // namespace toroid
