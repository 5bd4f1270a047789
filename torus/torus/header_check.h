// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "torus/base/topology.h"
#include "torus/torus/families/family.h"
#include "torus/torus/packet.h"

namespace toroid {

/// What a sender's header check finds wrong (torus DCR "header check" non-recoverable errors); bits of the result of
/// header_check().
enum HeaderError : std::uint32_t {
  kHintsConflict = 1,        ///< plus and minus of one dimension
  kHintsMissing = 2,         ///< a dimension that must be travelled has no hint, others have; or own node without hint
  kHintsPointless = 4,       ///< a hint in a dimension that need not be travelled, or away from it in a mesh
  kChannelMismatch = 8,      ///< dynamic or I/O bit against virtual channel, or no such channel
  kDestinationOutside = 16,  ///< no such node
  kDepositOffLine = 32,      ///< deposit to a destination off the source's lines, or out of the I/O port
  kBadSize = 64,             ///< chunks outside 1 to the largest packet's
  kBadGroup = 128,           ///< FIFO group outside the device's
};

/// Errors of a packet that `node` is about to inject, 0 if it is good. Hints of 0 are good: the hardware computes
/// them, except for a packet to its own node, which travels around a ring of software's choice unless the family's
/// routers turn it around.
std::uint32_t header_check(const RouterFamily& family, const Topology& topology, const Packet& packet,
                           std::uint32_t node, unsigned fifo_groups);

}  // namespace toroid
