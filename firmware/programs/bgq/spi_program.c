/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "firmware/programs/bgq/spi_program.h"

#include <fcntl.h>
#include <spi/include/l2/barrier.h>
#include <spi/include/mu/GIBarrier.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kMostRanks = 4096, kRing = 64 * 64 };

static BG_CoordinateMapping_t map[kMostRanks];

void spi_expect(int error, const char* what) {
  if (error == 0) return;
  printf("%s: %s\n", what, strerror(error));
  exit(1);
}

spi_place_t spi_place(void) {
  spi_place_t place;
  uint64_t ranks = 0;
  spi_expect((int)Kernel_RanksToCoords(sizeof map, map, &ranks), "ranks to coordinates");
  place.rank = Kernel_GetRank();
  place.ranks = (uint32_t)ranks;
  place.process = Kernel_MyTcoord();
  place.processes = Kernel_ProcessCount();
  place.subgroup = spi_subgroup(&place, place.process);
  return place;
}

BG_CoordinateMapping_t spi_coordinates(uint32_t rank) {
  return map[rank];
}

uint32_t spi_subgroup(const spi_place_t* place, uint32_t process) {
  return process * (CONFIG_MAX_APP_THREADS / place->processes);
}

// [physical]
uint64_t spi_physical(const volatile void* at) {
  Kernel_MemoryRegion_t region;
  spi_expect((int)Kernel_CreateMemoryRegion(&region, (void*)at, 1), "memory region");
  return (uint64_t)((const volatile char*)at - (char*)region.BaseVa) + (uint64_t)region.BasePa;
}
// [end]

// [injection]
MUSPI_InjFifoSubGroup_t* spi_injection_fifos(const spi_place_t* place) {
  static MUSPI_InjFifoSubGroup_t fifos;
  static uint8_t memory[SPI_INJECTION_FIFOS][kRing] ALIGN_L1_CACHE;
  uint32_t ids[] = {SPI_SEND, SPI_REMOTE_GET};
  Kernel_InjFifoAttributes_t attributes[] = {{0, 0, 0}, {1, 0, 0}};
  Kernel_MemoryRegion_t region;
  spi_expect(Kernel_AllocateInjFifos(place->subgroup, &fifos, SPI_INJECTION_FIFOS, ids, attributes), "injection FIFOs");
  spi_expect((int)Kernel_CreateMemoryRegion(&region, memory, sizeof memory), "memory region");
  for (uint32_t i = 0; i < SPI_INJECTION_FIFOS; ++i)
    spi_expect(Kernel_InjFifoInit(&fifos, i, &region, (uint64_t)((char*)memory[i] - (char*)region.BaseVa),
                                  sizeof memory[i] - 1),
               "memory of an injection FIFO");
  spi_expect(Kernel_InjFifoActivate(&fifos, SPI_INJECTION_FIFOS, ids, KERNEL_INJ_FIFO_ACTIVATE), "start");
  return &fifos;
}
// [end]

// [reception]
MUSPI_RecFifo_t* spi_reception_fifo(const spi_place_t* place, void* memory, uint64_t bytes) {
  static MUSPI_RecFifoSubGroup_t fifos;
  uint32_t id = 0;
  Kernel_RecFifoAttributes_t attributes = {0};
  Kernel_MemoryRegion_t region;
  spi_expect(Kernel_AllocateRecFifos(place->subgroup, &fifos, 1, &id, &attributes), "reception FIFO");
  spi_expect((int)Kernel_CreateMemoryRegion(&region, memory, bytes), "memory region");
  spi_expect(Kernel_RecFifoInit(&fifos, 0, &region, (uint64_t)((char*)memory - (char*)region.BaseVa), bytes - 1),
             "memory of a reception FIFO");
  const uint32_t first = place->subgroup % BGQ_MU_NUM_FIFO_SUBGROUPS * BGQ_MU_NUM_REC_FIFOS_PER_SUBGROUP;
  spi_expect(Kernel_RecFifoEnable(place->subgroup / BGQ_MU_NUM_FIFO_SUBGROUPS, 0x8000u >> first), "start");
  return MUSPI_IdToRecFifo(0, &fifos);
}
// [end]

MUSPI_BaseAddressTableSubGroup_t* spi_base_addresses(const spi_place_t* place) {
  static MUSPI_BaseAddressTableSubGroup_t bases;
  uint32_t ids[SPI_BASES];
  for (uint32_t i = 0; i < SPI_BASES; ++i) ids[i] = i;
  spi_expect(Kernel_AllocateBaseAddressTable(place->subgroup, &bases, SPI_BASES, ids, 0), "base addresses");
  return &bases;
}

