// SPDX-License-Identifier: Apache-2.0
// Broadcast by a binomial tree. Places are counted from the root on: place v hears from v without its lowest bit, and
// tells those that have one more bit below that.
#include "firmware/bgp/dcmf/collective/collective.h"

bool dcmf_step_broadcast(dcmf_collective_t* collective) {
  const dcmf_geometry_t* geometry = collective->geometry;
  const uint32_t count = geometry->count;
  const uint32_t place = (geometry->self + count - collective->root) % count;
  switch (collective->phase++) {
    case 0:
      if (place != 0) {
        dcmf_collective_receive(collective, ((place & (place - 1)) + collective->root) % count, 0, collective->receive,
                                collective->bytes);
      }
      return false;
    case 1: {
      uint32_t bit = place ? place & -place : 0x80000000u;
      for (bit >>= 1; bit != 0; bit >>= 1) {
        if ((place | bit) < count && (place | bit) != place) {
          dcmf_collective_send(collective, ((place | bit) + collective->root) % count, 0, collective->receive,
                               collective->bytes);
        }
      }
      return false;
    }
    default:
      return true;
  }
}

void dcmf_begin_broadcast(dcmf_collective_t* collective, bool (*step)(dcmf_collective_t*), uint32_t root, char* buffer,
                          uint32_t bytes) {
  collective->step = step;
  collective->is_broadcast = true;
  collective->root = root;
  collective->receive = collective->to = buffer;
  collective->bytes = bytes;
  dcmf_collective_begin(collective);
}

int DCMF_Broadcast_register(DCMF_CollectiveProtocol_t* registration, DCMF_Broadcast_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  if ((unsigned)configuration->protocol >= DCMF_NUM_BROADCAST_PROTOCOLS) return DCMF_INVAL;
  dcmf_collective_protocol_t* protocol = (dcmf_collective_protocol_t*)(void*)registration;
  protocol->kind = DCMF_KIND_BROADCAST;
  protocol->protocol = (uint32_t)configuration->protocol;
  return DCMF_SUCCESS;
}

// By messages, unless the protocol is one of another way that serves the geometry.
static bool (*step_of(const dcmf_collective_protocol_t* protocol,
                      const dcmf_geometry_t* geometry))(dcmf_collective_t* collective) {
  if (protocol == NULL || protocol->kind != DCMF_KIND_BROADCAST) return dcmf_step_broadcast;
  switch (protocol->protocol) {
    case DCMF_TREE_BROADCAST_PROTOCOL:
    case DCMF_TREE_DPUT_BROADCAST_PROTOCOL:
      return dcmf_tree_serves(geometry) ? dcmf_step_tree : dcmf_step_broadcast;
    case DCMF_TORUS_RECTANGLE_BROADCAST_PROTOCOL:
    case DCMF_TORUS_RECTANGLE_BROADCAST_PROTOCOL_SINGLETH:
    case DCMF_TORUS_RECTANGLE_BROADCAST_PROTOCOL_DPUT_SINGLETH:
      return dcmf_lines_serve(geometry) ? dcmf_step_lines : dcmf_step_broadcast;
    default:
      return dcmf_step_broadcast;
  }
}

int DCMF_Broadcast(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* request, DCMF_Callback_t cb_done,
                   DCMF_Consistency consistency, DCMF_Geometry_t* geometry, unsigned root, char* src, unsigned bytes) {
  (void)consistency;
  dcmf_geometry_t* of = geometry ? dcmf_geometry_in(geometry) : dcmf_world();
  const uint32_t place = dcmf_place_of(of, root);
  if (place == of->count || of->self == of->count) return DCMF_INVAL;
  const dcmf_collective_protocol_t* protocol = (const dcmf_collective_protocol_t*)(void*)registration;
  dcmf_begin_broadcast(dcmf_collective_prepare(request, cb_done, of), step_of(protocol, of), place, src, bytes);
  return DCMF_SUCCESS;
}

// Data that comes early waits for its receiver in any broadcast: so the asynchronous one whose receivers call is the
// same.
int DCMF_AsyncBroadcast_register(DCMF_CollectiveProtocol_t* registration,
                                 DCMF_AsyncBroadcast_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  if ((unsigned)configuration->protocol >= DCMF_NUM_ASYNCBROADCAST_PROTOCOLS) return DCMF_INVAL;
  dcmf_collective_protocol_t* protocol = (dcmf_collective_protocol_t*)(void*)registration;
  protocol->kind = DCMF_KIND_ASYNC;
  protocol->protocol = (uint32_t)configuration->protocol;
  protocol->find = configuration->cb_geometry;
  protocol->receivers_call = configuration->isBuffered != 0;
  return protocol->receivers_call ? DCMF_SUCCESS : dcmf_async_broadcast_register(registration, configuration);
}

int DCMF_AsyncBroadcast(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* request,
                        DCMF_Callback_t cb_done, DCMF_Consistency consistency, DCMF_Geometry_t* geometry, unsigned root,
                        char* src, unsigned bytes) {
  if (registration && !((const dcmf_collective_protocol_t*)(void*)registration)->receivers_call)
    return dcmf_async_broadcast(registration, request, cb_done, geometry, root, src, bytes);
  return DCMF_Broadcast(registration, request, cb_done, consistency, geometry, root, src, bytes);
}
