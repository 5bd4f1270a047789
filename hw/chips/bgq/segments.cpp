// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/segments.h"

#include <array>

#include "hw/kernel/process.h"

namespace toroid {
namespace {

std::uint64_t page_of(std::uint64_t address) {
  return address & ~(kPageSize - 1);
}

/// Where the first segment of the program that may be written begins, in whole pages.
std::uint64_t data_begin(const ElfImage& image) {
  for (const ElfImage::Segment& segment : image.segments()) {
    if (segment.writable) return page_of(segment.address);
  }
  return page_of(image.end() + kPageSize - 1);
}

}  // namespace

std::optional<Segment> segment_at(Process& process, std::uint64_t va) {
  const MemoryView& view = process.memory()->view();
  const ElfImage& image = process.program().image();
  const std::uint64_t shared = process.config().shared_memory;
  struct Range {
    std::uint64_t begin, end;
  };
  const std::uint64_t data = data_begin(image), heap = page_of(image.end() + kPageSize - 1);
  const std::array<Range, 4> ranges{
      {{view.base(), data},
       {data, heap},
       {heap, view.end()},
       {shared == 0 ? 0 : process.shared_base(), shared == 0 ? 0 : process.shared_base() + shared}}};
  for (const Range& range : ranges) {
    if (va >= range.begin && va < range.end)
      return Segment{range.begin, view.physical(range.begin), range.end - range.begin};
  }
  return std::nullopt;
}

}  // namespace toroid
