/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages to memory FIFOs by the SPI: rank r sends messages of several sizes to rank r + 1, which has a receive
 * function called for each packet. The reception FIFO is small, so that packets wait for room and go over its end.
 * Looked at are payload, padding, offsets, software's bytes, and the interrupt bit of the last packet.
 *
 *     ./toroid run --machine bgq --shape 2x2x1x1x1 --ranks-per-node 16 spi_message
 */
#include <spi/include/mu/RecFifo.h>

#include "firmware/programs/bgq/spi_program.h"

enum { kFunction = 17, kRing = 2048, kMost = 3000, kMessages = 40 };

static uint8_t packets_memory[kRing] ALIGN_L1_CACHE;
static uint8_t payload[kMost] ALIGN_L1_CACHE;

static spi_place_t place;
static unsigned packets, messages, wrong;
static uint32_t received; /* bytes of the message that comes */

static uint32_t size_of(unsigned message) {
  static const uint32_t sizes[] = {0, 1, 32, 100, 512, 513, 1024, kMost};
  return sizes[message % (sizeof sizes / sizeof sizes[0])];
}
static uint8_t pattern(uint32_t rank, unsigned message, uint32_t i) {
  return (uint8_t)(rank * 13 + message * 29 + i * 3 + (i >> 8));
}
/* What software puts into the field of the offset, which is its own in messages of one packet. */
static uint64_t own_offset(unsigned message) {
  return 0x1200000000ull + message;
}

// [receive]
static int receive(void* parameter, MUHWI_PacketHeader_t* packet, uint32_t packet_bytes) {
  const uint32_t from = *(const uint32_t*)parameter, size = size_of(messages);
  const uint8_t* const bytes = (const uint8_t*)(packet + 1);
  const uint32_t there = packet_bytes - sizeof *packet;
  const uint32_t valid = size - received < there ? size - received : there;
  // [end]
  uint64_t offset = packet->messageUnitHeader.Packet_Types.Memory_FIFO.Put_Offset_MSB;
  offset = offset << 32 | packet->messageUnitHeader.Packet_Types.Memory_FIFO.Put_Offset_LSB;
  const uint8_t* const own = packet->messageUnitHeader.Packet_Types.Memory_FIFO.Unused2;
  const int is_last = received + valid == size;
  wrong += offset != own_offset(messages) + received;
  wrong += own[0] != kFunction || own[1] != (uint8_t)messages || own[13] != (uint8_t)place.rank;
  wrong += packet->messageUnitHeader.Packet_Types.Memory_FIFO.Unused1 != messages % 2;
  wrong += packet->NetworkHeader.pt2pt.Byte2.Interrupt != is_last;
  for (uint32_t i = 0; i < there; ++i) wrong += bytes[i] != (i < valid ? pattern(from, messages, received + i) : 0);
  ++packets;
  received += valid;
  if (is_last) {
    ++messages;
    received = 0;
  }
  return 0;
}

int main(void) {
  place = spi_place();
  const uint32_t to = (place.rank + 1) % place.ranks;
  uint32_t from = (place.rank + place.ranks - 1) % place.ranks;
  MUSPI_InjFifoSubGroup_t* fifos = spi_injection_fifos(&place);
  MUSPI_RecFifo_t* fifo = spi_reception_fifo(&place, packets_memory, kRing);
  MUSPI_RegisterRecvFunction(receive, &from, kFunction);
  spi_barrier();

  for (unsigned message = 0; message < kMessages; ++message) {
    const uint32_t size = size_of(message);
    MUHWI_Descriptor_t descriptor;
    for (uint32_t i = 0; i < size; ++i) payload[i] = pattern(place.rank, message, i);
    // [send]
    spi_describe_message(&descriptor, &place, to, spi_physical(payload), size);
    /* Through one network FIFO: packets that go through several may overtake each other. */
    if (descriptor.Torus_FIFO_Map != MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_LOCAL0)
      MUSPI_SetTorusInjectionFIFOMap(&descriptor, MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_AP);
    MUSPI_SetRecPutOffset(&descriptor, own_offset(message));
    MUSPI_SetSoftwareByte(&descriptor, 0, kFunction);
    MUSPI_SetSoftwareByte(&descriptor, 1, (uint8_t)message);
    MUSPI_SetSoftwareByte(&descriptor, 13, (uint8_t)to);
    MUSPI_SetSoftwareBit(&descriptor, message % 2);
    MUSPI_SetInterrupt(&descriptor, MUHWI_DESCRIPTOR_INTERRUPT_ON_PACKET_ARRIVAL);
    const uint64_t number = spi_inject(fifos, &descriptor);
    while (!MUSPI_CheckDescComplete(MUSPI_IdToInjFifo(SPI_SEND, fifos), number)) MUSPI_RecFifoPoll(fifo, 1);
    // [end]
  }
  while (messages < kMessages) MUSPI_RecFifoPoll(fifo, 3);
  spi_barrier();
  printf("rank %u: %u messages in %u packets: %u are wrong\n", place.rank, messages, packets, wrong);
  return wrong != 0;
}
