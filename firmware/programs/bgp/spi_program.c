// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/bgp/spi_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DESCRIPTORS 256

enum { kBarrierId = 40 };  // of 1,024 lockbox counters; those after it are the barrier's, too

void spi_expect(int error, const char* what) {
  if (error == 0) return;
  printf("%s: %s\n", what, strerror(error));
  exit(1);
}

spi_place_t spi_place(void) {
  _BGP_Personality_t node;
  spi_place_t place;
  spi_expect(Kernel_GetPersonality(&node, sizeof node), "personality");
  place.process = (uint32_t)(Kernel_PhysicalProcessorID() / Kernel_ProcessorCount());
  spi_expect(Kernel_Coord2Rank(node.Network_Config.Xcoord, node.Network_Config.Ycoord, node.Network_Config.Zcoord,
                               place.process, &place.rank, &place.ranks),
             "rank");
  return place;
}

spi_coordinates_t spi_coordinates(uint32_t rank) {
  spi_coordinates_t of, own;
  spi_expect(Kernel_Rank2Coord(rank, &of.x, &of.y, &of.z, &of.t), "coordinates of a rank");
  spi_expect(Kernel_Rank2Coord(spi_place().rank, &own.x, &own.y, &own.z, &own.t), "own coordinates");
  of.hints = of.x == own.x && of.y == own.y && of.z == own.z ? DMA_PACKET_HINT_XP : 0;
  return of;
}

DMA_InjFifoGroup_t* spi_injection_fifos(const spi_place_t* place) {
  static DMA_InjFifoGroup_t fifos;
  static uint8_t memory[3][DESCRIPTORS * DMA_FIFO_DESCRIPTOR_SIZE_IN_BYTES] ALIGN_L1D_CACHE;
  // [fifos]
  int ids[3] = {0, 1, 2};
  unsigned short priorities[3] = {0, 0, 0};
  unsigned short locals[3] = {0, 1, 0};
  unsigned char maps[3] = {0x80, 0, 0xEE};
  spi_expect(
      DMA_InjFifoGroupAllocate((int)place->process, 3, ids, priorities, locals, maps, NULL, NULL, NULL, NULL, &fifos),
      "injection FIFOs");
  for (int i = 0; i < 3; i++)
    spi_expect(DMA_InjFifoInitById(&fifos, i, memory[i], memory[i], memory[i] + sizeof memory[i]),
               "memory of an injection FIFO");
  // [end]
  return &fifos;
}

DMA_CounterGroup_t* spi_counters(const spi_place_t* place, DMA_Type_t type) {
  static DMA_CounterGroup_t counters[2];
  int subgroup = 0;
  spi_expect(DMA_CounterGroupAllocate(type, (int)place->process, 1, &subgroup, 0, NULL, NULL, NULL, &counters[type]),
             "counters");
  return &counters[type];
}

void spi_barrier(void) {
  static LockBox_Barrier_t of_node;
  const int processes = Kernel_ProcessCount();
  if (processes > 1 && of_node.numcores == 0)
    spi_expect(LockBox_AllocateBarrier(kBarrierId, &of_node, 0, (uint32_t)processes, LOCKBOX_ORDERED_ALLOC),
               "barrier of the node");
  if (processes > 1) (void)LockBox_Barrier(&of_node);
  if (Kernel_PhysicalProcessorID() == 0) (void)GlobInt_Barrier(0, NULL, NULL);
  if (processes > 1) (void)LockBox_Barrier(&of_node);
}
