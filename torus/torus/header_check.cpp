// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/header_check.h"

namespace toroid {

std::uint32_t header_check(const RouterFamily& family, const Topology& topology, const Packet& packet,
                           std::uint32_t node, unsigned fifo_groups) {
  std::uint32_t errors = 0;
  if (packet.chunks < 1 || packet.chunks > family.max_chunks) errors |= kBadSize;
  if (packet.group >= fifo_groups) errors |= kBadGroup;
  if (packet.channel >= family.vc_count || packet.dynamic != (family.vcs[packet.channel].use == VcUse::adaptive) ||
      family.vcs[packet.channel].use == VcUse::collective) {
    errors |= kChannelMismatch;
  }
  const bool to_io = (packet.routing & PacketRouting::to_io) != 0;
  if (to_io && packet.channel != family.io_channel) errors |= kChannelMismatch;
  if (!topology.contains(packet.destination) || packet.local >= topology.layout().nodes)
    return errors | kDestinationOutside;

  const Coordinates here = topology.coordinates(node);
  const bool own = here == packet.destination;
  unsigned differing = 0;
  unsigned hinted = 0;
  for (unsigned d = 0; d < topology.dimensions(); ++d) {
    const unsigned hint = packet.hints >> (2 * d) & 3;
    const bool differs = here[d] != packet.destination[d];
    differing += differs;
    hinted += hint != 0;
    if (hint == 3) errors |= kHintsConflict;
    if (!hint && differs && packet.hints) errors |= kHintsMissing;
    if (hint && !differs && (!own || !topology.torus(d))) errors |= kHintsPointless;
    if (hint && differs && !topology.torus(d) && (hint == 1) != (packet.destination[d] > here[d])) {
      errors |= kHintsPointless;
    }
  }
  if (packet.hints >> topology.directions()) errors |= kHintsPointless;
  const bool itself = own && (topology.layout().nodes == 1 || packet.local == topology.local(node));
  if (itself && !packet.hints && !family.sends_to_itself) errors |= kHintsMissing;
  if (packet.deposit && (differing > 1 || hinted > 1 || to_io)) errors |= kDepositOffLine;
  return errors;
}

}  // namespace toroid
