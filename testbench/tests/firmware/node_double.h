// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "drivers/bgl/scratchpad.h"

namespace toroid::testing {

/// What the two processes of a node share, behind the driver's access seam: scratchpad and lockbox. They take no time,
/// and only one process runs at a time, so a lock that is held when it is asked for ends the test.
class NodeDouble {
 public:
  static bool is_scratchpad(std::uintptr_t address) { return address - BGL_SRAM_BASE < BGL_SCRATCHPAD_BYTES; }

  void read(std::uintptr_t address, void* to, unsigned bytes) const;
  void write(std::uintptr_t address, const void* from, unsigned bytes);

  /// A word of the scratchpad or a register of the lockbox.
  std::uint32_t read_word(std::uintptr_t address);
  void write_word(std::uintptr_t address, std::uint32_t word);

  /// Word of the scratchpad.
  std::uint32_t pad(unsigned offset) { return read_word(bgl_scratchpad_address(offset)); }

  unsigned writes = 0;  ///< so far, to the scratchpad

 private:
  std::array<std::uint8_t, BGL_SCRATCHPAD_BYTES> bytes_{};
  std::array<bool, 128> locks_{};
};

}  // namespace toroid::testing
