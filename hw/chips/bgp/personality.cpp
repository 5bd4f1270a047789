// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/personality.h"

#include <cstring>

#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"
#include "torus/tree/router.h"

namespace toroid {
namespace {

// Of a rack: two midplanes of 16 node cards of 32 compute cards. Racks stand in rows of 16.
constexpr std::uint32_t kCardsANodeCard = 32, kNodeCardsAMidplane = 16, kMidplanesARack = 2, kRacksARow = 16;
constexpr char kBlockName[] = "toroid";

/// As if nodes were numbered along the cards.
std::uint32_t uci_of(std::uint32_t node) {
  const std::uint32_t node_card = node / kCardsANodeCard;
  const std::uint32_t midplane = node_card / kNodeCardsAMidplane;
  const std::uint32_t rack = midplane / kMidplanesARack;
  return BGP_UCI_COMPONENT_COMPUTE_CARD << BGP_UCI_COMPONENT_SHIFT |
         rack / kRacksARow % kRacksARow << BGP_UCI_RACK_ROW_SHIFT | rack % kRacksARow << BGP_UCI_RACK_COLUMN_SHIFT |
         midplane % kMidplanesARack << BGP_UCI_MIDPLANE_SHIFT |
         node_card % kNodeCardsAMidplane << BGP_UCI_NODE_CARD_SHIFT |
         (BGP_UCI_FIRST_COMPUTE_CARD + node % kCardsANodeCard) << BGP_UCI_COMPUTE_CARD_SHIFT;
}

/// A byte for each process, the first in the most significant: its cores, core 0 the leftmost of four bits.
std::uint32_t process_config(unsigned processes, unsigned cores) {
  std::uint32_t config = 0;
  for (unsigned process = 0; process < processes; ++process)
    config |= (0xFu << (4 - cores) & 0xFu) >> (process * cores) << (24 - 8 * process);
  return config;
}

std::uint32_t node_config(const MachineFacts& machine) {
  std::uint32_t config = BGP_NODE_LOCKBOX | BGP_NODE_BIC | BGP_NODE_GLOBAL_INTERRUPTS | BGP_NODE_COLLECTIVE |
                         BGP_NODE_TORUS | BGP_NODE_DMA;
  if (!machine.torus[0]) config |= BGP_NODE_MESH_X;
  if (!machine.torus[1]) config |= BGP_NODE_MESH_Y;
  if (!machine.torus[2]) config |= BGP_NODE_MESH_Z;
  return config;
}

void put_network(Personality& to, const Process& process, const NodeFacts& facts) {
  const MachineFacts& machine = process.machine();
  const ProcessPlace& place = process.place();
  for (unsigned d = 0; d < 3; ++d) {
    to[BGP_PERSONALITY_X_NODES_AT + d] = static_cast<std::uint8_t>(machine.shape[d]);
    to[BGP_PERSONALITY_X_COORD_AT + d] = place.coordinates[d];
  }
  store_be16(&to[BGP_PERSONALITY_PSET_NUM_AT], static_cast<std::uint16_t>(place.processing_set));
  store_be32(&to[BGP_PERSONALITY_PSET_SIZE_AT], facts.set_size);
  store_be32(&to[BGP_PERSONALITY_RANK_IN_PSET_AT], facts.rank_in_set);
  store_be32(&to[BGP_PERSONALITY_IO_NODES_AT], facts.processing_sets);
  store_be32(&to[BGP_PERSONALITY_RANK_AT], facts.node);
  store_be32(&to[BGP_PERSONALITY_IO_NODE_RANK_AT], facts.compute_nodes + place.processing_set);
  for (unsigned each = 0; each < BGP_PERSONALITY_TREE_ROUTES; ++each)
    store_be16(&to[BGP_PERSONALITY_TREE_ROUTES_AT + 2 * each], facts.tree->descriptor(each));
}

}  // namespace

Personality personality_of(Process& process, const NodeFacts& facts) {
  Personality to{};
  Core& core = *process.cores().front().core;
  to[BGP_PERSONALITY_VERSION_AT] = BGP_PERSONALITY_VERSION;
  to[BGP_PERSONALITY_SIZE_WORDS_AT] = BGP_PERSONALITY_BYTES / 4;
  store_be32(&to[BGP_PERSONALITY_UCI_AT], uci_of(facts.node));
  store_be32(&to[BGP_PERSONALITY_FREQ_MHZ_AT], core.config().clock_mhz);
  store_be32(&to[BGP_PERSONALITY_PROCESS_CONFIG_AT],
             process_config(process.machine().processes_per_node, static_cast<unsigned>(process.cores().size())));
  store_be32(&to[BGP_PERSONALITY_NODE_CONFIG_AT], node_config(process.machine()));
  store_be32(&to[BGP_PERSONALITY_SHARED_MEM_MB_AT], static_cast<std::uint32_t>(process.config().shared_memory >> 20));
  store_be16(&to[BGP_PERSONALITY_DDR_SIZE_MB_AT], static_cast<std::uint16_t>(core.memory().size() >> 20));
  std::memcpy(&to[BGP_PERSONALITY_NFS_MOUNT_DIR_AT], kBlockName, sizeof kBlockName);
  put_network(to, process, facts);
  return to;
}

}  // namespace toroid
