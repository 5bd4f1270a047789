// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgp/dcmf/collective/node.h"

enum { CORES = 4 };

uint32_t dcmf_node_place(const dcmf_node_t* node, uint32_t rank) {
  const dcmf_state_t* state = dcmf_instance;
  if (!dcmf_is_local(dcmf_peer(rank))) return node->processes;
  uint32_t place = 0;
  for (uint32_t other = 0; other < state->size; ++other) {
    const dcmf_peer_t* peer = dcmf_peer(other);
    if (dcmf_is_local(peer) && peer->t < dcmf_peer(rank)->t) ++place;
  }
  return place;
}

static bool share(dcmf_node_t* node) {
  const dcmf_state_t* state = dcmf_instance;
  uint32_t leader = dcmf_peer(state->rank)->t;
  for (uint32_t rank = 0; rank < state->size; ++rank) {
    const dcmf_peer_t* peer = dcmf_peer(rank);
    if (dcmf_is_local(peer) && peer->t < leader) leader = peer->t;
  }
  const uint32_t master = leader * (CORES / state->processes);
  if (Kernel_AllocateLockBox(DCMF_NODE_FIRST_LOCK, DCMF_LOCKS, node->locks, master << 4 | node->processes) != 0)
    return false;
  node->slots = dcmf_node_memory(DCMF_NODE_SLOTS * sizeof *node->slots);
  return node->slots != NULL;
}

void dcmf_node_initialize(dcmf_node_t* node) {
  const dcmf_state_t* state = dcmf_instance;
  for (uint32_t rank = 0; rank < state->size; ++rank) {
    if (dcmf_is_local(dcmf_peer(rank))) ++node->processes;
  }
  node->self = dcmf_node_place(node, state->rank);
  node->complete = node->processes == 1 || share(node);
}
