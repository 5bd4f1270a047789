/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes of a node take turns: each waits for a word of shared memory, then for one of the process before it, which
 * it sees through the process window, computes and passes both on. All others wait meanwhile, in loops that read
 * nothing else.
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <spi/include/kernel/location.h>
#include <spi/include/kernel/memory.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kMost = 64, kWork = 20000 };

typedef struct {
  volatile uint32_t turn, there;
  uint64_t physical[kMost]; /* of each process's own word */
} shared_t;

static volatile uint32_t mine; /* 1 when this process has had its turn */

int main(void) {
  const uint32_t me = Kernel_MyTcoord(), processes = Kernel_ProcessCount();
  Kernel_MemoryRegion_t region;
  void* seen;
  const int file = shm_open("/shared_turns", O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof(shared_t)) != 0) return 1;
  shared_t* const shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED || Kernel_CreateMemoryRegion(&region, (void*)(uintptr_t)&mine, sizeof mine) != 0) return 2;
  shared->physical[me] = (uint64_t)region.BasePa + (uint64_t)((char*)(uintptr_t)&mine - (char*)region.BaseVa);
  (void)__sync_fetch_and_add(&shared->there, 1);
  while (shared->there != processes) continue;
  while (shared->turn != me) continue;
  if (me != 0) {
    if (Kernel_Physical2GlobalVirtual((void*)shared->physical[me - 1], &seen) != 0) return 3;
    while (*(volatile uint32_t*)seen != 1) continue;
  }
  shared->turn = me + 1;
  for (volatile uint32_t i = 0; i < kWork; ++i) continue;
  mine = 1;
  while (shared->turn != processes) continue;
  printf("process %u of %u\n", (unsigned)me, (unsigned)processes);
  return 0;
}
