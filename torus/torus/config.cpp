// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/config.h"

#include <algorithm>
#include <string>

#include "torus/base/require.h"

namespace toroid {
namespace {

/// What a family is compiled with, and what is asked for.
void require_compiled(const TorusConfig& config, const RouterFamily& family) {
  const std::string routers =
      " (routers of family " + std::string(family.name) + " are compiled so; " + kWhatCanBeChanged + ")";
  require(config.adaptive_vcs <= family.adaptive_vcs, "torus.adaptive_vcs",
          "must be at most " + std::to_string(family.adaptive_vcs) + routers);
  const unsigned fifos = family.injection_fifos;
  require(
      config.fifo_groups >= 1 && config.injection_fifos >= 1 && config.fifo_groups * config.injection_fifos <= fifos,
      "torus.injection_fifos", "of all groups must be from 1 to " + std::to_string(fifos) + routers);
  require(config.fifo_groups <= family.fifo_groups, "torus.fifo_groups",
          "must be at most " + std::to_string(family.fifo_groups) + routers);
}

bool is_permutation(const std::array<std::uint8_t, kMaxDimensions>& order) {
  unsigned seen = 0;
  for (const unsigned dimension : order) seen |= dimension < kMaxDimensions ? 1u << dimension : 0u;
  return seen == (1u << kMaxDimensions) - 1;
}

}  // namespace

const TorusConfig& TorusConfig::validate(const RouterFamily& family) const {
  const unsigned slot = family.max_chunks;
  const unsigned bubble = family.ring_rule == RingRule::bubble ? bubble_chunks : 0;
  require(clock_mhz > 0, "torus.clock", "must be at least 1 MHz");
  require(link_bytes_per_cycle > 0, "torus.link_bytes_per_cycle", "must be at least 1");
  require(wire_overhead <= 256, "torus.wire_overhead", "must be at most 256 bytes");
  require(injection_cycles > 0, "torus.injection_cycles", "must be at least 1");
  require(reception_cycles > 0, "torus.reception_cycles", "must be at least 1");
  require(sender_cycles + link_cycles + receiver_cycles > 0, "torus.link_cycles",
          "must leave sender, link and receiver at least 1 cycle together");
  require(bubble_chunks <= 128, "torus.bubble_chunks", "must be at most 128");
  require(buffer_chunks >= slot + bubble && buffer_chunks <= 255, "torus.buffer_chunks",
          "must be from " + std::to_string(slot + bubble) +
              " (one maximum packet and bubble_chunks) to 255 (8-bit token counters)");
  require(is_permutation(dimension_order), "torus.dimension_order", "must name each dimension once");
  require(fullness_cycles + random_cycles > 0, "torus.fullness_cycles", "and random_cycles must not both be 0");
  require(fullness_cycles <= 255 && random_cycles <= 255, "torus.fullness_cycles",
          "and random_cycles must be at most 255");
  require(priority_injection < 32, "torus.priority_injection", "must be below 32");
  require(retransmit_timeout >= 1 && retransmit_timeout <= 65535, "torus.retransmit_timeout",
          "must be from 1 to 65535 cycles (16-bit register)");
  require(resend_packets > 0 && resend_packets <= 127, "torus.resend_packets",
          "must be from 1 to 127 (half of the 8-bit sequence numbers)");
  require(bit_error_rate >= 0 && bit_error_rate < 1, "torus.bit_error_rate", "must be from 0 to below 1 per bit");
  require(stuck_after > 0, "torus.stuck_after", "must be at least 1 cycle");
  require(reception_depth >= slot && reception_depth <= 65535, "torus.reception_depth",
          "must hold a maximum packet (" + std::to_string(slot) + " chunks)");
  require_compiled(*this, family);
  return *this;
}

std::vector<std::string> TorusConfig::warnings(const RouterFamily& family) const {
  std::vector<std::string> found;
  if (bubble_chunks == 0 && family.ring_rule == RingRule::bubble) {
    found.emplace_back("torus.bubble_chunks is 0: without the bubble rule a loaded ring can deadlock");
  }
  return found;
}

}  // namespace toroid
