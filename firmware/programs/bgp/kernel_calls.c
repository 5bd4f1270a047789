// SPDX-License-Identifier: Apache-2.0
//
// The kernel's calls, one after another: what they answer, and which error they give. Says how many were asked, and
// names each answer that is not the expected one.
#define _GNU_SOURCE  // MAP_FIXED_NOREPLACE
#include <stdio.h>
#include <sys/mman.h>

#include "firmware/programs/bgp/spi_program.h"

#define TREE_DCRS 0xC00

static unsigned asked, wrong;

static void check(int good, const char* what, long answer) {
  asked++;
  if (good) return;
  wrong++;
  printf("%s: unexpected answer %ld\n", what, answer);
}
#define EXPECT(call, expected)                          \
  do {                                                  \
    const long answer_ = (long)(call);                  \
    check(answer_ == (long)(expected), #call, answer_); \
  } while (0)

static void of_node_and_ranks(const spi_place_t* place) {
  _BGP_Personality_t node;
  EXPECT(Kernel_GetPersonality(&node, sizeof node), 0);
  EXPECT(node.Version, _BGP_PERSONALITY_VERSION);
  EXPECT(node.PersonalitySizeWords, sizeof node / 4);
  EXPECT(Kernel_GetPersonality(NULL, sizeof node), EFAULT);
  const uint32_t config = node.Kernel_Config.ProcessConfig;
  const int processes = Kernel_ProcessCount(), cores = Kernel_ProcessorCount();
  EXPECT(config, processes == 1   ? _BGP_PERS_PROCESSCONFIG_SMP
                 : processes == 2 ? _BGP_PERS_PROCESSCONFIG_2x2
                                  : _BGP_PERS_PROCESSCONFIG_VNM);
  EXPECT(processes * cores, 4);
  const _BGP_SprgShMem counts = {.shmem = _bgp_mfspr(_BGP_SPRGRO_SHMem)};
  const _BGP_SprgDST2 here = {.dst2 = _bgp_mfspr(_BGP_SPRGRO_DST2)};
  EXPECT(counts.ShmNumProcs + 1, processes);
  EXPECT(counts.ShmNumCores + 1, cores);
  EXPECT(here.CoreID, Kernel_PhysicalProcessorID());
  EXPECT(place->ranks, (unsigned)node.Network_Config.Xnodes * node.Network_Config.Ynodes * node.Network_Config.Znodes *
                           (unsigned)processes);

  uint32_t x, y, z, t, rank, ranks;
  kernel_coords_t all[8];
  EXPECT(Kernel_Rank2Coord(place->rank, &x, &y, &z, &t), 0);
  EXPECT(x, node.Network_Config.Xcoord);
  EXPECT(y, node.Network_Config.Ycoord);
  EXPECT(z, node.Network_Config.Zcoord);
  EXPECT(t, place->process);
  EXPECT(Kernel_Rank2Coord(place->ranks, &x, &y, &z, &t) != 0, 1);
  EXPECT(Kernel_Coord2Rank(node.Network_Config.Xnodes, y, z, t, &rank, &ranks) != 0, 1);
  EXPECT(Kernel_Ranks2Coords(all, 8), 0);
  for (uint32_t i = 0; i < 8 && i < place->ranks; i++) {
    EXPECT(Kernel_Rank2Coord(i, &x, &y, &z, &t), 0);
    EXPECT(x << 24 | y << 16 | z << 8 | t, (uint32_t)all[i].x << 24 | all[i].y << 16 | all[i].z << 8 | all[i].t);
  }
  if (place->ranks < 8) EXPECT(all[7].x & all[7].y & all[7].z & all[7].t, 0xFF);
}

static int on_heap[4];

static void of_memory(void) {
  uint32_t count, upper, lower, bytes = 0;
  int on_stack = 0;
  EXPECT(Kernel_GetAppSegmentCount(&count), 0);
  EXPECT(count >= 2 && count <= 4, 1);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t va, length;
    uint64_t pa;
    EXPECT(Kernel_GetAppSegmentMapping(i, (uint32_t)Kernel_PhysicalProcessorID(), &va, &pa, &length), 0);
    EXPECT(pa & 0xF, 0);
    if (length == 0) continue;  // no shared memory
    EXPECT(Kernel_Virtual2Physical((void*)va, 1, &upper, &lower), 0);
    EXPECT(((uint64_t)upper << 32 | lower) == pa, 1);
    bytes += length;
  }
  EXPECT(Kernel_Virtual2Physical(on_heap, sizeof on_heap, &upper, &lower), 0);
  EXPECT(Kernel_Virtual2Physical(&on_stack, sizeof on_stack, &upper, &lower), 0);
  EXPECT(Kernel_Virtual2Physical(&on_stack, 0, &upper, &lower), -4);
  EXPECT(Kernel_Virtual2Physical((void*)BGP_VA_DMA, 4, &upper, &lower) < 0, 1);
  EXPECT(bytes > 1u << 20, 1);

  uint32_t heap, most, available, stack, below;
  EXPECT(Kernel_GetMemorySize(KERNEL_MEMSIZE_HEAP, &heap), 0);
  EXPECT(Kernel_GetMemorySize(KERNEL_MEMSIZE_HEAPMAX, &most), 0);
  EXPECT(Kernel_GetMemorySize(KERNEL_MEMSIZE_HEAPAVAIL, &available), 0);
  EXPECT(heap + available == most && available > 1u << 20, 1);
  EXPECT(Kernel_GetMemorySize(KERNEL_MEMSIZE_STACK, &stack), 0);
  EXPECT(Kernel_GetMemorySize(KERNEL_MEMSIZE_STACKAVAIL, &below), 0);
  EXPECT(below > stack / 2 && below < stack, 1);
  EXPECT(Kernel_GetMemorySize((enum KERNEL_MEMSIZETYPE)1, &stack), EINVAL);
  EXPECT(Kernel_GetMemorySize(KERNEL_MEMSIZE_STACK, (uint32_t*)BGP_VA_DMA), EFAULT);
}

