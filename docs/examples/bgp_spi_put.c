// SPDX-License-Identifier: Apache-2.0
//
// Every node puts 64 bytes into the memory of its X+ neighbour, by the machine's SPI.
#include <spi/bgp_SPI.h>
#include <stdio.h>

enum { GROUP = 0, BYTES = 64 };

static char ring[64 * DMA_FIFO_DESCRIPTOR_SIZE_IN_BYTES] ALIGN_L1D_CACHE;
static char source[BYTES] ALIGN_L1D_CACHE;
static char target[BYTES] ALIGN_L1D_CACHE;
static DMA_InjFifoGroup_t fifos;
static DMA_CounterGroup_t sent, received;

static int allocate(void) {
  int fifo = 0, subgroup = 0;
  unsigned short priority = 0, local = 0;
  unsigned char map = 0xEE;  // all torus FIFOs of normal priority
  return DMA_InjFifoGroupAllocate(GROUP, 1, &fifo, &priority, &local, &map, NULL, NULL, NULL, NULL, &fifos) == 0 &&
         DMA_InjFifoInitById(&fifos, fifo, ring, ring, ring + sizeof ring) == 0 &&
         DMA_CounterGroupAllocate(DMA_Type_Injection, GROUP, 1, &subgroup, 0, NULL, NULL, NULL, &sent) == 0 &&
         DMA_CounterGroupAllocate(DMA_Type_Reception, GROUP, 1, &subgroup, 0, NULL, NULL, NULL, &received) == 0;
}

int main(void) {
  _BGP_Personality_t node;
  if (Kernel_GetPersonality(&node, sizeof node) != 0 || !allocate()) return 1;
  const _BGP_Personality_Networks_t* const network = &node.Network_Config;
  snprintf(source, BYTES, "a message from node %u", network->Xcoord);

  (void)DMA_CounterSetValueBase(&sent.counter[0], 0, source);
  (void)DMA_CounterSetEnableById(&sent, 0);
  (void)DMA_CounterSetValueBaseMax(&received.counter[0], BYTES, target, target + BYTES - 1);
  (void)DMA_CounterSetEnableById(&received, 0);
  (void)GlobInt_Barrier(0, NULL, NULL);  // the neighbour's counter is set, too

  DMA_InjDescriptor_t descriptor;
  (void)DMA_TorusDirectPutDescriptor(&descriptor, (network->Xcoord + 1u) % network->Xnodes, network->Ycoord,
                                     network->Zcoord, 0, DMA_PACKET_VC_BN, GROUP, 0, 0, GROUP, 0, 0, BYTES);
  (void)DMA_CounterIncrementById(&sent, 0, BYTES);
  if (DMA_InjFifoInjectDescriptorById(&fifos, 0, &descriptor) != 1) return 1;

  while (DMA_CounterGetValueById(&sent, 0) != 0) {  // the source may be used again
  }
  while (!DMA_CounterGetHitZeroById(&received, 0)) {  // the message from the X- neighbour is here
  }
  printf("node %u: %s\n", network->Xcoord, target);
  return 0;
}
