// SPDX-License-Identifier: Apache-2.0
// Barrier by dissemination: in step k every process tells the one 2^k places on, and hears from the one 2^k places
// back.
#include "firmware/bgp/dcmf/collective/collective.h"

bool dcmf_step_barrier(dcmf_collective_t* collective) {
  const dcmf_geometry_t* geometry = collective->geometry;
  const uint32_t distance = 1u << collective->phase;
  if (distance >= geometry->count) return true;
  const uint32_t self = geometry->self, count = geometry->count;
  dcmf_collective_receive(collective, (self + count - distance) % count, collective->phase, NULL, 0);
  dcmf_collective_send(collective, (self + distance) % count, collective->phase, NULL, 0);
  ++collective->phase;
  return false;
}

void dcmf_begin_barrier(dcmf_collective_t* collective, bool wired) {
  collective->step = wired ? dcmf_step_interrupt_barrier : dcmf_step_barrier;
  dcmf_collective_begin(collective);
}

int DCMF_Barrier_register(DCMF_CollectiveProtocol_t* registration, DCMF_Barrier_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  if ((unsigned)configuration->protocol >= DCMF_NUM_ALL_BARRIER_PROTOCOLS) return DCMF_INVAL;
  dcmf_collective_protocol_t* protocol = (dcmf_collective_protocol_t*)(void*)registration;
  protocol->kind = DCMF_KIND_BARRIER;
  protocol->protocol = (uint32_t)configuration->protocol;
  protocol->find = configuration->cb_geometry;
  return DCMF_SUCCESS;
}

int DCMF_Barrier(DCMF_Geometry_t* geometry, DCMF_Callback_t cb_done, DCMF_Consistency consistency) {
  (void)consistency;
  dcmf_geometry_t* of = geometry ? dcmf_geometry_in(geometry) : NULL;
  if (of == NULL || of->barrier == NULL || of->self == of->count) return DCMF_INVAL;
  dcmf_begin_barrier(dcmf_collective_prepare(of->barrier, cb_done, of), of->wired);
  return DCMF_SUCCESS;
}
