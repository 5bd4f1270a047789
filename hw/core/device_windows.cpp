// SPDX-License-Identifier: Apache-2.0
#include "hw/core/device_windows.h"

#include <algorithm>
#include <cstdio>

namespace toroid {
namespace {

bool is_before(std::uint64_t address, const DeviceWindows::Window& window) {
  return address < window.base;
}

}  // namespace

void DeviceWindows::add_page(const Window& page) {
  pages_.insert(std::upper_bound(pages_.begin(), pages_.end(), page.base, is_before), page);
  last_ = nullptr;
}

const DeviceWindows::Window* DeviceWindows::find(std::uint64_t address) const {
  for (const Window& window : windows_) {
    if (address >= window.base && address - window.base < window.size) return last_ = &window;
  }
  const auto page = std::upper_bound(pages_.begin(), pages_.end(), address, is_before);
  if (page == pages_.begin() || address - (page - 1)->base >= (page - 1)->size) return nullptr;
  return last_ = &*(page - 1);
}

std::string DeviceWindows::text_of(std::uint64_t begin, std::uint64_t end) const {
  for (const Window& window : windows_) {
    const std::uint64_t last = window.base + window.size;
    if (window.base >= end || begin >= last) continue;
    char text[64];
    std::snprintf(text, sizeof text, "0x%08llx to 0x%08llx", static_cast<unsigned long long>(window.base),
                  static_cast<unsigned long long>(last - 1));
    return text;
  }
  return {};
}

}  // namespace toroid
