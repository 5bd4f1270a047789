// SPDX-License-Identifier: Apache-2.0
// Control messages: one packet, through a ring of high priority.
#include "firmware/bgp/dcmf/state.h"

bool dcmf_start_control(dcmf_operation_t* operation) {
  if (!dcmf_ring_has(operation->ring, 1)) return false;
  uint32_t physical;
  char* bounce = dcmf_ring_bounce(operation->ring, &physical);
  dcmf_header_t* header = (dcmf_header_t*)(void*)bounce;
  header->protocol = operation->protocol;
  header->count = operation->count;
  header->consistency = operation->consistency;
  DCQuad* info = (DCQuad*)(void*)(bounce + DCMF_HEADER_BYTES);
  for (unsigned i = 0; i < operation->count; ++i) info[i] = operation->info[i];
  DMA_InjDescriptor_t descriptor;
  dcmf_packet_descriptor(&descriptor, operation->rank, operation->kind, physical,
                         (uint32_t)((char*)(info + operation->count) - bounce));
  dcmf_ring_inject(operation->ring, &descriptor, NULL);
  return true;
}

typedef struct {
  dcmf_protocol_t protocol;
  DCMF_Control_Configuration_t configuration;
} control_protocol_t;
_Static_assert(sizeof(control_protocol_t) <= sizeof(DCMF_Protocol_t), "a registration holds what it has to");

static void take(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info, const char* data,
                 uint32_t source) {
  (void)header, (void)info;
  const DCMF_Control_Configuration_t* to = &((control_protocol_t*)protocol)->configuration;
  if (to->cb_recv) to->cb_recv(to->cb_recv_clientdata, (const DCMF_Control_t*)(const void*)data, source);
}

DCMF_Result DCMF_Control_register(DCMF_Protocol_t* registration, DCMF_Control_Configuration_t* configuration) {
  control_protocol_t* protocol = (control_protocol_t*)(void*)registration;
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  if ((unsigned)configuration->protocol >= DCMF_CONTROL_PROTOCOL_COUNT) return DCMF_INVAL;
  protocol->configuration = *configuration;
  protocol->protocol.take = take;
  protocol->protocol.accept = NULL;
  return dcmf_register(&protocol->protocol);
}

DCMF_Result DCMF_Control(DCMF_Protocol_t* registration, DCMF_Consistency consistency, size_t rank,
                         DCMF_Control_t* info) {
  if (rank >= dcmf_instance->size) return DCMF_INVAL;
  dcmf_operation_t operation;
  operation.start = dcmf_start_control;
  operation.kind = DCMF_PACKET_CONTROL;
  operation.ring = dcmf_control_ring((uint32_t)rank);
  operation.rank = (uint32_t)rank;
  operation.protocol = (uint16_t)((const control_protocol_t*)(void*)registration)->protocol.number;
  operation.consistency = (uint8_t)consistency;
  operation.count = DCMF_CONTROL_NQUADS;
  operation.data = NULL;
  operation.request = NULL;
  memcpy(operation.info, info, sizeof operation.info);
  dcmf_begin(&operation);
  return DCMF_SUCCESS;
}
