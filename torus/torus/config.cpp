// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/config.h"

#include <string>

#include "torus/base/require.h"
#include "torus/torus/router_state.h"

namespace toroid {

const TorusConfig& TorusConfig::validate() const {
  require(clock_mhz > 0, "torus.clock", "must be at least 1 MHz");
  require(link_bytes_per_cycle > 0, "torus.link_bytes_per_cycle", "must be at least 1");
  require(wire_overhead <= 256, "torus.wire_overhead", "must be at most 256 bytes");
  require(injection_cycles > 0, "torus.injection_cycles", "must be at least 1");
  require(reception_cycles > 0, "torus.reception_cycles", "must be at least 1");
  require(sender_cycles + link_cycles + receiver_cycles > 0, "torus.link_cycles",
          "must leave sender, link and receiver at least 1 cycle together");
  require(bubble_chunks <= 128, "torus.bubble_chunks", "must be at most 128");
  require(buffer_chunks >= kMaxChunks + bubble_chunks && buffer_chunks <= 255, "torus.buffer_chunks",
          "must be from " + std::to_string(kMaxChunks + bubble_chunks) +
              " (one maximum packet and bubble_chunks) to 255 (8-bit token counters)");
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
  require(fifo_groups >= 1 && fifo_groups * injection_fifos <= kMaxInjectionFifos && injection_fifos >= 1,
          "torus.injection_fifos", "of all groups must be from 1 to " + std::to_string(kMaxInjectionFifos));
  require(fifo_groups * (kMaxDirections + 1) <= kMaxReceptionFifos, "torus.fifo_groups", "must be at most 2");
  require(reception_depth >= kMaxChunks && reception_depth <= 65535, "torus.reception_depth",
          "must hold a maximum packet (8 chunks)");
  return *this;
}

std::vector<std::string> TorusConfig::warnings() const {
  std::vector<std::string> found;
  if (bubble_chunks == 0) {
    found.emplace_back("torus.bubble_chunks is 0: without the bubble rule a loaded ring can deadlock");
  }
  return found;
}

}  // namespace toroid
