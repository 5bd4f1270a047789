// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/config.h"

#include <algorithm>
#include <string>

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
  require(config.zones || !family.zones, "torus.router",
          "is " + std::string(family.name) + ", which needs a machine whose description has zones (" +
              kWhatCanBeChanged + ")");
  require(config.fifo_groups <= family.fifo_groups, "torus.fifo_groups",
          "must be at most " + std::to_string(family.fifo_groups) + routers);
}

bool is_permutation(const std::array<std::uint8_t, kMaxDimensions>& order) {
  unsigned seen = 0;
  for (const unsigned dimension : order) seen |= dimension < kMaxDimensions ? 1u << dimension : 0u;
  return seen == (1u << kMaxDimensions) - 1;
}

}  // namespace

void TorusConfig::visit_parameters(ParameterVisitor& visitor) {
  const char* const cycles = "cycles";
  visitor.name(router, "torus.router", router_family_names(), "the name of a family of routers",
               "family of routers: what of them is compiled (docs/what_can_be_changed.md)");
  visitor.count(clock_mhz, "torus.clock", "MHz", {1, 100'000}, "clock of the networks");
  visitor.count(link_bytes_per_cycle, "torus.link_bytes_per_cycle", "bytes/cycle", {1, 64},
                "width of a link, each direction");
  visitor.directions(direction_bytes_per_cycle, "torus.direction_bytes_per_cycle", "bytes/cycle", {1, 64},
                     "width of single directions that differ from link_bytes_per_cycle");
  visitor.order(dimension_order, "torus.dimension_order", "in which ordered packets travel the dimensions");
  visitor.count(wire_overhead, "torus.wire_overhead", "bytes", {0, 256}, "on the wire, a packet, beyond its chunks");
  visitor.count(receiver_cycles, "torus.receiver_cycles", cycles, {0, 10'000}, "from the link to route computation");
  visitor.count(arbiter_cycles, "torus.arbiter_cycles", cycles, {0, 10'000},
                "route computation, VC allocation and switch allocation");
  visitor.count(sender_cycles, "torus.sender_cycles", cycles, {0, 10'000}, "from the crossbar to the link");
  visitor.count(link_cycles, "torus.link_cycles", cycles, {1, 10'000}, "time of flight from node to node");
  visitor.count(injection_cycles, "torus.injection_cycles", cycles, {1, 10'000},
                "from an injection FIFO to a packet's first arbitration");
  visitor.count(reception_cycles, "torus.reception_cycles", cycles, {1, 10'000},
                "from a packet's last byte off the link to the reception FIFO");
  visitor.count(buffer_chunks, "torus.buffer_chunks", "chunks", {1, 255},
                "input buffer of each virtual channel and link (8-bit token counters)");
  visitor.count(bubble_chunks, "torus.bubble_chunks", "chunks", {0, 128},
                "must stay free in a ring that a packet enters: a maximum packet's at least, or the ring can deadlock; "
                "0: no bubble "
                "rule");
  visitor.count(fullness_cycles, "torus.fullness_cycles", cycles, {0, 255},
                "phase in which switch allocation goes by the fullness of FIFOs");
  visitor.count(random_cycles, "torus.random_cycles", cycles, {0, 255}, "phase in which it goes at random");
  visitor.count(priority_injection, "torus.priority_injection", "count", {0, 31},
                "chance, of 32, that priority injection goes before priority transit");
  visitor.flag(transit_first, "torus.transit_first",
               "whether packets in transit go before those in injection, of packets without priority; otherwise "
               "fullness or chance decides");
  visitor.count(retransmit_timeout, "torus.retransmit_timeout", cycles, {1, 65'535},
                "a sender waits so long for an acknowledgement (16-bit register)");
  visitor.count(resend_packets, "torus.resend_packets", "packets", {1, 127},
                "that a sender keeps until they are acknowledged (half of the 8-bit sequence numbers)");
  visitor.number(bit_error_rate, "torus.bit_error_rate", "per bit", {0, 1}, "errors on a link; below 1");
  visitor.count(stuck_after, "torus.stuck_after", cycles, {1, 1e12},
                "a network in which nothing has moved for so long while packets wait is reported as stuck");
  visitor.choice(tie_rule, "torus.tie_rule", {"parity", "plus", "sum_parity"},
                 "which way a packet goes around a ring when both ways are equally long: plus from even coordinates "
                 "and minus from odd ones, or always plus, or by the parity of the sum of a node's coordinates");
  visitor.count(
      adaptive_vcs, "torus.adaptive_vcs", "count", {0, 255},
      "adaptive virtual channels in use of each class that has any; the router's family says how many at most");
}

const TorusConfig& TorusConfig::validate(const RouterFamily& family) const {
  check_ranges(*this);
  const unsigned slot = family.max_chunks;
  const unsigned bubble = family.ring_rule == RingRule::bubble ? bubble_chunks : 0;
  if (zones && family.zones) {
    require(buffer_chunks >= slot + family.trailer_chunks, "torus.buffer_chunks",
            "must hold a maximum packet and its trailer (" + std::to_string(slot + family.trailer_chunks) + " chunks)");
    require(zones->buffer_packets * slot >= slot + bubble && zones->buffer_packets * slot <= 255,
            "torus.buffer_packets", "must be one packet and bubble_chunks at least, and 255 chunks at most");
  } else {
    require(buffer_chunks >= slot + bubble, "torus.buffer_chunks",
            "must be from " + std::to_string(slot + bubble) +
                " (one maximum packet and bubble_chunks) to 255 (8-bit token counters)");
  }
  require(is_permutation(dimension_order), "torus.dimension_order", "must name each dimension once");
  require(fullness_cycles + random_cycles > 0, "torus.fullness_cycles", "and random_cycles must not both be 0");
  require(bit_error_rate < 1, "torus.bit_error_rate", "must be below 1 per bit");
  require(reception_depth >= slot && reception_depth <= 65535, "torus.reception_depth",
          "must hold a maximum packet (" + std::to_string(slot) + " chunks)");
  require_compiled(*this, family);
  return *this;
}

std::vector<std::string> TorusConfig::warnings(const RouterFamily& family) const {
  std::vector<std::string> found;
  if (bubble_chunks < family.max_chunks && family.ring_rule == RingRule::bubble) {
    found.push_back("torus.bubble_chunks is " + std::to_string(bubble_chunks) +
                    ": a loaded ring can deadlock unless room for one maximum packet stays free in it (" +
                    std::to_string(family.max_chunks) + " chunks)");
  }
  return found;
}

}  // namespace toroid
