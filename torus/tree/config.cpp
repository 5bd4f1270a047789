// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/config.h"

#include <string>

#include "torus/base/require.h"
#include "torus/tree/link_recovery.h"

namespace toroid {

const TreeConfig& TreeConfig::validate() const {
  require(nodes_per_io_node > 0, "tree.nodes_per_io_node", "must be at least 1");
  require(link_bytes_per_cycle > 0, "tree.link_bytes_per_cycle", "must be at least 1");
  require(wire_overhead <= 256, "tree.wire_overhead", "must be at most 256 bytes");
  require(injection_cycles > 0, "tree.injection_cycles", "must be at least 1");
  require(reception_cycles > 0, "tree.reception_cycles", "must be at least 1");
  require(sender_cycles + link_cycles + receiver_cycles > 0, "tree.link_cycles",
          "must leave sender, link and receiver at least 1 cycle together");
  require(buffer_packets >= 1 && buffer_packets <= 255, "tree.buffer_packets", "must be from 1 to 255");
  require(fifo_packets >= 1 && fifo_packets <= 15, "tree.fifo_packets",
          "must be from 1 to 15 (4-bit counts of headers)");
  // Beyond, a packet would be damaged some thousand times before it passes once.
  require(bit_error_rate >= 0 && bit_error_rate <= 0.003, "tree.bit_error_rate", "must be from 0 to 0.003 per bit");
  require(bit_error_rate == 0 || wire_overhead >= TreeLinkRecovery::kFrameBytes, "tree.wire_overhead",
          "must be at least " + std::to_string(TreeLinkRecovery::kFrameBytes) +
              " bytes where links make errors: header, sequence number, virtual channel and CRC");
  require(retry_packets >= 1 && retry_packets <= 63, "tree.retry_packets", "must be from 1 to 63");
  require(nack_timeout >= 1, "tree.nack_timeout", "must be at least 1 cycle");
  require(stuck_after > 0, "tree.stuck_after", "must be at least 1 cycle");
  return *this;
}

}  // namespace toroid
