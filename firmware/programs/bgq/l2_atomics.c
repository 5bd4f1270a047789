/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes of a node draw tickets with the L2's atomic operations, on a word of shared memory, and count under a
 * lock. Process 0 of the node looks at what came of it and what each operation gives, and prints how many answers were
 * wrong.
 *
 *     ./toroid run --machine bgq --ranks-per-node 16 --shape 1x1x1x1x1 l2_atomics
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <spi/include/l2/lock.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kTickets = 20, kMostProcesses = 64 };

static const uint64_t kBound = 0x8000000000000000ull;

struct shared {
  uint64_t tickets, done;
  uint64_t drawn[kMostProcesses * kTickets] __attribute__((aligned(128)));
  uint64_t pair[4] __attribute__((aligned(32)));
  L2_Lock_t lock;
  uint64_t locked; /* what the lock protects */
};
static struct shared* shared;
static unsigned answers, wrong;

static void expect(uint64_t is, uint64_t should) {
  ++answers;
  wrong += is != should;
}

static void check_operations(void) {
  volatile uint64_t* const word = shared->pair + 1;
  L2_AtomicStore(word, 5);
  expect(L2_AtomicLoad(word), 5);
  expect(L2_AtomicLoadIncrement(word), 5);
  expect(L2_AtomicLoadDecrement(word), 6);
  expect(L2_AtomicLoadClear(word), 5);
  expect(L2_AtomicLoad(word), 0);
  L2_AtomicStoreAdd(word, 7);
  L2_AtomicStoreAddCoherenceOnZero(word, (uint64_t)-3);
  expect(L2_AtomicLoad(word), 4);
  L2_AtomicStoreOr(word, 3);
  L2_AtomicStoreXor(word, 1);
  expect(L2_AtomicLoad(word), 6);
  L2_AtomicStoreMax(word, 9);
  expect(L2_AtomicLoad(word), 9);
  L2_AtomicStoreMaxSignValue(word, (uint64_t)-1);
  expect(L2_AtomicLoad(word), 9);
  L2_AtomicStore(word + 1, 10); /* the bound of increments */
  L2_AtomicStore(word - 1, 9);  /* and of decrements */
  expect(L2_AtomicLoadDecrementBounded(word), kBound);
  expect(L2_AtomicLoadIncrementBounded(word), 9);
  expect(L2_AtomicLoadIncrementBounded(word), kBound);
  expect(L2_AtomicLoadIncrementIfEqual(word), 10);
  expect(L2_AtomicLoad(word), 11);
  L2_AtomicStore(word + 1, 11);
  L2_AtomicStoreTwin(word, 2);
  expect(L2_AtomicLoad(word) << 8 | L2_AtomicLoad(word + 1), 0x202);
  expect(L2_LockTryAcquire(&shared->lock), 1);
  expect(L2_LockTryAcquire(&shared->lock), 0);
  expect(L2_LockIsBusy(&shared->lock), 1);
  L2_LockRelease(&shared->lock);
  expect(L2_LockIsBusy(&shared->lock), 0);
}

int main(void) {
  const unsigned processes = Kernel_ProcessCount();
  const int file = shm_open("/tickets", O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof *shared) != 0) return 1;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) return 2;
  if (Kernel_L2AtomicsAllocate(shared, sizeof *shared) != 0) return 3;

  for (unsigned i = 0; i < kTickets; ++i) {
    ++shared->drawn[L2_AtomicLoadIncrement(&shared->tickets)];
    L2_LockAcquire(&shared->lock);
    ++shared->locked;
    L2_LockRelease(&shared->lock);
  }
  L2_AtomicStoreAdd(&shared->done, 1);
  if (Kernel_MyTcoord() != 0) return 0;
  while (*(volatile uint64_t*)&shared->done != processes) continue;
  for (unsigned i = 0; i < processes * kTickets; ++i) expect(shared->drawn[i], 1);
  expect(shared->locked, processes * kTickets);
  check_operations();

  /* All of the node's memory, at its physical addresses. */
  Kernel_MemoryRegion_t region, window;
  Kernel_CreateMemoryRegion(&region, shared, sizeof *shared);
  Kernel_CreateGlobalMemoryRegion(&region, &window);
  expect(*(uint64_t*)((char*)window.BaseVa + ((char*)shared - (char*)region.BaseVa)), (uint64_t)processes * kTickets);
  printf("%u processes: %u answers, %u wrong\n", processes, answers, wrong);
  return wrong != 0;
}
