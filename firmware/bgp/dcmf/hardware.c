// SPDX-License-Identifier: Apache-2.0
// What the process runs on, and where ranks are.
#include <stdio.h>

#include "firmware/bgp/dcmf/state.h"

enum { X, Y, Z };

static uint32_t physical_rank(const dcmf_peer_t* peer) {
  const uint8_t* size = dcmf_instance->place.size;
  return ((peer->t * size[Z] + peer->z) * size[Y] + peer->y) * size[X] + peer->x;
}

DCMF_Result DCMF_Hardware(DCMF_Hardware_t* hw) {
  const dcmf_state_t* state = dcmf_instance;
  _BGP_Personality_t personality;
  if (hw == NULL) return DCMF_INVAL;
  if (Kernel_GetPersonality(&personality, sizeof personality) != 0) return DCMF_ERROR;
  const dcmf_peer_t* self = dcmf_peer(state->rank);
  memset(hw, 0, sizeof *hw);
  hw->lrank = state->rank;
  hw->lsize = state->size;
  hw->prank = physical_rank(self);
  hw->xSize = state->place.size[X], hw->ySize = state->place.size[Y], hw->zSize = state->place.size[Z];
  hw->tSize = state->processes;
  hw->psize = hw->xSize * hw->ySize * hw->zSize * hw->tSize;
  hw->xCoord = self->x, hw->yCoord = self->y, hw->zCoord = self->z, hw->tCoord = self->t;
  hw->xTorus = state->place.torus[X], hw->yTorus = state->place.torus[Y], hw->zTorus = state->place.torus[Z];
  hw->tTorus = 1;
  hw->rankInPset = BGP_Personality_rankInPset(&personality);
  hw->sizeOfPset = BGP_Personality_psetSize(&personality);
  hw->idOfPset = BGP_Personality_psetNum(&personality);
  hw->clockMHz = BGP_Personality_clockMHz(&personality);
  hw->memSize = BGP_Personality_DDRSizeMB(&personality);
  snprintf(hw->name, sizeof hw->name, "Rank %u of %u (%u,%u,%u,%u)", hw->lrank, hw->lsize, hw->xCoord, hw->yCoord,
           hw->zCoord, hw->tCoord);
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Messager_rank2network(size_t rank, DCMF_Network network, DCMF_NetworkCoord_t* address) {
  if (rank >= dcmf_instance->size || address == NULL) return DCMF_INVAL;
  const dcmf_peer_t* peer = dcmf_peer((uint32_t)rank);
  switch (network) {
    case DCMF_DEFAULT_NETWORK:
    case DCMF_TORUS_NETWORK:
      address->network = DCMF_TORUS_NETWORK;
      address->torus.x = peer->x, address->torus.y = peer->y, address->torus.z = peer->z, address->torus.t = peer->t;
      return DCMF_SUCCESS;
    case DCMF_SHMEM_NETWORK:
      if (!dcmf_is_local(peer)) return DCMF_INVAL;
      address->network = DCMF_SHMEM_NETWORK;
      address->shmem.rank = rank;
      address->shmem.peer = peer->t;
      return DCMF_SUCCESS;
    default:
      return DCMF_INVAL;
  }
}

DCMF_Result DCMF_Messager_network2rank(const DCMF_NetworkCoord_t* address, size_t* rank, DCMF_Network* network) {
  const dcmf_state_t* state = dcmf_instance;
  if (address == NULL || rank == NULL) return DCMF_INVAL;
  if (address->network == DCMF_SHMEM_NETWORK) {
    if (address->shmem.rank >= state->size) return DCMF_INVAL;
    *rank = address->shmem.rank;
  } else if (address->network == DCMF_TORUS_NETWORK || address->network == DCMF_DEFAULT_NETWORK) {
    if (address->torus.x >= state->place.size[X] || address->torus.y >= state->place.size[Y] ||
        address->torus.z >= state->place.size[Z] || address->torus.t >= state->processes) {
      return DCMF_INVAL;
    }
    uint32_t found, size;
    if (Kernel_Coord2Rank((uint32_t)address->torus.x, (uint32_t)address->torus.y, (uint32_t)address->torus.z,
                          (uint32_t)address->torus.t, &found, &size) != 0) {
      return DCMF_ERROR;
    }
    *rank = found;
  } else {
    return DCMF_INVAL;
  }
  if (network) *network = address->network == DCMF_DEFAULT_NETWORK ? DCMF_TORUS_NETWORK : address->network;
  return DCMF_SUCCESS;
}
