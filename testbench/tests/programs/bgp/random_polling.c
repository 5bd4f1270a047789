// SPDX-License-Identifier: Apache-2.0
//
// The threads of a process, one a core, poll memory and registers in loops of random shapes. In each round one of them
// announces the round: by a store, by the DMA, or by a register; the others see it, work, and answer by a store. Words
// that change meanwhile change how long a turn of the loops takes. Now and then they sleep in the kernel. Each thread
// prints a sum over when it saw what: nothing about polling goes unnoticed.
//
//   random_polling SEED [ROUNDS]
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgp/spi_program.h"

#define MOST_THREADS 4u
#define FLAGS 4u
#define STEP 16u

static volatile uint32_t flags[FLAGS][4] ALIGN_L1D_CACHE;  // of 16 bytes: one put each
static uint32_t sources[FLAGS][4] ALIGN_L1D_CACHE;
static volatile uint32_t answers[MOST_THREADS], noise[8];
static DMA_InjFifoGroup_t* fifos;
static DMA_CounterGroup_t *sent, *received;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static spi_place_t place;
static uint32_t group, seed, threads, rounds = 60;
static uint32_t announced[MOST_THREADS];  // by the register, as far as each thread knows

typedef struct {
  uint32_t state;
} random_t;

static uint32_t next(random_t* random) {
  random->state ^= random->state << 13;
  random->state ^= random->state >> 17;
  random->state ^= random->state << 5;
  return random->state >> 3;
}

static void work(uint32_t turns) {
  for (volatile uint32_t i = 0; i < turns; i++) {
  }
}

static void compute(uint32_t turns) {
  while (turns-- != 0) __asm__ volatile("");
}

__attribute__((noinline)) static uint32_t by_frame(const volatile uint32_t* word) {
  volatile uint32_t copy[4] = {word[0], 1, 2, 3};
  return copy[0] + copy[3];
}

/// What a loop does beside looking at what it waits for.
static void turn(uint32_t shape, uint32_t length) {
  switch (shape) {
    case 0:
      break;
    case 1:
      (void)DMA_CounterGetHitZeroById(received, 0);
      break;
    case 2:
      (void)DMA_CounterGetValueById(sent, 1);
      compute(length);
      (void)DMA_CounterGetHitZeroById(received, 0);
      break;
    case 3:
      (void)DMA_CounterGetValueById(sent, 1);
      work(length);
      break;
    case 4:
      compute(4 * length);
      break;
    case 5:
      if (noise[0] % 2 != 0) compute(length);
      (void)DMA_CounterGetValueById(sent, 1);
      if (noise[1] % 2 != 0) compute(3 * length);
      break;
    case 6:
      if (noise[2] % 2 != 0) compute(length);
      break;
    case 7:
      if (by_frame(&noise[3]) % 2 != 0) compute(length);
      // In one basic block: not all loads can be outstanding at a time.
      for (unsigned i = 0; i < 6; i++) (void)received->status_ptr->hit_zero[0];
      if (by_frame(&noise[4]) % 2 != 0) compute(length);
      break;
    case 8:
      for (unsigned i = 0; i < 8; i++) compute(noise[i] % 8 * length);
      break;
    default:
      (void)DMA_CounterGetValueById(sent, 1);
      for (unsigned i = 0; i < 4; i++) compute(noise[i] % 8 * length);
      (void)DMA_CounterGetHitZeroById(received, 0);
      for (unsigned i = 4; i < 8; i++) compute(noise[i] % 8 * length);
      break;
  }
}

static void put(uint32_t flag, uint32_t round) {
  DMA_InjDescriptor_t descriptor;
  for (unsigned i = 0; i < 4; i++) sources[flag][i] = round;
  _bgp_msync();
  (void)DMA_LocalDirectPutDescriptor(&descriptor, group, 0, 16 * flag, group, 0, 16 * flag, 16);
  DMA_CounterIncrementById(received, 0, 1u << 16);  // does not hit zero
  DMA_CounterIncrementById(sent, 0, 16);
  if (!DMA_InjFifoInjectDescriptorById(fifos, 1, &descriptor)) spi_expect(ENOSPC, "injection FIFO");
}

