// SPDX-License-Identifier: Apache-2.0
// Messages that are being received.
#include "firmware/bgp/dcmf/state.h"

void dcmf_received(dcmf_reception_t* reception) {
  if (reception->finish) {
    reception->finish(reception);
  } else {
    dcmf_call(&reception->cb_done);
  }
}

void dcmf_take_short(uint32_t source, char* payload) {
  const dcmf_header_t* header = (const dcmf_header_t*)(void*)payload;
  const DCQuad* info = (const DCQuad*)(void*)(payload + DCMF_HEADER_BYTES);
  dcmf_protocol_t* protocol = dcmf_protocol_of(header, source);
  protocol->take(protocol, header, info, (const char*)(info + header->count), source);
}

// Asks the protocol where the message is to go.
static int ask(uint32_t source, const dcmf_header_t* header, const DCQuad* info, const dcmf_rendezvous_t* data,
               dcmf_reception_t* reception) {
  dcmf_protocol_t* protocol = dcmf_protocol_of(header, source);
  memset(reception, 0, sizeof *reception);
  reception->bytes = header->bytes;
  reception->source = source;
  reception->consistency = header->consistency;
  if (data) {
    reception->remote = data->physical;
    reception->answer = data->answer != 0;
    reception->cookie = data->cookie;
  }
  const int answer = protocol->accept(protocol, header, info, reception);
  if (answer == DCMF_DROP) reception->length = 0;
  if (reception->length > reception->bytes) reception->length = reception->bytes;
  return answer;
}

void dcmf_take_eager(uint32_t source, char* payload) {
  dcmf_peer_t* peer = dcmf_peer(source);
  dcmf_reception_t* reception = dcmf_pool_take(&dcmf_instance->reception_pool, sizeof *reception);
  const int answer = ask(source, (const dcmf_header_t*)(void*)payload,
                         (const DCQuad*)(void*)(payload + DCMF_HEADER_BYTES), NULL, reception);
  peer->eager = reception;
  if (answer == DCMF_ACCEPT && reception->length == 0) dcmf_received(reception);
}

void dcmf_take_data(uint32_t source, char* payload) {
  dcmf_peer_t* peer = dcmf_peer(source);
  dcmf_reception_t* reception = peer->eager;
  if (reception == NULL) dcmf_fatal("data of rank %u that belongs to no message", source);
  const uint32_t before = reception->received;
  uint32_t bytes = reception->bytes - before;
  if (bytes > DCMF_PACKET_PAYLOAD) bytes = DCMF_PACKET_PAYLOAD;
  reception->received += bytes;
  const bool last = reception->received == reception->bytes;
  if (last) peer->eager = NULL;  // the callback may end the program's interest in anything
  if (before < reception->length) {
    const uint32_t wanted = reception->length - before;
    memcpy(reception->buffer + before, payload, bytes < wanted ? bytes : wanted);
    if (bytes >= wanted) {
      dcmf_received(reception);
    } else if (reception->pipe) {
      const uint32_t steps = (before + bytes) / reception->pipe - before / reception->pipe;
      for (uint32_t i = 0; i < steps; ++i) dcmf_call(&reception->cb_done);
    }
  }
  if (last) dcmf_pool_give(&dcmf_instance->reception_pool, reception);
}

// Rendezvous ---------------------------------------------------------------------------------------------------------

static void answer(const dcmf_reception_t* reception) {
  if (!reception->answer) return;
  dcmf_operation_t operation;
  memset(&operation, 0, sizeof operation);
  operation.start = dcmf_start_control;
  operation.kind = DCMF_PACKET_FETCHED;
  operation.ring = dcmf_control_ring(reception->source);
  operation.rank = reception->source;
  operation.consistency = reception->consistency;
  operation.count = 1;
  memcpy(&operation.info[0], &reception->cookie, sizeof reception->cookie);
  dcmf_begin(&operation);
}

static void end(dcmf_reception_t* reception) {
  answer(reception);
  dcmf_pool_give(&dcmf_instance->reception_pool, reception);
}

static void fetched(void* owner) {
  dcmf_reception_t* reception = owner;
  dcmf_received(reception);
  end(reception);
}

void dcmf_fetch(dcmf_reception_t* reception) {
  if (reception->length == 0) {
    fetched(reception);
    return;
  }
  dcmf_operation_t operation;
  memset(&operation, 0, sizeof operation);
  operation.start = dcmf_start_fetch;
  operation.ring = dcmf_control_ring(reception->source);
  operation.rank = reception->source;
  operation.source = reception->remote;
  operation.destination = dcmf_physical_of("receive buffer", reception->buffer, reception->length);
  operation.bytes = reception->length;
  operation.consistency = reception->consistency;
  operation.hit = fetched;
  operation.owner = reception;
  dcmf_begin(&operation);
}

void dcmf_take_request(uint32_t source, char* payload) {
  const dcmf_header_t* header = (const dcmf_header_t*)(void*)payload;
  const DCQuad* info = (const DCQuad*)(void*)(payload + DCMF_HEADER_BYTES);
  dcmf_reception_t* reception = dcmf_pool_take(&dcmf_instance->reception_pool, sizeof *reception);
  const dcmf_rendezvous_t* data = (const dcmf_rendezvous_t*)(const void*)(info + header->count);
  const int decision = ask(source, header, info, data, reception);
  if (decision == DCMF_DROP) {
    end(reception);
  } else if (decision == DCMF_ACCEPT) {
    dcmf_fetch(reception);
  }
}

void dcmf_take_fetched(uint32_t source, char* payload) {
  const dcmf_header_t* header = (const dcmf_header_t*)(void*)payload;
  uintptr_t cookie;
  memcpy(&cookie, payload + DCMF_HEADER_BYTES, sizeof cookie);
  if (header->consistency == DCMF_SEQUENTIAL_CONSISTENCY) --dcmf_peer(source)->ordered;
  if (cookie) dcmf_part_done((dcmf_request_t*)cookie);
}
