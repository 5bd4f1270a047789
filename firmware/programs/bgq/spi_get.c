/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote gets by the SPI: rank r sends descriptors of puts to rank r + 1, which carries them out: the data come back to
 * rank r, with its base addresses and its counter. Several at a time, and more than the FIFO there has room for; and a
 * counter of rank r + 1 that all draw numbers from.
 *
 *     ./toroid run --machine bgq --shape 2x2x1x1x1 --ranks-per-node 16 spi_get
 */
#include "firmware/programs/bgq/spi_program.h"

enum { kMost = 8000, kPieces = 8, kTarget = 0, kCounter = 1, kDraws = 5 };

static uint8_t source[kMost] ALIGN_L2_CACHE; /* at the same place in all processes: their segments are alike */
static uint8_t target[kMost] ALIGN_L2_CACHE;
static volatile uint64_t counter ALIGN_L2_CACHE;
static volatile uint64_t tickets ALIGN_L2_CACHE;
static volatile uint64_t addresses[2] ALIGN_L2_CACHE; /* of source and tickets of the rank behind */

static spi_place_t place;
static MUSPI_InjFifoSubGroup_t* fifos;
static unsigned gets, wrong;

static uint8_t pattern(uint32_t rank, uint32_t i) {
  return (uint8_t)(rank * 41 + i * 5 + (i >> 8));
}

/* Gets `bytes` bytes of the rank behind in `count` pieces, by `count` descriptors in one message. */
static void get(uint32_t behind, uint32_t bytes, unsigned count) {
  static MUHWI_Descriptor_t puts[kPieces];
  const uint32_t piece = bytes / count;
  MUHWI_Descriptor_t descriptor;
  memset(target, 0, sizeof target);
  counter = piece * count;
  // [get]
  for (unsigned i = 0; i < count; ++i) {
    /* As the rank behind will send it: from its memory to here, over the links to here. */
    spi_describe_put(&puts[i], &place, place.rank, addresses[0] + i * piece, piece, kTarget, i * piece, kCounter);
    MUSPI_BaseDescriptorInfoFields_t base;
    MUSPI_Pt2PtDescriptorInfoFields_t pt2pt;
    spi_way(&base, &pt2pt, behind);
    MUSPI_SetTorusInjectionFIFOMap(&puts[i], base.Torus_FIFO_Map);
  }
  spi_describe_get(&descriptor, &place, behind, spi_physical(puts), count * sizeof puts[0]);
  spi_wait_sent(fifos, spi_inject(fifos, &descriptor));
  while (counter != 0) continue;
  ppc_msync();
  // [end]
  for (uint32_t i = 0; i < kMost; ++i) wrong += target[i] != (i < piece * count ? pattern(behind, i) : 0);
  ++gets;
}

/* Numbers of the rank behind's counter, one a get: its payload is an operation on memory there. */
static void draw(uint32_t behind) {
  static MUHWI_Descriptor_t put;
  MUHWI_Descriptor_t descriptor;
  memset(target, 0, sizeof target);
  counter = kDraws * 8;
  spi_describe_put(&put, &place, place.rank, addresses[1], 8, kTarget, 0, kCounter);
  MUSPI_BaseDescriptorInfoFields_t base;
  MUSPI_Pt2PtDescriptorInfoFields_t pt2pt;
  spi_way(&base, &pt2pt, behind);
  MUSPI_SetTorusInjectionFIFOMap(&put, base.Torus_FIFO_Map);
  spi_describe_get(&descriptor, &place, behind, spi_physical(&put), sizeof put);
  for (unsigned i = 0; i < kDraws; ++i) {
    MUSPI_SetRecPayloadBaseAddressInfo(
        &put, put.PacketHeader.messageUnitHeader.Packet_Types.Direct_Put.Rec_Payload_Base_Address_Id, 8 * i);
    spi_wait_sent(fifos, spi_inject(fifos, &descriptor));
    while (counter != (kDraws - 1 - i) * 8) continue;
  }
  ppc_msync();
  for (uint64_t i = 0; i < kDraws; ++i) wrong += ((uint64_t*)(void*)target)[i] != i;
}

int main(void) {
  place = spi_place();
  const uint32_t behind = (place.rank + 1) % place.ranks, before = (place.rank + place.ranks - 1) % place.ranks;
  fifos = spi_injection_fifos(&place);
  MUSPI_BaseAddressTableSubGroup_t* bases = spi_base_addresses(&place);
  MUSPI_SetBaseAddress(bases, kCounter,
                       MUSPI_GetAtomicAddress(spi_physical(&counter), MUHWI_ATOMIC_OPCODE_STORE_ADD_COHERENCE_ON_ZERO));
  for (uint32_t i = 0; i < kMost; ++i) source[i] = pattern(place.rank, i);

  /* Ranks tell the one before them where their memory is: a put of two words. */
  static uint64_t mine[2];
  MUHWI_Descriptor_t descriptor;
  mine[0] = spi_physical(source);
  mine[1] = MUSPI_GetAtomicAddress(spi_physical(&tickets), MUHWI_ATOMIC_OPCODE_LOAD_INCREMENT);
  MUSPI_SetBaseAddress(bases, kTarget, spi_physical(addresses));
  counter = sizeof mine;
  spi_barrier();
  spi_describe_put(&descriptor, &place, before, spi_physical(mine), sizeof mine, kTarget, 0, kCounter);
  spi_inject(fifos, &descriptor);
  while (counter != 0) continue;
  ppc_msync();
  MUSPI_SetBaseAddress(bases, kTarget, spi_physical(target));

  spi_barrier();
  for (unsigned count = 1; count <= kPieces; ++count) get(behind, kMost, count);
  for (uint32_t bytes = 1; bytes < 600; bytes += 97) get(behind, bytes, 1);
  draw(behind);
  spi_barrier();
  printf("rank %u: %u gets from rank %u, and %u numbers: %u are wrong\n", place.rank, gets, behind, (unsigned)kDraws,
         wrong);
  return wrong != 0;
}
