// SPDX-License-Identifier: Apache-2.0
// Geometries: lists of ranks.
#include "firmware/bgp/dcmf/collective/collective.h"

_Static_assert(sizeof(dcmf_geometry_t) <= sizeof(DCMF_Geometry_t), "a geometry holds what it has to");
_Static_assert(sizeof(dcmf_collective_protocol_t) <= sizeof(DCMF_CollectiveProtocol_t), "so does a registration");

enum { DIMENSIONS = 4, TORUS_DIMENSIONS = 3 };

uint32_t dcmf_place_of(const dcmf_geometry_t* geometry, uint32_t rank) {
  if (geometry->ranks == NULL) return rank < geometry->count ? rank : geometry->count;
  for (uint32_t place = 0; place < geometry->count; ++place) {
    if (geometry->ranks[place] == rank) return place;
  }
  return geometry->count;
}

static void look_at_places(dcmf_geometry_t* geometry) {
  uint32_t least[DIMENSIONS], most[DIMENSIONS];
  geometry->local = 1;
  for (uint32_t i = 0; i < geometry->count; ++i) {
    const dcmf_peer_t* peer = dcmf_peer(dcmf_member(geometry, i));
    const uint32_t at[DIMENSIONS] = {peer->x, peer->y, peer->z, peer->t};
    if (!dcmf_is_local(peer)) geometry->local = 0;
    for (unsigned d = 0; d < DIMENSIONS; ++d) {
      if (i == 0 || at[d] < least[d]) least[d] = at[d];
      if (i == 0 || at[d] > most[d]) most[d] = at[d];
    }
  }
  uint32_t volume = 1;
  for (unsigned d = 0; d < DIMENSIONS; ++d) volume *= most[d] - least[d] + 1;
  geometry->rectangle = volume == geometry->count;
  for (unsigned d = 0; d < TORUS_DIMENSIONS; ++d) {
    geometry->least[d] = (uint8_t)least[d];
    geometry->extent[d] = (uint8_t)(most[d] - least[d] + 1);
  }
}

dcmf_geometry_t* dcmf_world(void) {
  dcmf_geometry_t* world = dcmf_instance->world;
  if (world == NULL) {
    world = dcmf_instance->world = dcmf_allocate(sizeof *world, 16);
    world->id = DCMF_WORLD;
    world->count = dcmf_instance->size;
    world->self = dcmf_instance->rank;
    world->global = 1;
    // Fails if the layer has not been initialised, or no longer is.
    (void)*(const volatile uint8_t*)&dcmf_peer(world->self)->ring;
    look_at_places(world);
  }
  return world;
}

int DCMF_Collective_initialize() {
  return DCMF_SUCCESS;
}

/// Whether the first of the barriers that suit the geometry is that of the global interrupts; all others are one.
static bool first_is_wired(const dcmf_geometry_t* geometry, DCMF_Geometry_t* memory,
                           DCMF_CollectiveProtocol_t** protocols, unsigned nprotocols) {
  for (unsigned i = 0; protocols != NULL && geometry->global && i < nprotocols; ++i) {
    if (protocols[i] == NULL || !DCMF_Geometry_analyze(memory, protocols[i])) continue;
    const dcmf_collective_protocol_t* protocol = (const dcmf_collective_protocol_t*)(void*)protocols[i];
    return protocol->kind == DCMF_KIND_BARRIER && protocol->protocol == DCMF_GI_BARRIER_PROTOCOL;
  }
  return false;
}

