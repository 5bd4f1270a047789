// SPDX-License-Identifier: Apache-2.0
// Descriptors of messages and packets.
#include "firmware/bgq/pami/packet.h"

#include <string.h>

#include "firmware/bgq/pami/resources.h"
#include "firmware/hot.h"

enum { kNoFlags = 0, kHeaderWords = 8 };

HOT void pami_describe(MUHWI_Descriptor_t* descriptor, const pami_peer_t* peer, uint64_t pa, uint64_t bytes) {
  MUSPI_DescriptorZeroOut(descriptor);
  MUSPI_SetPayload(descriptor, pa, bytes);
  MUSPI_SetTorusInjectionFIFOMap(descriptor, peer->fifo_map);
  MUHWI_Destination_t to;
  to.Destination.Destination = peer->destination;
  MUSPI_SetDestination(descriptor, to);
  MUSPI_SetDataPacketType(descriptor, MUHWI_PT2PT_DATA_PACKET_TYPE);
  MUSPI_SetPt2PtVirtualChannel(descriptor, MUHWI_PACKET_VIRTUAL_CHANNEL_DETERMINISTIC);
  MUSPI_SetSize(descriptor);
  MUSPI_SetPt2PtSkip(descriptor, kHeaderWords);
}

HOT_OF_SENDS void pami_describe_packets(MUHWI_Descriptor_t* descriptor, pami_context_impl_t* context,
                                        pami_endpoint_t to, const pami_peer_t* peer, uint64_t pa, uint64_t bytes,
                                        const pami_packet_t* packet) {
  pami_describe(descriptor, peer, pa, bytes);
  MUSPI_SetMessageUnitPacketType(descriptor, MUHWI_PACKET_TYPE_FIFO);
  MUSPI_SetRecFIFOId(descriptor, pami_reception_id(peer->process, context->client->number, pami_offset_of(to)));
  memcpy(descriptor->PacketHeader.messageUnitHeader.Packet_Types.Memory_FIFO.Unused2, &packet->kind,
         sizeof *packet - offsetof(pami_packet_t, kind));
}

HOT_OF_SENDS void pami_tell_arrival(pami_context_impl_t* context, pami_endpoint_t to, uint64_t arrival) {
  const pami_peer_t* peer = pami_peer(pami_task_of(to));
  const pami_packet_t packet = {.kind = PAMI_ARRIVED, .origin = context->self};
  MUHWI_Descriptor_t descriptor;
  pami_describe_packets(&descriptor, context, to, peer, 0, sizeof arrival, &packet);
  pami_ring_inject(pami_ring_to(context, peer), &descriptor, &arrival, sizeof arrival, (pami_injected_t){0});
}
