// SPDX-License-Identifier: Apache-2.0
// Operations of all processes of the job.
#include "firmware/bgp/dcmf/collective/collective.h"

DCMF_Result DCMF_GlobalBarrier_register(DCMF_Protocol_t* registration,
                                        DCMF_GlobalBarrier_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  return (unsigned)configuration->protocol < DCMF_GLOBALBARRIER_PROTOCOL_COUNT ? DCMF_SUCCESS : DCMF_INVAL;
}

DCMF_Result DCMF_GlobalBarrier(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done) {
  (void)registration;
  dcmf_collective_t* collective = dcmf_collective_prepare(request, cb_done, NULL);
  collective->step = dcmf_step_barrier;
  dcmf_collective_begin(collective);
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_GlobalBcast_register(DCMF_Protocol_t* registration, DCMF_GlobalBcast_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  return (unsigned)configuration->protocol < DCMF_GLOBALBCAST_PROTOCOL_COUNT ? DCMF_SUCCESS : DCMF_INVAL;
}

DCMF_Result DCMF_GlobalBcast(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                             DCMF_Consistency consistency, size_t root, char* buffer, size_t bytes) {
  (void)registration, (void)consistency;
  if (root >= dcmf_instance->size || bytes > UINT32_MAX) return DCMF_INVAL;
  dcmf_collective_t* collective = dcmf_collective_prepare(request, cb_done, NULL);
  collective->step = dcmf_step_broadcast;
  collective->root = (uint32_t)root;
  collective->receive = buffer;
  collective->bytes = (uint32_t)bytes;
  dcmf_collective_begin(collective);
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_GlobalAllreduce_register(DCMF_Protocol_t* registration,
                                          DCMF_GlobalAllreduce_Configuration_t* configuration) {
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  return (unsigned)configuration->protocol < DCMF_GLOBALALLREDUCE_PROTOCOL_COUNT ? DCMF_SUCCESS : DCMF_INVAL;
}

DCMF_Result DCMF_GlobalAllreduce(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                                 DCMF_Consistency consistency, int root, char* sbuffer, char* rbuffer, unsigned count,
                                 DCMF_Dt dt, DCMF_Op op) {
  (void)registration, (void)consistency;
  const uint32_t size = dcmf_instance->size;
  if (root >= (int)size || dcmf_reduction_bytes(dt, op, 1) == 0) return DCMF_INVAL;
  return dcmf_begin_reduction(dcmf_collective_prepare(request, cb_done, NULL), root < 0 ? size : (uint32_t)root,
                              sbuffer, rbuffer, count, dt, op);
}