static void* run(void* argument) {
  const uint32_t own = (uint32_t)(uintptr_t)argument;
  random_t common = {seed * 2654435761u + 1}, mine = {seed * 40503u + own * 977 + 7};
  uint64_t sum = 0;
  for (uint32_t round = 1; round <= rounds; round++) {
    const uint32_t leader = next(&common) % threads, kind = next(&common) % 4, flag = next(&common) % FLAGS;
    const uint32_t shape = next(&mine) % 10, length = next(&mine) % 40;
    if (next(&common) % 8 == 0) {  // threads that sleep in the kernel
      compute(next(&mine) % 2000);
      (void)pthread_barrier_wait(&barrier);
      sum = sum * 31 + _bgp_GetTimeBase();
    }
    if (kind == 3) announced[own] += STEP;
    if (leader == own) {
      const int burst = next(&mine) % 3 == 0;
      for (uint32_t times = next(&mine) % (burst ? 60 : 6); times != 0; times--) {
        compute(next(&mine) % (burst ? 60 : 3000));
        noise[next(&mine) % 8] = next(&mine);
        if (next(&mine) % 4 == 0) noise[next(&mine) % 8] = next(&mine);
      }
      compute(next(&mine) % 5000);
      if (kind == 3) {
        DMA_CounterIncrementById(received, 1, STEP);
      } else if (kind == 2) {
        put(flag, round);
      } else {
        flags[flag][1] = round;
      }
      answers[own] = round;
      for (uint32_t other = 0; other < threads; other++) {
        while (answers[other] < round) turn(shape, length);
        sum = sum * 31 + _bgp_GetTimeBase();
      }
    } else {
      if (kind == 3) {
        while (DMA_CounterGetValueById(received, 1) < announced[own]) turn(shape, length);
      } else {
        while (flags[flag][1] < round) turn(shape, length);
      }
      sum = sum * 31 + _bgp_GetTimeBase();
      compute(next(&mine) % 300);
      if (next(&mine) % 3 == 0) noise[next(&mine) % 8] = next(&mine);
      if (next(&mine) % 4 == 0) {
        (void)pthread_mutex_lock(&lock);
        compute(next(&mine) % 500);
        (void)pthread_mutex_unlock(&lock);
        sum = sum * 31 + _bgp_GetTimeBase();
      }
      answers[own] = round;
    }
  }
  printf("rank %u, thread %u: %08x%08x\n", (unsigned)place.rank, (unsigned)own, (unsigned)(sum >> 32), (unsigned)sum);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) seed = (uint32_t)strtoul(argv[1], NULL, 0);
  if (argc > 2) rounds = (uint32_t)strtoul(argv[2], NULL, 0);
  place = spi_place();
  group = place.process;
  seed += place.rank;
  threads = MOST_THREADS / (uint32_t)Kernel_ProcessCount();
  spi_expect(pthread_barrier_init(&barrier, NULL, threads), "barrier");
  fifos = spi_injection_fifos(&place);
  sent = spi_counters(&place, DMA_Type_Injection);
  received = spi_counters(&place, DMA_Type_Reception);
  (void)DMA_CounterSetValueBase(&sent->counter[0], 1u << 30, sources);
  (void)DMA_CounterSetValueBaseMax(&received->counter[0], 1u << 30, (void*)flags, (void*)(flags + FLAGS));
  (void)DMA_CounterSetValue(&received->counter[1], 0);
  DMA_CounterSetEnableById(sent, 0);
  DMA_CounterSetEnableById(received, 0);
  pthread_t others[MOST_THREADS];
  for (uint32_t i = 1; i < threads; i++)
    spi_expect(pthread_create(&others[i], NULL, run, (void*)(uintptr_t)i), "thread");
  (void)run(NULL);
  for (uint32_t i = 1; i < threads; i++) spi_expect(pthread_join(others[i], NULL), "join");
  return 0;
}