int DCMF_Geometry_initialize(DCMF_Geometry_t* memory, unsigned id, unsigned* ranks, unsigned count,
                             DCMF_CollectiveProtocol_t** protocols, unsigned nprotocols,
                             DCMF_CollectiveProtocol_t** localprotocols, unsigned nlocalprotocols,
                             DCMF_CollectiveRequest_t* request, unsigned numcolors, unsigned globalcontext) {
  (void)localprotocols, (void)nlocalprotocols, (void)numcolors;
  if (memory == NULL || ranks == NULL || count == 0) return DCMF_INVAL;
  for (unsigned i = 0; i < count; ++i) {
    if (ranks[i] >= dcmf_instance->size) return DCMF_INVAL;
  }
  dcmf_geometry_t* geometry = dcmf_geometry_in(memory);
  memset(geometry, 0, sizeof *geometry);
  geometry->id = id;
  geometry->count = count;
  geometry->ranks = (uint32_t*)(void*)dcmf_buffer_take((uint32_t)(count * sizeof *ranks));
  memcpy(geometry->ranks, ranks, count * sizeof *ranks);
  geometry->self = dcmf_place_of(geometry, dcmf_instance->rank);
  geometry->barrier = (dcmf_collective_t*)(void*)request;
  geometry->global = globalcontext != 0 && count == dcmf_instance->size;
  look_at_places(geometry);
  geometry->wired = first_is_wired(geometry, memory, protocols, nprotocols);
  return DCMF_SUCCESS;
}

int DCMF_Geometry_free(DCMF_Geometry_t* memory) {
  if (memory == NULL) return DCMF_INVAL;
  dcmf_geometry_t* geometry = dcmf_geometry_in(memory);
  if (geometry->ranks) dcmf_buffer_give((char*)geometry->ranks, (uint32_t)(geometry->count * sizeof *geometry->ranks));
  geometry->ranks = NULL;
  geometry->count = 0;
  return DCMF_SUCCESS;
}

int DCMF_Geometry_analyze(DCMF_Geometry_t* memory, DCMF_CollectiveProtocol_t* registration) {
  const dcmf_geometry_t* geometry = dcmf_geometry_in(memory);
  const dcmf_collective_protocol_t* protocol = (const dcmf_collective_protocol_t*)(void*)registration;
  if (geometry == NULL || protocol == NULL) return 0;
  switch (protocol->kind) {
    case DCMF_KIND_BARRIER:
      switch (protocol->protocol) {
        case DCMF_GI_BARRIER_PROTOCOL:
          return dcmf_interrupt_barrier_serves(geometry);
        case DCMF_LOCKBOX_BARRIER_PROTOCOL:
        case DCMF_IPC_BARRIER_PROTOCOL:
          return (int)geometry->local;
        case DCMF_TORUS_BINOMIAL_BARRIER_PROTOCOL:
          return 1;
        default:
          return (int)geometry->rectangle;
      }
    case DCMF_KIND_BROADCAST:
      switch (protocol->protocol) {
        case DCMF_TREE_BROADCAST_PROTOCOL:
        case DCMF_TREE_DPUT_BROADCAST_PROTOCOL:
          return dcmf_tree_serves(geometry);
        case DCMF_TORUS_BINOMIAL_BROADCAST_PROTOCOL:
        case DCMF_TORUS_BINOMIAL_BROADCAST_PROTOCOL_SINGLETH:
          return 1;
        default:
          return dcmf_lines_serve(geometry);
      }
    case DCMF_KIND_ASYNC:
      return protocol->protocol == DCMF_TORUS_ASYNCBROADCAST_BINOMIAL_PROTOCOL || geometry->rectangle;
    case DCMF_KIND_ALLREDUCE:
      switch (protocol->protocol) {
        case DCMF_TREE_ALLREDUCE_PROTOCOL:
        case DCMF_TREE_PIPELINED_ALLREDUCE_PROTOCOL:
        case DCMF_TREE_DPUT_PIPELINED_ALLREDUCE_PROTOCOL:
          return dcmf_tree_serves(geometry);
        case DCMF_TORUS_BINOMIAL_ALLREDUCE_PROTOCOL:
        case DCMF_TORUS_SHORT_BINOMIAL_ALLREDUCE_PROTOCOL:
        case DCMF_TORUS_ASYNC_BINOMIAL_ALLREDUCE_PROTOCOL:
        case DCMF_TORUS_ASYNC_SHORT_BINOMIAL_ALLREDUCE_PROTOCOL:
          return 1;
        default:
          return (int)geometry->rectangle;
      }
    case DCMF_KIND_REDUCE:
      switch (protocol->protocol) {
        case DCMF_TREE_REDUCE_PROTOCOL:
          return dcmf_tree_serves(geometry);
        case DCMF_TORUS_BINOMIAL_REDUCE_PROTOCOL:
          return 1;
        default:
          return (int)geometry->rectangle;
      }
    default:
      return 1;
  }
}
