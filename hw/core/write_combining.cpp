// SPDX-License-Identifier: Apache-2.0
#include "hw/core/write_combining.h"

#include <algorithm>
#include <iterator>

namespace toroid {
namespace {

constexpr std::uint64_t kWhole = ~std::uint64_t{0};

std::uint64_t bits_of(std::uint64_t offset, unsigned size) {
  return (size == WriteCombining::kLineBytes ? kWhole : (std::uint64_t{1} << size) - 1) << offset;
}

}  // namespace

void WriteCombining::store(std::uint64_t address, const std::uint8_t* data, unsigned size) {
  const auto left = static_cast<unsigned>(kLineBytes - address % kLineBytes);
  put(address, data, std::min(size, left));
  if (size > left) put(address + left, data + left, size - left);
}

void WriteCombining::put(std::uint64_t address, const std::uint8_t* data, unsigned size) {
  const std::uint64_t offset = address % kLineBytes;
  if (open_ && lines_.back().base != address - offset) open_ = false;
  if (!open_) {
    if (lines_.size() >= buffers_) send_one();
    lines_.emplace_back().base = address - offset;
    open_ = true;
  }
  Line& line = lines_.back();
  std::copy_n(data, size, line.data.begin() + static_cast<std::ptrdiff_t>(offset));
  line.present |= bits_of(offset, size);
  if (line.present == kWhole) open_ = false;
}

void WriteCombining::send_one() {
  const std::size_t closed = lines_.size() - (open_ ? 1 : 0);
  const auto chosen = lines_.begin() + static_cast<std::ptrdiff_t>(random_() % closed);
  Line line = *chosen;
  lines_.erase(chosen);
  unsigned at = 0;
  while (at < kLineBytes) {
    if ((line.present >> at & 1) == 0) {
      ++at;
      continue;
    }
    unsigned end = at;
    while (end < kLineBytes && (line.present >> end & 1) != 0) ++end;
    if (!send_(line.base + at, line.data.data() + at, end - at)) return;
    at = end;
  }
}

void WriteCombining::send_closed() {
  while (has_closed()) send_one();
}

void WriteCombining::drain() {
  open_ = false;
  send_closed();
}

}  // namespace toroid
