/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets of messages. What a packet is stands in the software bytes of its header:
 *
 *   SHORT    header and data of a message; 8 bytes before them if the sender wants to know of its arrival
 *   START    a message follows: pami_start_t and, if it fits behind, the message's header
 *   REQUEST  a message whose data the receiver is to fetch: the same
 *   HEADER   a piece of a header that did not fit; the put offset counts
 *   DATA     a piece of data, likewise
 *   ARRIVED  a message has arrived: 8 bytes that its sender gave with it
 *
 * Packets of one endpoint to another come in the order in which they were sent, so between a START or REQUEST and the
 * last piece that belongs to it there is no other START or REQUEST.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_PACKET_H
#define TOROID_FIRMWARE_BGQ_PAMI_PACKET_H

#include "firmware/bgq/pami/context.h"

enum { PAMI_SHORT = 1, PAMI_START, PAMI_REQUEST, PAMI_HEADER, PAMI_DATA, PAMI_ARRIVED };

typedef struct pami_packet {
  uint8_t network[12];
  uint8_t unit[6]; /* reception FIFO and put offset */
  uint8_t kind;
  uint8_t wants_arrival; /* SHORT: 8 bytes for ARRIVED come first */
  uint16_t header_bytes; /* SHORT: of the message's header */
  uint16_t data_bytes;   /* SHORT: of its data; HEADER and DATA: none, the message's start tells */
  pami_endpoint_t origin;
  uint16_t dispatch;
  uint16_t unused;
} pami_packet_t;

typedef struct pami_start {
  uint64_t data_bytes;
  uint64_t header_bytes; /* more than PAMI_START_HEADER_MAX: it comes in HEADER packets */
  uint64_t arrival;      /* for ARRIVED; 0: the sender does not ask */
  uint64_t source;       /* REQUEST: physical address of the data */
} pami_start_t;

enum { PAMI_START_HEADER_MAX = PAMI_PAYLOAD_MAX - sizeof(pami_start_t) };

_Static_assert(sizeof(pami_packet_t) == 32, "the header of a packet");

static inline uint64_t pami_put_offset(const pami_packet_t* packet) {
  const MUHWI_PacketHeader_t* header = (const MUHWI_PacketHeader_t*)packet;
  return (uint64_t)header->messageUnitHeader.Packet_Types.Memory_FIFO.Put_Offset_MSB << 32 |
         header->messageUnitHeader.Packet_Types.Memory_FIFO.Put_Offset_LSB;
}

/* A descriptor of a message to a peer's node, on the one way that keeps order: `bytes` at physical address `pa`. */
void pami_describe(MUHWI_Descriptor_t* descriptor, const pami_peer_t* peer, uint64_t pa, uint64_t bytes);
/* The same of a packet, or of pieces, for a context. `packet` has the software bytes. */
void pami_describe_packets(MUHWI_Descriptor_t* descriptor, pami_context_impl_t* context, pami_endpoint_t to,
                           const pami_peer_t* peer, uint64_t pa, uint64_t bytes, const pami_packet_t* packet);

/* Tells the sender that its message has arrived. */
void pami_tell_arrival(pami_context_impl_t* context, pami_endpoint_t to, uint64_t arrival);

static inline pami_ring_t* pami_ring_to(pami_context_impl_t* context, const pami_peer_t* peer) {
  return &context->rings[context->ring_of[peer->direction]];
}

#endif
