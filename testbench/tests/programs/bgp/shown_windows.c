// SPDX-License-Identifier: Apache-2.0
//
// Processes of a node poll shared memory and set a word of their own and clear it again in each turn. Nobody sees that
// until the first process opens a window to the word: from then on it counts how often it finds it set.
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/programs/bgp/spi_program.h"

#define LOOKS 300u

typedef struct {
  volatile uint32_t stop;
} shared_t;

static volatile uint32_t state;

static void compute(uint32_t turns) {
  while (turns-- != 0) __asm__ volatile("");
}

static void poll(shared_t* shared, DMA_CounterGroup_t* counters) {
  while (!shared->stop) {
    state = 1;
    compute(20);
    (void)DMA_CounterGetHitZeroById(counters, 0);
    state = 0;
    compute(15);
  }
}

static void look(uint64_t physical) {
  uint32_t address, set = 0;
  uint64_t begin;
  size_t bytes;
  compute(200000);
  spi_expect(Kernel_SetProcessWindow(0, physical, sizeof state, 3, &address, &begin, &bytes), "window");
  const volatile uint32_t* const seen = (const volatile uint32_t*)(address + (uint32_t)(physical - begin));
  for (uint32_t i = 0; i < LOOKS; i++) {
    set += *seen;
    compute(500 + i * 37 % 3000);
    set += *seen;
  }
  printf("%s of %u times set\n", set > 0 && set < 2 * LOOKS ? "some" : "none or all", 2 * LOOKS);
  printf("%u\n", (unsigned)set);
}

int main(void) {
  const spi_place_t place = spi_place();
  const uint32_t processes = (uint32_t)Kernel_ProcessCount(), cores = (uint32_t)Kernel_ProcessorCount();
  const int file = shm_open("/shown", O_CREAT | O_RDWR, 0600);
  spi_expect(file < 0 || ftruncate(file, sizeof(shared_t)) != 0, "shared memory");
  shared_t* const shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  spi_expect(shared == MAP_FAILED, "mapping");
  DMA_CounterGroup_t* const counters = spi_counters(&place, DMA_Type_Reception);
  spi_barrier();
  if (place.process == 0) {
    uint32_t data, length;
    uint64_t theirs;
    spi_expect(Kernel_GetAppSegmentMapping(1, (processes - 1) * cores, &data, &theirs, &length), "mapping of another");
    look(theirs + ((uint32_t)&state - data));
    shared->stop = 1;
  } else {
    poll(shared, counters);
  }
  spi_barrier();
  return 0;
}