void spi_way(MUSPI_BaseDescriptorInfoFields_t* base, MUSPI_Pt2PtDescriptorInfoFields_t* pt2pt, uint32_t to) {
  const BG_CoordinateMapping_t there = map[to], here = map[Kernel_GetRank()];
  const int is_local =
      there.a == here.a && there.b == here.b && there.c == here.c && there.d == here.d && there.e == here.e;
  memset(base, 0, sizeof *base);
  memset(pt2pt, 0, sizeof *pt2pt);
  base->Torus_FIFO_Map = MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_LOCAL0;
  if (!is_local) base->Torus_FIFO_Map = 0xFFC0; /* any of the ten */
  MUSPI_SetUpDestination(&base->Dest, there.a, there.b, there.c, there.d, there.e);
  pt2pt->Misc2 = MUHWI_PACKET_VIRTUAL_CHANNEL_DETERMINISTIC;
  pt2pt->Skip = 8; /* the header */
}

void spi_describe_message(MUHWI_Descriptor_t* descriptor, const spi_place_t* place, uint32_t to, uint64_t payload,
                          uint64_t length) {
  MUSPI_Pt2PtMemoryFIFODescriptorInfo_t info;
  memset(&info, 0, sizeof info);
  spi_way(&info.Base, &info.Pt2Pt, to);
  info.Base.Payload_Address = payload;
  info.Base.Message_Length = length;
  info.MemFIFO.Rec_FIFO_Id = (uint16_t)(spi_subgroup(place, map[to].t) * BGQ_MU_NUM_REC_FIFOS_PER_SUBGROUP);
  MUSPI_CreatePt2PtMemoryFIFODescriptor(descriptor, &info);
}

void spi_describe_put(MUHWI_Descriptor_t* descriptor, const spi_place_t* place, uint32_t to, uint64_t payload,
                      uint64_t length, uint32_t target, uint64_t offset, uint32_t counter) {
  const uint32_t slots = spi_subgroup(place, map[to].t) * BGQ_MU_NUM_DATA_COUNTERS_PER_SUBGROUP;
  MUSPI_Pt2PtDirectPutDescriptorInfo_t info;
  memset(&info, 0, sizeof info);
  spi_way(&info.Base, &info.Pt2Pt, to);
  info.Base.Payload_Address = payload;
  info.Base.Message_Length = length;
  info.DirectPut.Rec_Payload_Base_Address_Id = (uint16_t)(slots + target);
  info.DirectPut.Rec_Payload_Offset = offset;
  info.DirectPut.Rec_Counter_Base_Address_Id = (uint16_t)(slots + counter);
  MUSPI_CreatePt2PtDirectPutDescriptor(descriptor, &info);
}

void spi_describe_get(MUHWI_Descriptor_t* descriptor, const spi_place_t* place, uint32_t to, uint64_t payload,
                      uint64_t length) {
  MUSPI_Pt2PtRemoteGetDescriptorInfo_t info;
  memset(&info, 0, sizeof info);
  spi_way(&info.Base, &info.Pt2Pt, to);
  info.Base.Payload_Address = payload;
  info.Base.Message_Length = length;
  info.RemoteGet.Type = MUHWI_PACKET_TYPE_GET;
  info.RemoteGet.Rget_Inj_FIFO_Id =
      (uint16_t)(spi_subgroup(place, map[to].t) * BGQ_MU_NUM_INJ_FIFOS_PER_SUBGROUP + SPI_REMOTE_GET);
  MUSPI_CreatePt2PtRemoteGetDescriptor(descriptor, &info);
}

uint64_t spi_inject(MUSPI_InjFifoSubGroup_t* fifos, MUHWI_Descriptor_t* descriptor) {
  uint64_t number;
  do {
    number = MUSPI_InjFifoInject(MUSPI_IdToInjFifo(SPI_SEND, fifos), descriptor);
  } while (number == (uint64_t)-1);
  return number;
}

void spi_wait_sent(MUSPI_InjFifoSubGroup_t* fifos, uint64_t number) {
  while (!MUSPI_CheckDescComplete(MUSPI_IdToInjFifo(SPI_SEND, fifos), number)) continue;
}

/* Shared by the processes of a node; new memory is 0. */
static L2_Barrier_t* node_barrier(void) {
  const int file = shm_open("/spi_barrier", O_RDWR | O_CREAT, 0600);
  L2_Barrier_t* shared;
  if (file < 0 || ftruncate(file, 4096) != 0) spi_expect(errno, "shared memory");
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) spi_expect(errno, "shared memory");
  spi_expect((int)Kernel_L2AtomicsAllocate(shared, 4096), "L2 atomics");
  return shared;
}

// [barrier]
void spi_barrier(void) {
  static L2_Barrier_t* node;
  static MUSPI_GIBarrier_t nodes;
  const int processes = (int)Kernel_ProcessCount();
  if (node == NULL) {
    node = node_barrier();
    MUSPI_GIBarrierInit(&nodes, 0);
  }
  ppc_msync();
  L2_Barrier(node, processes);
  if (Kernel_MyTcoord() == 0) MUSPI_GIBarrierEnterAndWait(&nodes);
  L2_Barrier(node, processes);
}
// [end]
