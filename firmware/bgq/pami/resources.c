// SPDX-License-Identifier: Apache-2.0
// FIFOs and base addresses.
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include "firmware/bgq/pami/resources.h"

#include <errno.h>
#include <stdlib.h>

#include "firmware/bgq/pami/node.h"

enum { kDescriptor = 64, kLine = 128, kFifosOfSubgroup = 8, kGetsOfTask = 4 };

static void* lines(uint64_t bytes, const char* what) {
  void* memory;
  if (posix_memalign(&memory, kLine, bytes) != 0)
    pami_fatal("%s: there is no memory for %llu bytes", what, (unsigned long long)bytes);
  return memory;
}

void pami_start_injection_fifo(MUSPI_InjFifoSubGroup_t* group, uint32_t number, void* memory, uint64_t bytes) {
  Kernel_MemoryRegion_t region = {
      .Bytes = bytes, .BaseVa = memory, .BasePa = (void*)pami_physical(memory, "an injection FIFO")};
  Kernel_InjFifoInit(group, number, &region, 0, bytes - 1);
  Kernel_InjFifoActivate(group, 1, &number, KERNEL_INJ_FIFO_ACTIVATE);
}

// Remote gets of all tasks at once fit into the FIFO: one that is full would stop the node's reception.
static uint64_t remote_get_bytes(void) {
  uint64_t bytes = pami_bytes_of_environment("PAMI_RGETINJFIFOSIZE", 64 << 10, 1 << 10, kDescriptor);
  while (bytes / kDescriptor <= (uint64_t)pami_job.tasks * kGetsOfTask) bytes *= 2;
  return bytes;
}

static void open_remote_gets(uint64_t bytes) {
  uint8_t* memory = lines(bytes * (PAMI_LOCAL_DIRECTION + 1), "FIFOs of remote gets");
  for (unsigned direction = 0; direction <= PAMI_LOCAL_DIRECTION; ++direction) {
    MUSPI_InjFifoSubGroup_t* group = lines(sizeof *group, "FIFOs of remote gets");
    uint32_t number = direction % kFifosOfSubgroup;
    Kernel_InjFifoAttributes_t attributes = {.RemoteGet = 1};
    const int error =
        Kernel_AllocateInjFifos(PAMI_NODE_SUBGROUP + direction / kFifosOfSubgroup, group, 1, &number, &attributes);
    if (error != 0)
      pami_fatal("injection FIFO %u of subgroup %u: the kernel says %d", number,
                 PAMI_NODE_SUBGROUP + direction / kFifosOfSubgroup, error);
    pami_start_injection_fifo(group, number, memory + direction * bytes, bytes);
  }
}

static void open_base_addresses(void) {
  static MUSPI_BaseAddressTableSubGroup_t group;
  static uint64_t sink __attribute__((aligned(kLine)));
  uint32_t slots[3] = {PAMI_BASE_MEMORY % 8, PAMI_BASE_COUNTER % 8, PAMI_BASE_SINK % 8};
  const int error = Kernel_AllocateBaseAddressTable(PAMI_BASE_MEMORY / 8, &group, 3, slots, 0);
  if (error != 0) pami_fatal("base addresses of subgroup %u: the kernel says %d", PAMI_BASE_MEMORY / 8, error);
  MUSPI_SetBaseAddress(&group, (uint8_t)slots[0], 0);
  MUSPI_SetBaseAddress(&group, (uint8_t)slots[1],
                       MUSPI_GetAtomicAddress(0, MUHWI_ATOMIC_OPCODE_STORE_ADD_COHERENCE_ON_ZERO));
  MUSPI_SetBaseAddress(&group, (uint8_t)slots[2],
                       MUSPI_GetAtomicAddress(pami_physical(&sink, "a counter"), MUHWI_ATOMIC_OPCODE_STORE_ADD));
}

void pami_resources_start(void) {
  const uint64_t bytes = remote_get_bytes();
  pami_job.gets_max = (uint32_t)((bytes / kDescriptor - 1) / pami_job.tasks);
  if (pami_job.local_place == 0) {
    open_remote_gets(bytes);
    open_base_addresses();
  }
  pami_node_barrier();
}

// Calls found(subgroup, number) of the process's free injection FIFOs, from the last one on, until it returns false.
static void free_injection_fifos(bool (*found)(void* cookie, unsigned subgroup, uint32_t number), void* cookie) {
  const unsigned subgroups = PAMI_SUBGROUPS / pami_job.processes;
  for (unsigned i = subgroups; i-- > 0;) {
    uint32_t count = 0, numbers[kFifosOfSubgroup];
    const unsigned subgroup = pami_job.process * subgroups + i;
    if (Kernel_QueryInjFifos(subgroup, &count, numbers) != 0) continue;
    while (count-- > 0)
      if (!found(cookie, subgroup, numbers[count])) return;
  }
}

static bool count(void* cookie, unsigned subgroup, uint32_t number) {
  (void)subgroup, (void)number;
  ++*(unsigned*)cookie;
  return true;
}

static uint64_t left_for_others(void) {
  return pami_bytes_of_environment("MUSPI_NUMINJFIFOS", 0, 0, 1);
}

unsigned pami_free_injection_fifos(void) {
  const uint64_t left = left_for_others();
  unsigned are_free = 0;
  free_injection_fifos(count, &are_free);
  return are_free > left ? are_free - (unsigned)left : 0;
}

typedef struct taken {
  MUSPI_InjFifoSubGroup_t* group;
  uint32_t number;
  int error;
} taken_t;

static bool take(void* cookie, unsigned subgroup, uint32_t number) {
  taken_t* taken = cookie;
  Kernel_InjFifoAttributes_t attributes = {0};
  taken->number = number;
  taken->error = Kernel_AllocateInjFifos(subgroup, taken->group, 1, &taken->number, &attributes);
  return taken->error != 0;
}

int pami_take_injection_fifo(MUSPI_InjFifoSubGroup_t* group, uint32_t* number) {
  taken_t taken = {.group = group, .error = EAGAIN};
  // To count asks the kernel about each subgroup.
  if (left_for_others() != 0 && pami_free_injection_fifos() == 0) return EAGAIN;
  free_injection_fifos(take, &taken);
  *number = taken.number;
  return taken.error;
}