// As programs place a segment at the same address on all nodes: a large range is found, given back, and mapped in part.
static void of_fixed_mappings(void) {
  enum { SIZE = 8 << 20, PART = 1 << 20 };
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  char* range = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
  EXPECT(range != MAP_FAILED, 1);
  EXPECT(munmap(range, SIZE), 0);
  char* part = range + 2 * PART;
  EXPECT(mmap(part, PART, PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0), part);
  part[PART - 1] = 1;
  EXPECT(mmap(part, PART, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, -1, 0), MAP_FAILED);
  EXPECT(mmap(part, PART, PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0), part);
  EXPECT(part[PART - 1], 0);
  EXPECT(mmap((void*)BGP_VA_DMA, PART, PROT_READ, flags | MAP_FIXED, -1, 0), MAP_FAILED);
  EXPECT(munmap(part, PART), 0);
}

static void of_counters(const spi_place_t* place) {
  static DMA_CounterGroup_t group;
  int free_before, free_after, subgroups[8], taken[2] = {2, 5}, none = 8;
  for (int type = 0; type < 2; type++) {
    const int of = (int)place->process;
    EXPECT(DMA_CounterGroupQueryFree((DMA_Type_t)type, of, &free_before, subgroups), 0);
    EXPECT(DMA_CounterGroupAllocate((DMA_Type_t)type, of, 2, taken, 0, NULL, NULL, NULL, &group), 0);
    EXPECT(group.group_id, of);
    EXPECT(group.type, type);
    EXPECT(group.permissions[0], 0x0000FF00);  // counters 16 to 23
    EXPECT(group.permissions[1], 0x00FF0000);  // and 40 to 47
    EXPECT(group.grp_permissions, (_BN(2) | _BN(5)) >> 8 * of);
    EXPECT(DMA_CounterGetEnabled(&group, 0) | DMA_CounterGetEnabled(&group, 1), 0);
    EXPECT(DMA_CounterGetValueById(&group, 16), 0);
    EXPECT(DMA_CounterGroupAllocate((DMA_Type_t)type, of, 1, taken, 0, NULL, NULL, NULL, &group), EBUSY);
    EXPECT(DMA_CounterGroupAllocate((DMA_Type_t)type, of, 1, &none, 0, NULL, NULL, NULL, &group), EINVAL);
    EXPECT(DMA_CounterGroupAllocate((DMA_Type_t)type, 4, 1, taken, 0, NULL, NULL, NULL, &group), EINVAL);
    EXPECT(DMA_CounterGroupQueryFree((DMA_Type_t)type, of, &free_after, subgroups), 0);
    EXPECT(free_before - free_after, 2);
    DMA_CounterSetEnableById(&group, 17);
    EXPECT(DMA_CounterGetEnabled(&group, 0), _BN(17));
    DMA_CounterSetValueById(&group, 17, 1000);
    DMA_CounterIncrementById(&group, 17, 5);
    DMA_CounterDecrementById(&group, 17, 4);
    EXPECT(DMA_CounterGetValueById(&group, 17), 1001);
    DMA_CounterSetDisableById(&group, 17);
    EXPECT(DMA_CounterGetEnabledById(&group, 17), 0);
    EXPECT(DMA_CounterGroupFree(of, 2, taken, &group), 0);
    EXPECT(DMA_CounterGroupQueryFree((DMA_Type_t)type, of, &free_after, subgroups), 0);
    EXPECT(free_after, free_before);
  }
}

