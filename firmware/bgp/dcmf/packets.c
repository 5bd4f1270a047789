// SPDX-License-Identifier: Apache-2.0
// Packets that arrive, by their kind.
#include "firmware/bgp/dcmf/state.h"

_Static_assert(sizeof(dcmf_header_t) == DCMF_HEADER_BYTES, "one quad");

typedef void (*take_t)(uint32_t source, char* payload);

// The SPI calls this for each packet; `take` is what was registered with it.
static int receive(DMA_RecFifo_t* fifo, DMA_PacketHeader_t* packet, void* take, char* payload, int bytes) {
  (void)fifo, (void)bytes;
  take_t function;
  memcpy(&function, &take, sizeof function);
  function(packet->SW_Arg, payload);
  return 0;
}

static int receive_unknown(DMA_RecFifo_t* fifo, DMA_PacketHeader_t* packet, void* parameter, char* payload, int bytes) {
  (void)fifo, (void)parameter, (void)payload;
  dcmf_fatal("a packet of %d bytes for function %u, which is not registered", bytes, (unsigned)packet->Func_Id);
}

static void take_control(uint32_t source, char* payload) {
  const dcmf_header_t* header = (const dcmf_header_t*)(void*)payload;
  dcmf_protocol_t* protocol = dcmf_protocol_of(header, source);
  protocol->take(protocol, header, NULL, payload + DCMF_HEADER_BYTES, source);
}

void dcmf_register_packets(void) {
  static const take_t kTake[DCMF_PACKETS] = {
      [DCMF_PACKET_SHORT] = dcmf_take_short,
      [DCMF_PACKET_EAGER] = dcmf_take_eager,
      [DCMF_PACKET_DATA] = dcmf_take_data,
      [DCMF_PACKET_REQUEST] = dcmf_take_request,
      [DCMF_PACKET_FETCHED] = dcmf_take_fetched,
      [DCMF_PACKET_CONTROL] = take_control,
      [DCMF_PACKET_ACKNOWLEDGED] = dcmf_take_acknowledged,
  };
  for (unsigned kind = 0; kind < DCMF_PACKETS; ++kind) {
    void* take;
    memcpy(&take, &kTake[kind], sizeof take);
    const int id = DMA_RecFifoRegisterRecvFunction(receive, take, 0, 0);
    if (id < 0) dcmf_fatal("no number is left for the functions that receive packets");
    dcmf_instance->function[kind] = (uint32_t)id;
  }
  (void)DMA_RecFifoRegisterRecvFunction(receive_unknown, NULL, 1, 0);
}

// Registration 0 is that of protocol objects that have not been registered, which are zero.

static void refuse(uint32_t source) __attribute__((__noreturn__));
static void refuse(uint32_t source) {
  dcmf_fatal(
      "rank %u sent a message by a protocol that it has not registered; DCMF_Send_register(), or that of another kind "
      "of "
      "message, comes first, in the same order on all ranks",
      (unsigned)source);
}

static void take_unregistered(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info,
                              const char* data, uint32_t source) {
  (void)protocol, (void)header, (void)info, (void)data;
  refuse(source);
}

static int accept_unregistered(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info,
                               dcmf_reception_t* reception) {
  (void)protocol, (void)header, (void)info;
  refuse(reception->source);
}

void dcmf_register_none(void) {
  static dcmf_protocol_t none = {.take = take_unregistered, .accept = accept_unregistered};
  (void)dcmf_register(&none);
}

DCMF_Result dcmf_register(dcmf_protocol_t* protocol) {
  dcmf_state_t* state = dcmf_instance;
  if (!state->initialised) return DCMF_ERROR;
  if (state->protocol_count == DCMF_MOST_PROTOCOLS) return DCMF_EAGAIN;
  protocol->number = state->protocol_count++;
  state->protocols[protocol->number] = protocol;
  return DCMF_SUCCESS;
}

dcmf_protocol_t* dcmf_protocol_of(const dcmf_header_t* header, uint32_t source) {
  const dcmf_state_t* state = dcmf_instance;
  if (header->protocol >= state->protocol_count) {
    dcmf_fatal("rank %u sent a message of its registration %u, but here are only %u", source, header->protocol,
               state->protocol_count);
  }
  return state->protocols[header->protocol];
}
