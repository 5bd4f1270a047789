// SPDX-License-Identifier: Apache-2.0
// Messages: how they are sent, by size; and the calls of DCMF_Send.
#include "firmware/bgp/dcmf/state.h"

static char* put_header(char* bounce, const dcmf_operation_t* operation) {
  dcmf_header_t* header = (dcmf_header_t*)(void*)bounce;
  header->protocol = operation->protocol;
  header->count = operation->count;
  header->consistency = operation->consistency;
  header->bytes = operation->bytes;
  header->word[0] = operation->word[0];
  header->word[1] = operation->word[1];
  DCQuad* info = (DCQuad*)(void*)(bounce + DCMF_HEADER_BYTES);
  for (unsigned i = 0; i < operation->count; ++i) info[i] = operation->info[i];
  return (char*)(info + operation->count);
}

static void inject_packet(const dcmf_operation_t* operation, dcmf_packet_t kind, uint32_t physical, uint32_t bytes) {
  DMA_InjDescriptor_t descriptor;
  dcmf_packet_descriptor(&descriptor, operation->rank, kind, physical, bytes);
  dcmf_ring_inject(operation->ring, &descriptor, NULL);
}

// One packet, of which the core copies all.
static bool start_short(dcmf_operation_t* operation) {
  if (dcmf_is_held(operation) || !dcmf_ring_has(operation->ring, 1)) return false;
  uint32_t physical;
  char* bounce = dcmf_ring_bounce(operation->ring, &physical);
  char* data = put_header(bounce, operation);
  if (operation->bytes) memcpy(data, operation->data, operation->bytes);
  inject_packet(operation, DCMF_PACKET_SHORT, physical, (uint32_t)(data - bounce) + operation->bytes);
  if (operation->request) dcmf_complete(operation->request);
  return true;
}

// A packet that announces the message, then the message itself from where it lies.
static bool start_eager(dcmf_operation_t* operation) {
  if (dcmf_is_held(operation) || !dcmf_ring_has(operation->ring, 2)) return false;
  uint32_t physical;
  char* bounce = dcmf_ring_bounce(operation->ring, &physical);
  inject_packet(operation, DCMF_PACKET_EAGER, physical, (uint32_t)(put_header(bounce, operation) - bounce));
  DMA_InjDescriptor_t descriptor;
  dcmf_packet_descriptor(&descriptor, operation->rank, DCMF_PACKET_DATA, operation->source, operation->bytes);
  dcmf_ring_inject(operation->ring, &descriptor, operation->request);
  return true;
}

// A packet that says where the message lies; the receiver fetches it.
static bool start_rendezvous(dcmf_operation_t* operation) {
  if (!dcmf_ring_has(operation->ring, 1)) return false;
  dcmf_peer_t* peer = dcmf_peer(operation->rank);
  const bool sequential = operation->consistency == DCMF_SEQUENTIAL_CONSISTENCY;
  if (sequential && peer->ordered == UINT16_MAX) return false;
  uint32_t physical;
  char* bounce = dcmf_ring_bounce(operation->ring, &physical);
  dcmf_rendezvous_t* data = (dcmf_rendezvous_t*)(void*)put_header(bounce, operation);
  data->physical = operation->source;
  data->answer = operation->request != NULL || sequential;
  data->cookie = (uintptr_t)operation->request;
  if (sequential) ++peer->ordered;
  inject_packet(operation, DCMF_PACKET_REQUEST, physical, (uint32_t)((char*)(data + 1) - bounce));
  return true;
}

DCMF_Result dcmf_send(dcmf_operation_t* operation, const dcmf_protocol_t* protocol, uint32_t most) {
  const uint32_t bytes = operation->bytes;
  operation->protocol = (uint16_t)protocol->number;
  operation->ring = &dcmf_instance->rings[dcmf_peer(operation->rank)->ring];
  if (bytes + operation->count * sizeof(DCQuad) <= DCMF_SHORT_BYTES) {
    operation->start = start_short;
  } else {
    operation->start = bytes <= most ? start_eager : start_rendezvous;
    if (!dcmf_physical(operation->data, bytes, &operation->source)) return DCMF_INVAL;
    operation->data = NULL;
  }
  dcmf_begin(operation);
  return DCMF_SUCCESS;
}

// DCMF_Send ----------------------------------------------------------------------------------------------------------

typedef struct {
  dcmf_protocol_t protocol;
  DCMF_Send_Configuration_t configuration;
  uint32_t most;  // eager up to here
} send_protocol_t;
_Static_assert(sizeof(send_protocol_t) <= sizeof(DCMF_Protocol_t), "a registration holds what it has to");

static void take(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info, const char* data,
                 uint32_t source) {
  const DCMF_Send_Configuration_t* to = &((send_protocol_t*)protocol)->configuration;
  if (to->cb_recv_short == NULL) dcmf_fatal("rank %u sent a short message, for which there is no callback", source);
  to->cb_recv_short(to->cb_recv_short_clientdata, info, header->count, source, data, header->bytes);
}

static int offer(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info,
                 dcmf_reception_t* reception) {
  const DCMF_Send_Configuration_t* to = &((send_protocol_t*)protocol)->configuration;
  size_t length = header->bytes;
  if (to->cb_recv == NULL) dcmf_fatal("rank %u sent a long message, for which there is no callback", reception->source);
  if (to->cb_recv(to->cb_recv_clientdata, info, header->count, reception->source, header->bytes, &length,
                  &reception->buffer, &reception->cb_done) == NULL) {
    return DCMF_DROP;
  }
  reception->length = length < header->bytes ? (uint32_t)length : header->bytes;
  return DCMF_ACCEPT;
}

DCMF_Result DCMF_Send_register(DCMF_Protocol_t* registration, DCMF_Send_Configuration_t* configuration) {
  send_protocol_t* protocol = (send_protocol_t*)(void*)registration;
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  if ((unsigned)configuration->protocol >= DCMF_SEND_PROTOCOL_COUNT) return DCMF_INVAL;
  protocol->configuration = *configuration;
  protocol->most = configuration->protocol == DCMF_EAGER_SEND_PROTOCOL ? UINT32_MAX
                   : configuration->protocol == DCMF_RZV_SEND_PROTOCOL ? 0
                                                                       : dcmf_instance->eager_bytes;
  protocol->protocol.take = take;
  protocol->protocol.accept = offer;
  return dcmf_register(&protocol->protocol);
}

DCMF_Result DCMF_Send(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                      DCMF_Consistency consistency, size_t rank, size_t bytes, char* src, DCQuad* msginfo,
                      unsigned count) {
  if (rank >= dcmf_instance->size || count > DCMF_MOST_MSGINFO || bytes > UINT32_MAX) return DCMF_INVAL;
  const send_protocol_t* protocol = (const send_protocol_t*)(void*)registration;
  dcmf_operation_t* operation = dcmf_prepare(request, cb_done, (uint32_t)rank, bytes, consistency);
  operation->data = src;
  operation->count = (uint8_t)count;
  dcmf_copy_msginfo(operation->info, msginfo, count);
  return dcmf_send(operation, &protocol->protocol, protocol->most);
}
