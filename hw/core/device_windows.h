// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/core_config.h"
#include "nic/common/watched_device.h"

namespace toroid {

/// The addresses at which a core's software reaches devices, and those of the same registers on the bus.
class DeviceWindows {
 public:
  struct Window {
    std::uint64_t base;
    std::uint64_t size;
    const WatchedDevice* device;  ///< tells which reads are pure; nullptr: none
    DeviceCost cost;
    bool kernels;            ///< only the core's software may access it
    std::uint64_t physical;  ///< address of the base on the bus
    bool memory;             ///< a watched page
    bool combining = false;  ///< its stores wait in write-combining buffers
  };

  void add(const Window& window) {
    windows_.push_back(window);
    last_ = nullptr;
  }
  void add_page(const Window& page);
  /// The device window that begins at `base` is combining from now on.
  void combine(std::uint64_t base) {
    for (Window& window : windows_) window.combining = window.combining || window.base == base;
  }

  /// Those of devices.
  const std::vector<Window>& all() const { return windows_; }
  /// The window or page that an address lies in; nullptr if there is none.
  const Window* at(std::uint64_t address) const {
    return last_ != nullptr && address - last_->base < last_->size ? last_ : find(address);
  }
  /// Where an access to `address` goes on the bus: outside of windows and pages, to the same address.
  std::uint64_t bus_address(std::uint64_t address) const {
    const Window* const window = at(address);
    return window == nullptr ? address : address - window->base + window->physical;
  }
  /// The first device window that overlaps [begin, end), as text; empty if none does.
  std::string text_of(std::uint64_t begin, std::uint64_t end) const;

 private:
  const Window* find(std::uint64_t address) const;

  std::vector<Window> windows_;
  std::vector<Window> pages_;             ///< by base
  mutable const Window* last_ = nullptr;  ///< looked up last: accesses come in runs
};

}  // namespace toroid