static void of_fifos(const spi_place_t* place) {
  static DMA_InjFifoGroup_t group;
  static uint8_t memory[2048] ALIGN_L1D_CACHE;
  int ids[2] = {3, 30}, free_before, free_after, numbers[32];
  unsigned short priorities[2] = {0, 1}, locals[2] = {0, 1};
  unsigned char maps[2] = {0x80, 0x00}, bad[2] = {0x80, 0x80};
  const int of = (int)place->process;
  EXPECT(DMA_InjFifoGroupQueryFree(of, &free_before, numbers), 0);
  EXPECT(DMA_InjFifoGroupAllocate(of, 2, ids, priorities, locals, bad, NULL, NULL, NULL, NULL, &group), EINVAL);
  // The form with a barrier function.
  EXPECT(DMA_InjFifoGroupAllocate(of, 2, ids, priorities, locals, maps, NULL, NULL, NULL, NULL, NULL, &group), 0);
  EXPECT(DMA_InjFifoGroupAllocate(of, 1, ids, priorities, locals, maps, NULL, NULL, NULL, NULL, &group), EBUSY);
  EXPECT(group.permissions, _BN(3) | _BN(30));
  EXPECT(group.fifos[30].local << 8 | group.fifos[30].priority, 0x101);
  EXPECT(DMA_InjFifoGroupQueryFree(of, &free_after, numbers), 0);
  EXPECT(free_before - free_after, 2);
  EXPECT(DMA_InjFifoInitById(&group, 3, memory, memory, memory + sizeof memory), 0);
  EXPECT(DMA_InjFifoGetSizeById(&group, 3), sizeof memory / 16);
  EXPECT(DMA_InjFifoGetFreeSpaceById(&group, 3, 1, 1), sizeof memory / 16);
  EXPECT(DMA_InjFifoGetHeadById(&group, 3) == memory, 1);
  EXPECT(DMA_InjFifoGetActivatedById(&group, 3) != 0, 1);
  EXPECT(DMA_InjFifoGetNotEmptyById(&group, 3), 0);
  DMA_InjFifoSetDeactivateById(&group, 3);
  EXPECT(DMA_InjFifoGetActivatedById(&group, 3), 0);
  EXPECT(DMA_InjFifoGroupFree(of, 2, ids, &group), 0);
}

static void of_lockbox(const spi_place_t* place) {
  LockBox_Mutex_t mutex;
  const uint32_t id = 100 + 8 * place->process;
  EXPECT(LockBox_AllocateMutex(id, &mutex, (uint32_t)Kernel_PhysicalProcessorID(), 1, 0), 0);
  EXPECT(LockBox_AllocateMutex(id, &mutex, (uint32_t)Kernel_PhysicalProcessorID(), 5, 0), EINVAL);
  EXPECT(LockBox_AllocateMutex(1024, &mutex, (uint32_t)Kernel_PhysicalProcessorID(), 1, 0), EINVAL);
  EXPECT(LockBox_MutexTryLock(mutex), 0);
  EXPECT(LockBox_MutexTryLock(mutex), EBUSY);
  EXPECT(LockBox_Query(mutex), 2);
  EXPECT(LockBox_FetchAndDec(mutex), 2);
  EXPECT(LockBox_MutexUnlock(mutex), 0);
  EXPECT(LockBox_Query(mutex), 0);
}

