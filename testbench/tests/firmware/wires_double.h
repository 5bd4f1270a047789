// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "drivers/bgl/global_interrupt.h"

namespace toroid::testing {

/// The user view of the global interrupts, behind the driver's access seam: channels for AND. They take no time, but
/// that a node sees a channel complete, and sends 1 again, only when it looks.
class WiresDouble {
 public:
  unsigned nodes = 0;  ///< that take part; 0: the kernel permits no channel

  static bool is_register(std::uintptr_t address) { return address - bgl_gi_register(0) < 0x100; }
  std::uint32_t read_word(unsigned node);
  /// Returns what is wrong; empty where nothing is.
  std::string write_word(unsigned node, std::uintptr_t address, std::uint32_t word);

  unsigned fired = 0;  ///< so far

 private:
  static constexpr unsigned kChannels = 2;
  struct Channel {
    bool fired = false;  ///< sends 0
    bool interrupt = false;
  };
  bool complete(unsigned channel) const;

  std::map<unsigned, std::array<Channel, kChannels>> states_;
};

}  // namespace toroid::testing
