// SPDX-License-Identifier: Apache-2.0
// All to all: a barrier, and then in each step some messages to the next places on, and from as many back, so that no
// process is everybody's target at a time. Clients count on the barrier: what others put into a process's buffer before
// they enter is sent, though that process entered first (GASNet's exchange).
#include "firmware/bgp/dcmf/collective/collective.h"

enum { AT_A_TIME = 8, DATA = 32 };  // DATA: the tag of data, behind those of the barrier's steps

bool dcmf_step_alltoallv(dcmf_collective_t* collective) {
  const uint32_t self = collective->geometry->self, count = collective->geometry->count;
  if (!collective->entered) {
    if (!dcmf_step_barrier(collective)) return false;
    collective->entered = true;
    // The own part is copied.
    if (collective->lengths[self]) {
      memcpy(collective->receive + collective->receive_places[self], collective->send + collective->places[self],
             collective->lengths[self]);
    }
    collective->phase = 1;
  }
  if (collective->phase >= count) {
    collective->entered = false;  // it may be started again
    return true;
  }
  for (unsigned i = 0; i < AT_A_TIME && collective->phase < count; ++i, ++collective->phase) {
    const uint32_t to = (self + collective->phase) % count, from = (self + count - collective->phase) % count;
    if (collective->receive_lengths[from]) {
      dcmf_collective_receive(collective, from, DATA, collective->receive + collective->receive_places[from],
                              collective->receive_lengths[from]);
    }
    if (collective->lengths[to]) {
      dcmf_collective_send(collective, to, DATA, collective->send + collective->places[to], collective->lengths[to]);
    }
  }
  return false;
}

int DCMF_Alltoallv_register(DCMF_CollectiveProtocol_t* registration, DCMF_Alltoallv_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  if ((unsigned)configuration->protocol >= DCMF_NUM_ALLTOALLV_PROTOCOLS) return DCMF_INVAL;
  dcmf_collective_protocol_t* protocol = (dcmf_collective_protocol_t*)(void*)registration;
  protocol->kind = DCMF_KIND_ALLTOALLV;
  protocol->protocol = (uint32_t)configuration->protocol;
  return DCMF_SUCCESS;
}

int DCMF_Alltoallv(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* request, DCMF_Callback_t cb_done,
                   DCMF_Consistency consistency, DCMF_Geometry_t* geometry, char* sndbuf, unsigned* sndlen,
                   unsigned* sdispls, char* rcvbuf, unsigned* rcvlen, unsigned* rdispls, unsigned* sndcounters,
                   unsigned* rcvcounters) {
  (void)registration, (void)consistency, (void)sndcounters, (void)rcvcounters;
  dcmf_geometry_t* of = geometry ? dcmf_geometry_in(geometry) : dcmf_world();
  if (of->self == of->count) return DCMF_INVAL;
  dcmf_collective_t* collective = dcmf_collective_prepare(request, cb_done, of);
  collective->step = dcmf_step_alltoallv;
  collective->send = sndbuf;
  collective->receive = rcvbuf;
  collective->lengths = sndlen;
  collective->places = sdispls;
  collective->receive_lengths = rcvlen;
  collective->receive_places = rdispls;
  dcmf_collective_begin(collective);
  return DCMF_SUCCESS;
}
