// SPDX-License-Identifier: Apache-2.0
// The table of ranks.
#include "firmware/bgp/dcmf/state.h"

enum { DIMENSIONS = 3, GROUPS = 4, NOWHERE = 0xFF };

// How far it is from `from` to `to`: hops in the plus direction if positive; *tie: as far in the other one.
static int distance(const dcmf_place_t* place, unsigned d, const uint8_t* from, const uint8_t* to, bool* tie) {
  const int size = place->size[d];
  int hops = to[d] - from[d];
  *tie = false;
  if (place->torus[d] == 0 || hops == 0) return hops;
  if (hops < 0) hops += size;
  *tie = 2 * hops == size;
  return 2 * hops <= size ? hops : hops - size;
}

unsigned dcmf_first_direction(const dcmf_place_t* place, const uint8_t* from, const uint8_t* to) {
  for (unsigned d = 0; d < DIMENSIONS; ++d) {
    bool tie;
    const int hops = distance(place, d, from, to, &tie);
    if (hops != 0) return 2 * d + (hops < 0);
  }
  return 2 * DIMENSIONS;
}

unsigned dcmf_spread_hints(const dcmf_place_t* place, const uint8_t* from, const uint8_t* to) {
  unsigned hints = 0;
  bool ties = false;
  for (unsigned d = 0; d < DIMENSIONS; ++d) {
    bool tie;
    int hops = distance(place, d, from, to, &tie);
    if (tie) {
      ties = true;
      if (from[d] & 1) hops = -hops;
    }
    // The highest bit is X+, then come X-, Y+ and so on.
    if (hops != 0) hints |= DMA_PACKET_HINT_XP >> (2 * d + (hops < 0));
  }
  return ties ? hints : 0;
}

void dcmf_find_peers(void) {
  dcmf_state_t* state = dcmf_instance;
  _BGP_Personality_t personality;
  if (Kernel_GetPersonality(&personality, sizeof personality) != 0) dcmf_fatal("the kernel has no personality");
  dcmf_place_t* place = &state->place;
  const _BGP_Personality_Networks_t* network = &personality.Network_Config;
  place->size[0] = network->Xnodes, place->size[1] = network->Ynodes, place->size[2] = network->Znodes;
  place->self[0] = network->Xcoord, place->self[1] = network->Ycoord, place->self[2] = network->Zcoord;
  place->torus[0] = BGP_Personality_isTorusX(&personality) != 0;
  place->torus[1] = BGP_Personality_isTorusY(&personality) != 0;
  place->torus[2] = BGP_Personality_isTorusZ(&personality) != 0;
  state->processes = (uint32_t)Kernel_ProcessCount();
  // Processes of a node are numbered by their cores, of which each has as many.
  const uint32_t t = (uint32_t)Kernel_PhysicalProcessorID() * state->processes / GROUPS;
  if (Kernel_Coord2Rank(network->Xcoord, network->Ycoord, network->Zcoord, t, &state->rank, &state->size) != 0) {
    dcmf_fatal("the kernel knows no rank at (%u,%u,%u,%u)", network->Xcoord, network->Ycoord, network->Zcoord, t);
  }
  kernel_coords_t* coordinates = dcmf_allocate(sizeof *coordinates * state->size, 16);
  if (Kernel_Ranks2Coords(coordinates, state->size) != 0) dcmf_fatal("the kernel does not say where ranks are");
  state->group = t * (GROUPS / state->processes);
  state->peers = dcmf_allocate(sizeof *state->peers * state->size, 16);
  for (uint32_t rank = 0; rank < state->size; ++rank) {
    dcmf_peer_t* peer = dcmf_peer(rank);
    const kernel_coords_t* at = &coordinates[rank];
    if (at->x == NOWHERE) continue;
    peer->x = at->x, peer->y = at->y, peer->z = at->z, peer->t = at->t;
    const uint8_t there[DIMENSIONS] = {at->x, at->y, at->z};
    const unsigned direction = dcmf_first_direction(place, place->self, there);
    peer->group = (uint8_t)(at->t * (GROUPS / state->processes));
    if (direction < DCMF_RINGS_NORMAL) {
      peer->ring = (uint8_t)direction;
      // By the direction in which the data comes back.
      peer->fetch = (uint8_t)(DCMF_FIFO_FIRST_FETCH - (direction ^ 1));
      peer->here = (uint8_t)dcmf_spread_hints(place, there, place->self);
    } else {
      peer->ring = DCMF_RING_LOCAL;
      peer->fetch = DCMF_FIFO_LOCAL_FETCH;
    }
  }
}
