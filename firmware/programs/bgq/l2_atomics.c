/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes of a node draw tickets with the L2's atomic operations, on a word of shared memory, and one after the
 * other checks what each operation gives. Process 0 of the node prints how many answers were wrong.
 *
 *     ./toroid run --machine bgq --ranks-per-node 16 --shape 1x1x1x1x1 l2_atomics
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/programs/bgq/kernel.h"

enum { kTickets = 20, kMostProcesses = 64 };
/* Operations of loads and stores (nic/common/l2_atomics.h). */
enum { kLoad, kClear, kIncrement, kDecrement, kIncrementBounded, kDecrementBounded, kIncrementIfEqual };
enum { kStore, kTwin, kAdd, kAddCoherence, kOr, kXor, kMaxUnsigned, kMaxSigned };

static const uint64_t kBound = 0x8000000000000000ull;

struct shared {
  uint64_t tickets, done;
  uint64_t drawn[kMostProcesses * kTickets] __attribute__((aligned(128)));
  uint64_t pair[4] __attribute__((aligned(32)));
};
static struct shared* shared;
static unsigned answers, wrong;

static volatile uint64_t* alias(const uint64_t* word, unsigned operation) {
  const uint64_t address = (uint64_t)word << BGQ_L2_ATOMICS_ADDRESS_SHIFT & ~BGQ_L2_ATOMICS_LOW;
  const uint64_t thread = place_of_thread() & 3;
  return (volatile uint64_t*)(BGQ_VA_L2_ATOMICS + address + (thread << 6) +
                              (operation << BGQ_L2_ATOMICS_OPERATION_SHIFT));
}
static uint64_t load(const uint64_t* word, unsigned operation) {
  return *alias(word, operation);
}
static void store(uint64_t* word, unsigned operation, uint64_t value) {
  *alias(word, operation) = value;
}
static void expect(uint64_t is, uint64_t should) {
  ++answers;
  wrong += is != should;
}

static void check_operations(void) {
  uint64_t* const word = shared->pair + 1;
  store(word, kStore, 5);
  expect(load(word, kLoad), 5);
  expect(load(word, kIncrement), 5);
  expect(load(word, kDecrement), 6);
  expect(load(word, kClear), 5);
  expect(load(word, kLoad), 0);
  store(word, kAdd, 7);
  store(word, kAddCoherence, (uint64_t)-3);
  expect(load(word, kLoad), 4);
  store(word, kOr, 3);
  store(word, kXor, 1);
  expect(load(word, kLoad), 6);
  store(word, kMaxUnsigned, 9);
  expect(load(word, kLoad), 9);
  store(word + 1, kStore, 10); /* the bound of increments */
  store(word - 1, kStore, 9);  /* and of decrements */
  expect(load(word, kDecrementBounded), kBound);
  expect(load(word, kIncrementBounded), 9);
  expect(load(word, kIncrementBounded), kBound);
  expect(load(word, kIncrementIfEqual), 10);
  expect(load(word, kLoad), 11);
  store(word + 1, kStore, 11);
  store(word, kTwin, 2);
  expect(load(word, kLoad) << 8 | load(word + 1, kLoad), 0x202);
}

int main(void) {
  const uint64_t place = place_of_thread();
  const unsigned processes = (unsigned)((place & BGQ_PLACE_PROCESSES) >> BGQ_PLACE_PROCESSES_SHIFT);
  const unsigned process = (unsigned)(place & BGQ_PLACE_THREAD) * processes / 64;
  const int file = shm_open("/tickets", O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof *shared) != 0) return 1;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) return 2;
  if (kernel_call(BGQ_SYS_ALLOCATE_L2_ATOMIC, (uint64_t)shared, sizeof *shared, 0, 0, 0) != 0) return 3;

  for (unsigned i = 0; i < kTickets; ++i) ++shared->drawn[load(&shared->tickets, kIncrement)];
  store(&shared->done, kAdd, 1);
  if (process != 0) return 0;
  while (*(volatile uint64_t*)&shared->done != processes) continue;
  for (unsigned i = 0; i < processes * kTickets; ++i) expect(shared->drawn[i], 1);
  check_operations();

  /* All of the node's memory, at its physical addresses. */
  const uint64_t* const window = (const uint64_t*)(BGQ_VA_PROCESS_WINDOW + physical(shared));
  expect(window[0], (uint64_t)processes * kTickets);
  printf("%u processes: %u answers, %u wrong\n", processes, answers, wrong);
  return wrong != 0;
}
