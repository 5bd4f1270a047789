/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header reception FIFO of a group of which the map names one FIFO: a local put of 1,000 bytes whose headers are
 * saved, and what polling finds.
 */
#include <spi/bgp_SPI.h>
#include <stdio.h>
#include <string.h>

enum { kBytes = 1000 };

static char from[kBytes] ALIGN_L1D_CACHE, to[kBytes] ALIGN_L1D_CACHE;
static char descriptors[8192] ALIGN_L1D_CACHE, packets[65536] ALIGN_L1D_CACHE, headers[16384] ALIGN_L1D_CACHE;
static int called;

static int on_header(DMA_RecFifo_t* fifo, DMA_PacketHeader_t* header, void* parameter, char* payload, int bytes) {
  (void)fifo, (void)header, (void)parameter, (void)payload, (void)bytes;
  ++called;
  return 0;
}

int main(void) {
  static DMA_InjFifoGroup_t injection;
  static DMA_CounterGroup_t sent, received;
  int id = 0, subgroup = 0;
  unsigned short priority = 0, local = 1;
  unsigned char map = 0;
  DMA_RecFifoMap_t reception;
  DMA_InjDescriptor_t put;
  int failed = DMA_InjFifoGroupAllocate(0, 1, &id, &priority, &local, &map, 0, 0, 0, 0, &injection);
  failed |= DMA_InjFifoInitById(&injection, 0, descriptors, descriptors, descriptors + sizeof descriptors);
  failed |= DMA_CounterGroupAllocate(DMA_Type_Injection, 0, 1, &subgroup, 0, 0, 0, 0, &sent);
  failed |= DMA_CounterGroupAllocate(DMA_Type_Reception, 0, 1, &subgroup, 0, 0, 0, 0, &received);
  memset(&reception, 0, sizeof reception);
  reception.save_headers = 1;
  failed |= DMA_RecFifoSetMap(&reception);
  DMA_RecFifoGroup_t* const group = DMA_RecFifoGetFifoGroup(0, 0, 0, 0, 0, 0, 0);
  failed |= DMA_RecFifoInitById(group, 0, packets, packets, packets + sizeof packets);
  failed |= DMA_RecFifoInitById(group, DMA_HEADER_REC_FIFO_ID, headers, headers, headers + sizeof headers);
  DMA_RecFifoRegisterRecvFunction(on_header, NULL, 0, 1);
  DMA_CounterSetValueBase(&sent.counter[0], kBytes, from);
  DMA_CounterSetEnableById(&sent, 0);
  DMA_CounterSetValueBaseMax(&received.counter[0], kBytes, to, to + kBytes - 1);
  DMA_CounterSetEnableById(&received, 0);
  DMA_LocalDirectPutDescriptor(&put, 0, 0, 0, 0, 0, 0, kBytes);
  DMA_InjFifoInjectDescriptorById(&injection, 0, &put);
  while (!DMA_CounterGetHitZeroById(&received, 0)) {
  }
  const int polled = DMA_RecFifoPollHeaderFifo(100, 1, 0, group);
  printf("%d normal, %d header: failed %d, polled %d, called %d\n", group->num_normal_fifos, group->num_hdr_fifos,
         failed, polled, called);
  return 0;
}
