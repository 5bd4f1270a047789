// SPDX-License-Identifier: Apache-2.0
//
// Polls memory that the toy DMA device writes. The first argument selects; what is printed tells when and what.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hw/kernel/kernel_abi.h"

#define DMA(offset) (*(volatile uint32_t*)(0xB2000000u + (offset)))
enum { COUNTER = 0, RING = 4, BUFFER = 8, PERIOD = 12, NOISE = 16, START = 20, ADD = 24, BEFORE = 28 };
enum { SLOTS = 8, SLOT_WORDS = 16, BUFFER_WORDS = 256 };

static struct {
  volatile uint32_t counter;
  uint32_t pad[15];
  volatile uint32_t ring[SLOTS][SLOT_WORDS];
  uint32_t rest[1024 - 16 - SLOTS * SLOT_WORDS];
} shared __attribute__((aligned(4096)));
static uint32_t buffer[BUFFER_WORDS] __attribute__((aligned(4096)));

static inline uint32_t now(void) {
  uint32_t value;
  __asm__ volatile("mftb %0" : "=r"(value));
  return value;
}

/// The only process of its node has the memory from physical address 0 on; its own addresses begin with the program.
static uint32_t physical(const volatile void* address) {
  extern const char __executable_start[];
  return (uint32_t)address - ((uint32_t)__executable_start & ~0xFFFFFu);
}

static void watch(void) {
  if (syscall(TOROID_SYS_WATCH_MEMORY, &shared, sizeof shared) != 0) {
    perror("watch_memory");
    _exit(3);
  }
  DMA(COUNTER) = physical(&shared.counter);
}

__attribute__((noinline)) static uint32_t await(uint32_t seen) {
  while (shared.counter == seen) {
  }
  return shared.counter;
}

static uint32_t sum_of_slot(uint32_t number) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < SLOT_WORDS; ++i) sum += shared.ring[(number - 1) % SLOTS][i];
  return sum;
}

// Messages come while the core polls, and faster than it takes them.
static void ring(uint32_t messages, uint32_t period, uint32_t noise) {
  DMA(RING) = physical(shared.ring);
  DMA(PERIOD) = period;
  DMA(NOISE) = noise;
  DMA(START) = messages;
  uint32_t seen = 0, total = 0, last = now();
  while (seen < messages) {
    const uint32_t reached = await(seen);
    while (seen < reached) total = total * 31 + sum_of_slot(++seen);
    last = last * 31 + now();
  }
  printf("%u messages, sum %08x, times %08x\n", seen, total, last);
}

__attribute__((noinline)) static uint32_t read_buffer(uint32_t* sum) {
  const uint32_t begin = now();
  for (unsigned i = 0; i < BUFFER_WORDS; ++i) *sum += ((volatile uint32_t*)buffer)[i];
  return now() - begin;
}

// Cycles to read 1 KiB: first, again, after the device has written it, and again.
static void cache(void) {
  uint32_t sum[5] = {0}, cycles[5];
  read_buffer(&sum[4]);
  for (unsigned i = 0; i < 2; ++i) cycles[i] = read_buffer(&sum[i]);
  DMA(BUFFER) = physical(buffer);
  DMA(PERIOD) = 100;
  DMA(START) = 1;
  await(0);
  for (unsigned i = 2; i < 4; ++i) cycles[i] = read_buffer(&sum[i]);
  printf("cached %u, written by the device %u more, cached %d more, sums %u %08x %08x\n", cycles[1],
         cycles[2] - cycles[1], (int)(cycles[3] - cycles[1]), sum[1], sum[2], sum[3]);
}

static int refused(const void* address, uint32_t size) {
  return syscall(TOROID_SYS_WATCH_MEMORY, address, size) == 0 ? 0 : errno;
}

static void calls(void) {
  watch();
  printf("again %d, two pages of which one %d\n", refused(&shared, 4096), refused(&shared, 8192));
  printf("misaligned %d, no whole page %d, no size %d, text %d, nothing %d, too much %d\n",
         refused((char*)&shared + 4, 4096), refused(&shared, 100), refused(&shared, 0),
         refused((void*)((uint32_t)&calls & ~4095u), 4096), refused((void*)0, 4096),
         refused(mmap(0, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 2 << 20));
  printf("munmap %d, mprotect %d\n", munmap(&shared, 4096) == 0 ? 0 : errno,
         mprotect(&shared, 4096, PROT_READ) == 0 ? 0 : errno);
  char* const bytes = (char*)shared.rest;
  strcpy(bytes, "misaligned text");
  volatile uint32_t* const word = (volatile uint32_t*)(bytes + 1);
  printf("%08x", (unsigned)*word);
  *word = 0x2D2D2D2D;
  printf(" %s\n", bytes);
}

// What ends the loop lies in plain memory, beside the watched word that it polls.
static void plain_memory(void) {
  DMA(COUNTER) = physical(&buffer[1]);
  DMA(PERIOD) = 100000;
  DMA(START) = 1;
  while (shared.counter == 0 && *(volatile uint32_t*)&buffer[1] == 0) {
  }
  printf("%u in memory\n", *(volatile uint32_t*)&buffer[1]);
}

static void add(void) {
  shared.counter = 40;
  DMA(ADD) = 2;
  const uint32_t after = await(40);
  printf("%u, before %u\n", after, DMA(BEFORE));
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  setvbuf(stdout, 0, _IOFBF, 4096);
  if (strcmp(what, "calls") == 0) {
    calls();
    return 0;
  }
  watch();
  if (strcmp(what, "ring") == 0) ring(40, 2000, 0);
  if (strcmp(what, "burst") == 0) ring(7, 20, 200);
  if (strcmp(what, "second") == 0) ring(10, 100000000, 0);
  if (strcmp(what, "cache") == 0) cache();
  if (strcmp(what, "add") == 0) add();
  if (strcmp(what, "plain-memory") == 0) plain_memory();
  if (strcmp(what, "for-ever") == 0) await(0);
  return 0;
}