/// As the tree's control registers hold them, two classes a register.
static void of_tree(void) {
  _BGP_Personality_t node;
  EXPECT(Kernel_GetPersonality(&node, sizeof node), 0);
  for (uint32_t i = 0; i < 8; i++) {
    uint32_t classes;
    EXPECT(Kernel_ReadDCR(TREE_DCRS + i, &classes), 0);
    EXPECT((uint32_t)node.Network_Config.TreeRoutes[2 * i] << 16 | node.Network_Config.TreeRoutes[2 * i + 1], classes);
  }
  EXPECT(node.Network_Config.TreeRoutes[TOROID_TREE_CLASS_BROADCAST] != 0, 1);
}

static volatile uint32_t written[4];  ///< by process of the node, through a window

/// Memory of the node's other processes.
static void of_neighbours(const spi_place_t* place) {
  const uint32_t processes = (uint32_t)Kernel_ProcessCount(), cores = (uint32_t)Kernel_ProcessorCount();
  int first, last;
  EXPECT(Kernel_GetProcessWindowSlotRange(&first, &last), 0);
  EXPECT((uint32_t)(last - first + 1) >= processes - 1, 1);
  uint32_t address, length;
  uint64_t physical;
  size_t bytes;
  EXPECT(Kernel_GetAppSegmentMapping(1, 4, &address, &physical, &length), EINVAL);
  EXPECT(Kernel_GetProcessWindow(first, &address, &physical, &bytes), EINVAL);
  EXPECT(Kernel_SetProcessWindow(last + 1, 0, 1, 3, &address, &physical, &bytes), EINVAL);
  EXPECT(Kernel_SetProcessWindow(first, 1ull << 40, 1, 3, &address, &physical, &bytes), EINVAL);
  if (processes == 1) EXPECT(Kernel_SetProcessWindow(first, 0, 1, 3, &address, &physical, &bytes), EINVAL);
  for (uint32_t process = 0; process < processes; process++) {
    if (process == place->process) continue;
    uint32_t data, seen;
    uint64_t own, theirs, again;
    EXPECT(Kernel_GetAppSegmentMapping(1, place->process * cores, &data, &own, &length), 0);
    EXPECT(Kernel_GetAppSegmentMapping(1, process * cores + cores - 1, &data, &theirs, &length), 0);
    EXPECT(own != theirs, 1);
    const uint64_t there = theirs + ((uint32_t)written - data);
    const int slot = first + (int)((process + processes - place->process) % processes);
    EXPECT(Kernel_SetProcessWindow(slot, there, sizeof written, 3, &address, &physical, &bytes), 0);
    EXPECT(physical <= there && there + sizeof written <= physical + bytes && bytes % (1u << 20) == 0, 1);
    EXPECT(Kernel_GetProcessWindow(slot, &seen, &again, &bytes), 0);
    EXPECT(seen == address && again == physical, 1);
    EXPECT(Kernel_SetProcessWindow(first, there, 1, 3, &seen, &again, &bytes), EBUSY);  // no slot of ours is the first
    ((volatile uint32_t*)(address + (uint32_t)(there - physical)))[place->process] = 1000 + place->process;
  }
  spi_barrier();
  for (uint32_t process = 0; process < processes; process++)
    EXPECT(written[process], process == place->process ? 0 : 1000 + process);
}

int main(void) {
  const spi_place_t place = spi_place();
  of_node_and_ranks(&place);
  of_memory();
  of_fixed_mappings();
  of_counters(&place);
  of_fifos(&place);
  of_lockbox(&place);
  of_tree();
  EXPECT(Kernel_ClearFullReceptionFifo(), 0);
  of_neighbours(&place);
  spi_barrier();
  printf("rank %u: %u answers, %u of them wrong\n", place.rank, asked, wrong);
  return wrong != 0;
}
