/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages that leave a copy at each node they pass, by the SPI: every node sends to the farthest node along the ring
 * of A, and all on the way find the message in their reception FIFOs. Their rings are small and nobody reads them until
 * all has been sent, so that packets wait in the network for room.
 *
 *     ./toroid run --machine bgq --shape 4x2x1x1x1 spi_deposit
 */
#include <spi/include/mu/RecFifo.h>

#include "firmware/programs/bgq/spi_program.h"

enum { kFunction = 5, kRing = 2048, kBytes = 500, kMessages = 6, kMostNodes = 64 };

static uint8_t packets_memory[kRing] ALIGN_L1_CACHE;
static uint8_t payload[kMessages][kBytes] ALIGN_L1_CACHE;

static spi_place_t place;
static unsigned copies, wrong;
static unsigned next_of[kMostNodes]; /* the message that a node's next one is */

static uint8_t pattern(uint32_t rank, unsigned message, uint32_t i) {
  return (uint8_t)(rank * 17 + message * 31 + i * 7);
}

static int receive(void* parameter, MUHWI_PacketHeader_t* packet, uint32_t packet_bytes) {
  const uint8_t* const own = packet->messageUnitHeader.Packet_Types.Memory_FIFO.Unused2;
  const uint8_t* const bytes = (const uint8_t*)(packet + 1);
  const uint32_t from = own[1];
  (void)parameter;
  wrong += from >= kMostNodes || own[2] != next_of[from]++ || packet_bytes < sizeof *packet + kBytes;
  for (uint32_t i = 0; i < kBytes; ++i) wrong += bytes[i] != pattern(from, own[2], i);
  ++copies;
  return 0;
}

/* The rank of the node `steps` further along A. */
static uint32_t along_a(uint32_t steps, uint32_t nodes) {
  const BG_CoordinateMapping_t here = spi_coordinates(place.rank);
  for (uint32_t rank = 0; rank < place.ranks; ++rank) {
    const BG_CoordinateMapping_t there = spi_coordinates(rank);
    if (there.a == (here.a + steps) % nodes && there.b == here.b && there.c == here.c && there.d == here.d &&
        there.e == here.e)
      return rank;
  }
  return place.rank;
}

int main(void) {
  place = spi_place();
  uint32_t nodes = 0;
  for (uint32_t rank = 0; rank < place.ranks; ++rank) {
    if (spi_coordinates(rank).a >= nodes) nodes = spi_coordinates(rank).a + 1u;
  }
  const uint32_t steps = nodes / 2; /* by either way: the farthest there is */
  MUSPI_InjFifoSubGroup_t* fifos = spi_injection_fifos(&place);
  MUSPI_RecFifo_t* fifo = spi_reception_fifo(&place, packets_memory, kRing);
  MUSPI_RegisterRecvFunction(receive, NULL, kFunction);
  spi_barrier();

  uint64_t number = 0;
  for (unsigned message = 0; message < kMessages; ++message) {
    MUHWI_Descriptor_t descriptor;
    for (uint32_t i = 0; i < kBytes; ++i) payload[message][i] = pattern(place.rank, message, i);
    spi_describe_message(&descriptor, &place, along_a(steps, nodes), spi_physical(payload[message]), kBytes);
    // [deposit]
    MUSPI_SetDeposit(&descriptor, MUHWI_PACKET_DEPOSIT);
    MUSPI_SetTorusInjectionFIFOMap(&descriptor, MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_AP);
    MUSPI_SetHintsABCD(&descriptor, MUHWI_PACKET_HINT_AP);
    // [end]
    MUSPI_SetSoftwareByte(&descriptor, 0, kFunction);
    MUSPI_SetSoftwareByte(&descriptor, 1, (uint8_t)place.rank);
    MUSPI_SetSoftwareByte(&descriptor, 2, (uint8_t)message);
    number = spi_inject(fifos, &descriptor);
  }
  DelayTimeBase(100000);
  while (copies < steps * kMessages) MUSPI_RecFifoPoll(fifo, 1);
  spi_wait_sent(fifos, number);
  spi_barrier();
  wrong += MUSPI_RecFifoPoll(fifo, 1) != 0;
  printf("rank %u: %u copies of messages over %u nodes: %u are wrong\n", place.rank, copies, (unsigned)steps, wrong);
  return wrong != 0;
}
