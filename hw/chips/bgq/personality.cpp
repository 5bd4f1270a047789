// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/personality.h"

#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

// Of a rack: two midplanes of 16 node boards of 32 compute cards. Racks stand in rows of 16.
constexpr std::uint64_t kCardsABoard = 32, kBoardsAMidplane = 16, kMidplanesARack = 2, kRacksARow = 16;

/// As if nodes were numbered along the cards.
std::uint64_t uci_of(std::uint64_t node) {
  const std::uint64_t board = node / kCardsABoard, midplane = board / kBoardsAMidplane;
  const std::uint64_t rack = midplane / kMidplanesARack;
  return BGQ_UCI_COMPUTE_CARD_ON_NODE_BOARD << BGQ_UCI_COMPONENT_SHIFT |
         rack / kRacksARow % kRacksARow << BGQ_UCI_ROW_SHIFT | rack % kRacksARow << BGQ_UCI_COLUMN_SHIFT |
         midplane % kMidplanesARack << BGQ_UCI_MIDPLANE_SHIFT | board % kBoardsAMidplane << BGQ_UCI_NODE_BOARD_SHIFT |
         node % kCardsABoard << BGQ_UCI_COMPUTE_CARD_SHIFT;
}

}  // namespace

Personality personality_of(Process& process) {
  Personality to{};
  const MachineFacts& machine = process.machine();
  const ProcessPlace& place = process.place();
  const Core& core = *process.cores().front().core;
  to[BGQ_PERSONALITY_VERSION_AT] = BGQ_PERSONALITY_VERSION;
  to[BGQ_PERSONALITY_SIZE_WORDS_AT] = BGQ_PERSONALITY_BYTES / 4;
  store_be32(&to[BGQ_PERSONALITY_FREQ_MHZ_AT], core.config().clock_mhz);
  store_be32(&to[BGQ_PERSONALITY_DDR_SIZE_MB_AT],
             static_cast<std::uint32_t>(process.cores().front().core->memory().size() >> 20));
  std::uint64_t flags = 0, links = 0, node = 0;
  for (unsigned d = 0; d < machine.dimensions; ++d) {
    to[BGQ_PERSONALITY_NODES_AT + d] = static_cast<std::uint8_t>(machine.shape[d]);
    to[BGQ_PERSONALITY_COORDS_AT + d] = place.coordinates[d];
    node = node * machine.shape[d] + place.coordinates[d];
    if (machine.torus[d]) flags |= BGQ_NET_TORUS(d);
    const bool last = place.coordinates[d] + 1u == machine.shape[d];
    if (machine.shape[d] > 1 && (machine.torus[d] || place.coordinates[d] != 0)) links |= BGQ_NET2_LINK(2 * d);
    if (machine.shape[d] > 1 && (machine.torus[d] || !last)) links |= BGQ_NET2_LINK(2 * d + 1);
  }
  store_be64(&to[BGQ_PERSONALITY_UCI_AT], uci_of(node));
  store_be64(&to[BGQ_PERSONALITY_NET_FLAGS_AT], flags);
  store_be64(&to[BGQ_PERSONALITY_NET_FLAGS2_AT], links);
  return to;
}

}  // namespace toroid
