// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/firmware/wires_double.h"

namespace toroid::testing {
namespace {

std::uint32_t bit(unsigned channel, unsigned shift) {
  return 8u >> channel << shift;
}

}  // namespace

std::uint32_t WiresDouble::read_word(unsigned node) {
  std::uint32_t status = 0;
  if (nodes == 0) return status;
  for (unsigned channel = 0; channel < kChannels; ++channel) {
    status |= bit(channel, BGL_GI_STATUS_MODE_SHIFT) | bit(channel, BGL_GI_STATUS_TYPE_SHIFT) |
              bit(channel, BGL_GI_STATUS_USER_SHIFT);
    Channel& own = states_[node][channel];
    if (!own.interrupt) continue;
    status |= bit(channel, BGL_GI_STATUS_INTERRUPT_SHIFT);
    own.fired = false;
  }
  return status;
}

bool WiresDouble::complete(unsigned channel) const {
  unsigned low = 0;
  for (const auto& [node, channels] : states_) low += channels[channel].fired;
  return low == nodes;
}

std::string WiresDouble::write_word(unsigned node, std::uintptr_t address, std::uint32_t word) {
  const auto offset = static_cast<unsigned>(address - bgl_gi_register(BGL_GI_CONTROL_OFFSET));
  const unsigned channel = offset / BGL_GI_CONTROL_STRIDE;
  if (channel >= kChannels || offset % BGL_GI_CONTROL_STRIDE != 0 || word > 1)
    return "write of " + std::to_string(word) + " to a global interrupt register";
  Channel& own = states_[node][channel];
  if (word == 0) {
    own.interrupt = false;
    return {};
  }
  if (own.interrupt) return "channel " + std::to_string(channel) + " fired with its interrupt not cleared";
  if (own.fired) return "channel " + std::to_string(channel) + " fired while it is low from the last time";
  ++fired;
  own.fired = true;
  if (!complete(channel)) return {};
  for (auto& [at, channels] : states_) channels[channel].interrupt = true;
  return {};
}

}  // namespace toroid::testing
