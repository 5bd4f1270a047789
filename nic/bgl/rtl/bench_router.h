// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <stdexcept>

#include "nic/bgl/rtl/router_pins.h"
#include "nic/bgl/torus_packet.h"
#include "torus/torus/families/blue_gene_lp_family.h"

namespace toroid::rtl {

/// The traffic at a router's pins during a measurement: packets of full size pass through it back to back along each
/// dimension.
class PassingPackets {
 public:
  static constexpr unsigned kFlows = kLinks / 2;
  static constexpr unsigned kBytes = 256;
  static constexpr unsigned kPeriod = kBytes + 14;  ///< cycles that a packet keeps a link

  PassingPackets() {
    for (unsigned flow = 0; flow < kFlows; ++flow) {
      torus_fields_t fields{};
      fields.hints = static_cast<std::uint8_t>(TORUS_HINT_X_PLUS >> 2 * flow);
      fields.chunks = BlueGeneLpFamily::kMaxChunks;
      fields.dynamic = true;
      for (unsigned d = 0; d < kFlows; ++d) fields.destination[d] = d == flow ? 3 : kHere[d];
      const std::uint32_t words[2] = {torus_encode0(&fields), torus_encode1(&fields)};
      for (unsigned k = 0; k < kBytes; ++k) {
        packets_[flow][k] = static_cast<std::uint8_t>(k < 8 ? words[k / 4] >> (24 - 8 * (k % 4)) : k * 37);
      }
    }
  }

  static RouterSettings settings() {
    RouterSettings settings;
    settings.coordinates = kHere;
    settings.cut_off_plus = {3, 3, 3};
    settings.cut_off_minus = {0, 0, 0};
    settings.ring = {true, true, true};
    return settings;
  }

  /// Inputs of the next cycle, given the outputs of the previous one.
  void next(const RouterOutputs& out, RouterInputs& in) {
    const unsigned byte = cycle_++ % kPeriod;
    for (unsigned flow = 0; flow < kFlows; ++flow) {
      LinkByte& pins = in.link[2 * flow + 1];
      pins.valid = byte < kBytes;
      pins.first = byte == 0;
      if (pins.valid) pins.data = packets_[flow][byte];
      const LinkByte& sent = out.link[2 * flow];
      in.tokens[2 * flow] = {};
      if (sent.valid && sent.first) {
        in.tokens[2 * flow][sent.channel] = BlueGeneLpFamily::kMaxChunks;
        ++packets_out_;
      }
    }
  }

  /// Prints host time a clock cycle. Throws if packets did not come through, so that only correct operation is
  /// measured.
  void report(std::uint64_t cycles, double seconds) const {
    const std::uint64_t expected = kFlows * (cycles / kPeriod - 1);
    if (packets_out_ < expected) throw std::runtime_error("too few packets came through the router");
    std::printf("{\"cycles\": %llu, \"packets\": %llu, \"cpu_seconds\": %.6f, \"us_a_cycle\": %.6f}\n",
                static_cast<unsigned long long>(cycles), static_cast<unsigned long long>(packets_out_), seconds,
                seconds / static_cast<double>(cycles) * 1e6);
  }

 private:
  static constexpr std::array<std::uint8_t, 3> kHere{1, 1, 1};

  std::array<std::array<std::uint8_t, kBytes>, kFlows> packets_{};
  std::uint64_t cycle_ = 0;
  std::uint64_t packets_out_ = 0;
};

inline double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace toroid::rtl
