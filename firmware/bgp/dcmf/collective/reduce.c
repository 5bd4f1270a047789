// SPDX-License-Identifier: Apache-2.0
// Reduction to one process by a binomial tree: place v, counted from the root on, hears from v + 1, v + 2, v + 4 ... as
// far as v has no such bit, then tells v without its lowest bit.
#include "firmware/bgp/dcmf/collective/collective.h"

// What has been reduced is in `receive`; the next contribution comes into `send`.
bool dcmf_step_reduce(dcmf_collective_t* collective) {
  const dcmf_geometry_t* geometry = collective->geometry;
  const uint32_t count = geometry->count;
  const uint32_t place = (geometry->self + count - collective->root) % count;
  if (collective->phase != 0 && collective->mask != 0) {
    dcmf_reduce(collective->receive, collective->send, collective->count, collective->dt, collective->op);
  }
  for (; collective->phase < 32; ++collective->phase) {
    const uint32_t bit = 1u << collective->phase;
    if (place & bit) {
      collective->phase = 32;
      collective->mask = 0;
      dcmf_collective_send(collective, ((place & (place - 1)) + collective->root) % count, 0, collective->receive,
                           collective->bytes);
      return false;
    }
    if ((place | bit) < count) {
      ++collective->phase;
      collective->mask = 1;
      dcmf_collective_receive(collective, ((place | bit) + collective->root) % count, 0, collective->send,
                              collective->bytes);
      return false;
    }
  }
  return true;
}

int DCMF_Reduce_register(DCMF_CollectiveProtocol_t* registration, DCMF_Reduce_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  if ((unsigned)configuration->protocol >= DCMF_NUM_REDUCE_PROTOCOLS) return DCMF_INVAL;
  dcmf_collective_protocol_t* protocol = (dcmf_collective_protocol_t*)(void*)registration;
  protocol->kind = DCMF_KIND_REDUCE;
  protocol->protocol = (uint32_t)configuration->protocol;
  protocol->find = configuration->cb_geometry;
  return DCMF_SUCCESS;
}

int DCMF_Reduce(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* request, DCMF_Callback_t cb_done,
                DCMF_Consistency consistency, DCMF_Geometry_t* geometry, int root, char* sbuffer, char* rbuffer,
                unsigned count, DCMF_Dt dt, DCMF_Op op) {
  (void)consistency;
  dcmf_geometry_t* of = geometry ? dcmf_geometry_in(geometry) : dcmf_world();
  const uint32_t place = root < 0 ? of->count : dcmf_place_of(of, (uint32_t)root);
  if (place == of->count || of->self == of->count || dcmf_reduction_bytes(dt, op, 1) == 0) return DCMF_INVAL;
  const dcmf_collective_protocol_t* protocol = (const dcmf_collective_protocol_t*)(void*)registration;
  const bool by_tree =
      protocol != NULL && protocol->protocol == DCMF_TREE_REDUCE_PROTOCOL && dcmf_tree_reduces(of, dt, op, count);
  return dcmf_begin_reduction(dcmf_collective_prepare(request, cb_done, of), by_tree, place, sbuffer, rbuffer, count,
                              dt, op);
}
