// SPDX-License-Identifier: Apache-2.0
//
// Every node puts 64 bytes into the memory of its X+ neighbour, by the registers of the DMA alone.
#include <spi/bgp_SPI.h>
#include <stdio.h>

#include "drivers/bgp/dma.h"

enum { GROUP = 0, BYTES = 64, DESCRIPTORS = 64 };

static bgp_dma_descriptor_t ring[DESCRIPTORS];
static char source[BYTES] __attribute__((aligned(32)));
static char target[BYTES] __attribute__((aligned(32)));

/// The registers have physical addresses >> 4.
static uint32_t physical(void* address) {
  uint32_t upper = 0, lower = 0;
  (void)Kernel_Virtual2Physical(address, 1, &upper, &lower);
  return upper << 28 | lower >> 4;
}

/// The kernel gives out FIFOs and counters, and sets the FIFO's ring. What it notes in these structures is for the SPI.
static int allocate(void) {
  static uint32_t fifo_group[BGP_SPI_INJ_GROUP_BYTES / 4] __attribute__((aligned(32)));
  static uint32_t counter_groups[2][BGP_SPI_COUNTER_GROUP_BYTES / 4] __attribute__((aligned(32)));
  uint32_t fifo = 0, subgroup = 0;
  uint16_t priority = 0, local = 0;
  uint8_t map = 0xEE;  // all torus FIFOs of normal priority
  uint32_t* const start = (uint32_t*)ring;
  return Kernel_InjFifoGroupAllocate(GROUP, 1, &fifo, &priority, &local, &map, fifo_group) == 0 &&
         Kernel_InjFifoInitById(fifo_group, 0, start, start, (uint32_t*)(ring + DESCRIPTORS)) == 0 &&
         Kernel_CounterGroupAllocate(DMA_Type_Injection, GROUP, 1, &subgroup, 0, 0, NULL, 0, counter_groups[0]) == 0 &&
         Kernel_CounterGroupAllocate(DMA_Type_Reception, GROUP, 1, &subgroup, 0, 0, NULL, 0, counter_groups[1]) == 0;
}

int main(void) {
  _BGP_Personality_t node;
  if (Kernel_GetPersonality(&node, sizeof node) != 0 || !allocate()) return 1;
  const _BGP_Personality_Networks_t* const network = &node.Network_Config;
  snprintf(source, BYTES, "a message from node %u", network->Xcoord);

  // Injection counter 0 says where offsets of messages count from; reception counter 0 where messages go, up to which
  // address, and how many bytes are still to come.
  bgp_dma_counter_set_base(BGP_DMA_INJECTION, GROUP, 0, physical(source));
  bgp_dma_counter_enable(BGP_DMA_INJECTION, GROUP, 0);
  bgp_dma_counter_set_base(BGP_DMA_RECEPTION, GROUP, 0, physical(target));
  bgp_dma_counter_set_max(GROUP, 0, physical(target + BYTES - 1));
  bgp_dma_counter_set(BGP_DMA_RECEPTION, GROUP, 0, BYTES);
  bgp_dma_counter_enable(BGP_DMA_RECEPTION, GROUP, 0);
  bgp_access_order();
  (void)GlobInt_Barrier(0, NULL, NULL);  // the neighbour's counter is set, too

  // A descriptor: destination, counters, offsets from their bases (0 here), length.
  const bgp_dma_put_t put = {.x = (network->Xcoord + 1u) % network->Xnodes,
                             .y = network->Ycoord,
                             .z = network->Zcoord,
                             .vc = TORUS_VC_BUBBLE,
                             .bytes = BYTES};
  bgp_dma_descriptor_t descriptor;
  bgp_dma_put_descriptor(&descriptor, &put);
  bgp_dma_counter_add(BGP_DMA_INJECTION, GROUP, 0, BYTES);
  bgp_access_order();
  unsigned tail = 0;
  bgp_dma_inject(GROUP, 0, ring, physical(ring), DESCRIPTORS, &tail, &descriptor);

  while (!bgp_dma_counter_hit_zero(BGP_DMA_INJECTION, GROUP, 0)) {  // the source may be used again
  }
  while (!bgp_dma_counter_hit_zero(BGP_DMA_RECEPTION, GROUP, 0)) {  // the message from the X- neighbour is here
  }
  bgp_access_barrier();
  printf("node %u: %s\n", network->Xcoord, target);
  return 0;
}
