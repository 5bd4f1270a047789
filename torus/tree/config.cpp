// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/config.h"

#include <string>

#include "torus/tree/link_recovery.h"

namespace toroid {

void TreeConfig::visit_parameters(ParameterVisitor& visitor) {
  const char* const cycles = "cycles";
  visitor.count(nodes_per_io_node, "tree.nodes_per_io_node", "count", {1, 1u << 24}, "compute nodes of an I/O node");
  visitor.count(link_bytes_per_cycle, "tree.link_bytes_per_cycle", "bytes/cycle", {1, 64},
                "width of a link, each direction");
  visitor.count(wire_overhead, "tree.wire_overhead", "bytes", {0, 256}, "on the wire, a packet, beyond its payload");
  visitor.count(receiver_cycles, "tree.receiver_cycles", cycles, {0, 10'000}, "from the link to route computation");
  visitor.count(arbiter_cycles, "tree.arbiter_cycles", cycles, {0, 10'000}, "route computation and switch allocation");
  visitor.count(alu_cycles, "tree.alu_cycles", cycles, {0, 10'000}, "more, where packets are combined");
  visitor.count(sender_cycles, "tree.sender_cycles", cycles, {0, 10'000}, "from the crossbar to the link");
  visitor.count(link_cycles, "tree.link_cycles", cycles, {1, 10'000}, "time of flight from node to node");
  visitor.count(injection_cycles, "tree.injection_cycles", cycles, {1, 10'000},
                "from an injection FIFO to a packet's first arbitration");
  visitor.count(reception_cycles, "tree.reception_cycles", cycles, {1, 10'000},
                "from a packet's last byte off the link to the reception FIFO");
  visitor.count(buffer_packets, "tree.buffer_packets", "packets", {1, 255},
                "input buffer of each virtual channel and link");
  visitor.count(fifo_packets, "tree.fifo_packets", "packets", {8, 15},
                "injection and reception FIFOs, each virtual channel: what drivers fill, to 4-bit counts of headers");
  // Beyond, a packet would be damaged some thousand times before it passes once.
  visitor.number(bit_error_rate, "tree.bit_error_rate", "per bit", {0, 0.003}, "errors on a link");
  visitor.count(nack_timeout, "tree.nack_timeout", cycles, {1, 65'535},
                "a sender waits so long for the answer to a frame (16-bit register)");
  visitor.count(retry_packets, "tree.retry_packets", "packets", {1, 63},
                "that a sender keeps until they are acknowledged, each virtual channel");
  visitor.count(stuck_after, "tree.stuck_after", cycles, {1, 1e12},
                "a tree in which nothing has moved for so long while packets wait is reported as stuck");
}

const TreeConfig& TreeConfig::validate() const {
  check_ranges(*this);
  require(bit_error_rate == 0 || wire_overhead >= TreeLinkRecovery::kFrameBytes, "tree.wire_overhead",
          "must be at least " + std::to_string(TreeLinkRecovery::kFrameBytes) +
              " bytes where links make errors: header, sequence number, virtual channel and CRC");
  return *this;
}

}  // namespace toroid
