// SPDX-License-Identifier: Apache-2.0
// Memory that other processes reach. All memory can be reached; what is needed is that the others know where it is.
#include <stdlib.h>

#include "firmware/armci/team.h"

enum { ALIGNMENT = 128 };  ///< whole cache lines, those of large caches too

/// NULL: 0 bytes, or no memory.
static void* memory_new(armci_size_t bytes) {
  const size_t whole = ((size_t)bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  return bytes > 0 ? aligned_alloc(ALIGNMENT, whole) : NULL;
}

/// All of the team learn where the others' memory is, if the machine has to know it.
static void exchange(const armcii_team_t* team, void* memory, size_t bytes) {
  if (armcib_regions == NULL) return;
  const size_t each = armcib_regions->bytes;
  uint8_t* const all = malloc(team->size * each);
  if (all == NULL) armcii_fail("there is no memory to tell of memory to %u processes", team->size);
  armcib_regions->describe(memory, bytes, all + team->place * each);
  armcii_gather_to_all(team, all, each);
  for (uint32_t place = 0; place < team->size; ++place) {
    if (place != team->place) armcib_regions->learn(armcii_team_rank(team, place), all + place * each);
  }
  free(all);
}

/// All of the team keep where the region is in each of them.
static void note(const armcii_team_t* team, void* memory, size_t bytes) {
  armcii_extent_t* const extents = calloc(armcii_size + team->size, sizeof *extents);
  if (extents == NULL) armcii_fail("there is no memory to tell of memory to %u processes", team->size);
  armcii_extent_t* const told = extents + armcii_size;
  told[team->place] = (armcii_extent_t){.begin = (uintptr_t)memory, .bytes = bytes};
  armcii_gather_to_all(team, told, sizeof *told);
  for (uint32_t place = 0; place < team->size; ++place) extents[armcii_team_rank(team, place)] = told[place];
  armcii_region_add(extents);
  free(extents);
}

/// All of the team learn whether one of them had no memory.
static int share(const armcii_team_t* team, void* pointers[], armci_size_t bytes, const char* function) {
  if (pointers == NULL) armcii_fail("%s: the list of addresses is NULL", function);
  void* const memory = memory_new(bytes);
  int missing = memory == NULL && bytes != 0;
  pointers[team->place] = memory;
  armcii_gather_to_all(team, pointers, sizeof pointers[0]);
  armcii_reduce_to_all(team, &missing, 1, "max", ARMCI_INT);
  if (missing == 0) {
    exchange(team, memory, bytes);
    note(team, memory, (size_t)bytes);
    return 0;
  }
  free(memory);
  return FAIL2;
}

/// Nobody may have anything on its way to memory that is freed.
static int release(const armcii_team_t* team, void* memory) {
  armcii_fence_all();
  armcii_barrier(team);
  armcii_region_remove(memory);
  free(memory);
  return 0;
}

int PARMCI_Malloc(void* pointers[], armci_size_t bytes) {
  armcii_enter("ARMCI_Malloc");
  armcii_team_t team;
  armcii_team_all(&team);
  const int error = share(&team, pointers, bytes, "ARMCI_Malloc");
  armcib_exit();
  return error;
}
ARMCII_PUBLIC(Malloc);

int PARMCI_Free(void* memory) {
  if (memory == NULL) return 0;
  if (PARMCI_Initialized()) {
    armcib_enter();
    armcii_region_remove(memory);
    armcib_exit();
  }
  free(memory);
  return 0;
}
ARMCII_PUBLIC(Free);

int PARMCI_Malloc_memdev(void* pointers[], armci_size_t bytes, const char* device) {
  (void)device;
  return PARMCI_Malloc(pointers, bytes);
}
ARMCII_PUBLIC(Malloc_memdev);

int PARMCI_Free_memdev(void* memory) {
  return PARMCI_Free(memory);
}
ARMCII_PUBLIC(Free_memdev);

int PARMCI_Malloc_group(void* pointers[], armci_size_t bytes, ARMCI_Group* group) {
  armcii_enter("ARMCI_Malloc_group");
  armcii_team_t team;
  armcii_team_of(&team, group, "ARMCI_Malloc_group");
  const int error = share(&team, pointers, bytes, "ARMCI_Malloc_group");
  armcib_exit();
  return error;
}
ARMCII_PUBLIC(Malloc_group);

int PARMCI_Free_group(void* memory, ARMCI_Group* group) {
  armcii_enter("ARMCI_Free_group");
  armcii_team_t team;
  armcii_team_of(&team, group, "ARMCI_Free_group");
  const int error = release(&team, memory);
  armcib_exit();
  return error;
}
ARMCII_PUBLIC(Free_group);

int ARMCI_Malloc_group_memdev(void* pointers[], armci_size_t bytes, ARMCI_Group* group, const char* device) {
  (void)device;
  return PARMCI_Malloc_group(pointers, bytes, group);
}

void* PARMCI_Malloc_local(armci_size_t bytes) {
  return memory_new(bytes);
}
ARMCII_PUBLIC(Malloc_local);

int PARMCI_Free_local(void* memory) {
  free(memory);
  return 0;
}
ARMCII_PUBLIC(Free_local);

void ARMCI_Set_shm_limit(unsigned long limit) {
  (void)limit;
}

// ---------------------------------------------------------------------------------------------------------------
// Memory of one process that others learn of by messages

void PARMCI_Memget(size_t bytes, armci_meminfo_t* info, int flags) {
  if (info == NULL || bytes == 0 || flags != 0) {
    armcii_fail("ARMCI_Memget: the size is %zu and the flags are %d; they must be 1 or more, and 0", bytes, flags);
  }
  armcii_enter("ARMCI_Memget");
  info->addr = memory_new((armci_size_t)bytes);
  if (info->addr == NULL) armcii_fail("ARMCI_Memget: there is no memory for %zu bytes", bytes);
  info->armci_addr = info->addr;
  info->size = bytes;
  info->cpid = (int)armcii_self;
  armcib_exit();
}
ARMCII_PUBLIC(Memget);

void* PARMCI_Memat(armci_meminfo_t* info, long flags) {
  (void)flags;
  return info != NULL ? info->addr : NULL;
}
ARMCII_PUBLIC(Memat);

void ARMCI_Memdt(armci_meminfo_t* info, long flags) {
  (void)info;
  (void)flags;
}

void ARMCI_Memctl(armci_meminfo_t* info) {
  if (info == NULL) return;
  if (info->cpid == (int)armcii_self) free(info->addr);
  info->addr = NULL;
  info->armci_addr = NULL;
}
