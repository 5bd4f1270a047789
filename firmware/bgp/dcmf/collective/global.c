// SPDX-License-Identifier: Apache-2.0
// Operations of all processes of the job.
#include "firmware/bgp/dcmf/collective/collective.h"

_Static_assert(sizeof(dcmf_global_protocol_t) <= sizeof(DCMF_Protocol_t), "a registration holds what it has to");

static DCMF_Result keep(DCMF_Protocol_t* registration, bool exists, bool networked) {
  if (!exists) return DCMF_INVAL;
  ((dcmf_global_protocol_t*)(void*)registration)->networked = networked;
  return DCMF_SUCCESS;
}

static bool is_networked(DCMF_Protocol_t* registration) {
  return registration != NULL && ((dcmf_global_protocol_t*)(void*)registration)->networked;
}

DCMF_Result DCMF_GlobalBarrier_register(DCMF_Protocol_t* registration,
                                        DCMF_GlobalBarrier_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  return keep(registration, (unsigned)configuration->protocol < DCMF_GLOBALBARRIER_PROTOCOL_COUNT, true);
}

DCMF_Result DCMF_GlobalBarrier(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done) {
  const bool wired = is_networked(registration) && dcmf_interrupt_barrier_serves(dcmf_world());
  dcmf_begin_barrier(dcmf_collective_prepare(request, cb_done, NULL), wired);
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_GlobalBcast_register(DCMF_Protocol_t* registration, DCMF_GlobalBcast_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  return keep(registration, (unsigned)configuration->protocol < DCMF_GLOBALBCAST_PROTOCOL_COUNT,
              configuration->protocol != DCMF_INTRANODE_GLOBALBCAST_PROTOCOL);
}

DCMF_Result DCMF_GlobalBcast(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                             DCMF_Consistency consistency, size_t root, char* buffer, size_t bytes) {
  (void)consistency;
  if (root >= dcmf_instance->size || bytes > UINT32_MAX) return DCMF_INVAL;
  const bool by_tree = is_networked(registration) && dcmf_tree_serves(dcmf_world());
  dcmf_begin_broadcast(dcmf_collective_prepare(request, cb_done, NULL), by_tree ? dcmf_step_tree : dcmf_step_broadcast,
                       (uint32_t)root, buffer, (uint32_t)bytes);
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_GlobalAllreduce_register(DCMF_Protocol_t* registration,
                                          DCMF_GlobalAllreduce_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  return keep(registration, (unsigned)configuration->protocol < DCMF_GLOBALALLREDUCE_PROTOCOL_COUNT, true);
}

DCMF_Result DCMF_GlobalAllreduce(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                                 DCMF_Consistency consistency, int root, char* sbuffer, char* rbuffer, unsigned count,
                                 DCMF_Dt dt, DCMF_Op op) {
  (void)consistency;
  const uint32_t size = dcmf_instance->size;
  if (root >= (int)size || dcmf_reduction_bytes(dt, op, 1) == 0) return DCMF_INVAL;
  const bool by_tree = is_networked(registration) && dcmf_tree_reduces(dcmf_world(), dt, op, count);
  return dcmf_begin_reduction(dcmf_collective_prepare(request, cb_done, NULL), by_tree,
                              root < 0 ? size : (uint32_t)root, sbuffer, rbuffer, count, dt, op);
}
