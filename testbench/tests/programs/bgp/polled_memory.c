// SPDX-License-Identifier: Apache-2.0
//
// Threads that poll memory: words that another thread writes, at every phase of the loop that polls them, and a word
// that the DMA writes; alone, and beside a register.
//
//   polled_memory [forever]   forever: both threads wait for each other at the end
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "firmware/programs/bgp/spi_program.h"

#define ROUNDS 40u

static volatile uint32_t ping, pong, seen;
static volatile uint8_t byte_flag[8];
static uint32_t source[4] ALIGN_L1D_CACHE;
static volatile uint32_t target[4] ALIGN_L1D_CACHE;
static DMA_InjFifoGroup_t* fifos;
static DMA_CounterGroup_t* sent;
static DMA_CounterGroup_t* received;
static uint32_t group, first_word;
static int forever;

static void work(uint32_t length) {
  for (volatile uint32_t i = 0; i < length; i++) {
  }
}

/// By a function of its own, whose frame lies on the stack.
__attribute__((noinline)) static int is_there(volatile uint32_t* word, uint32_t value) {
  volatile uint32_t copy = *word;
  return copy == value;
}

static void* second(void* argument) {
  (void)argument;
  for (uint32_t round = 1; round <= ROUNDS; round++) {
    while (ping != round) {
    }
    seen += round;
    work(round * 7);
    pong = round;
  }
  for (uint32_t round = 1; round <= ROUNDS; round++) {
    // Beside a register that does not change.
    while (!is_there(&ping, ROUNDS + round)) (void)DMA_CounterGetHitZeroById(received, 0);
    seen += round;
    pong = ROUNDS + round;
  }
  for (uint32_t round = 1; round <= ROUNDS; round++) {
    while (byte_flag[round % 8] != round) {
    }
    pong = 2 * ROUNDS + round;
  }
  for (uint32_t round = 1; round <= ROUNDS; round++) {
    while (target[1] != round) {  // the DMA's
    }
    seen += target[3];
    pong = 3 * ROUNDS + round;
  }
  while (forever && first_word == 0) __asm__ volatile("" ::: "memory");
  return NULL;
}

static void put(uint32_t round) {
  DMA_InjDescriptor_t descriptor;
  for (unsigned i = 0; i < 4; i++) source[i] = round;
  _bgp_msync();
  (void)DMA_LocalDirectPutDescriptor(&descriptor, group, 0, 0, group, 0, 0, sizeof source);
  DMA_CounterIncrementById(received, 0, 1u << 16);  // does not hit zero
  DMA_CounterIncrementById(sent, 0, sizeof source);
  if (!DMA_InjFifoInjectDescriptorById(fifos, 1, &descriptor)) spi_expect(ENOSPC, "injection FIFO");
}

static void first(void) {
  for (uint32_t round = 1; round <= 2 * ROUNDS; round++) {
    work(round * 31 % 1000 + (round % 4 == 0 ? 4000 : 0));
    ping = round;
    while (pong != round) {
    }
  }
  for (uint32_t round = 1; round <= ROUNDS; round++) {
    work(round * 57 % 2000);
    byte_flag[round % 8] = (uint8_t)round;
    while (pong != 2 * ROUNDS + round) {
    }
  }
  for (uint32_t round = 1; round <= ROUNDS; round++) {
    work(round * 57 % 2000);
    put(round);
    while (pong != 3 * ROUNDS + round) {
    }
  }
}

int main(int argc, char** argv) {
  (void)argv;
  const spi_place_t place = spi_place();
  group = place.process;
  forever = argc > 1;
  fifos = spi_injection_fifos(&place);
  sent = spi_counters(&place, DMA_Type_Injection);
  received = spi_counters(&place, DMA_Type_Reception);
  (void)DMA_CounterSetValueBase(&sent->counter[0], 1u << 30, source);
  (void)DMA_CounterSetValueBaseMax(&received->counter[0], 1u << 30, (void*)target, (void*)(target + 4));
  DMA_CounterSetEnableById(sent, 0);
  DMA_CounterSetEnableById(received, 0);
  pthread_t thread;
  spi_expect(pthread_create(&thread, NULL, second, NULL), "thread");
  first();
  while (forever && first_word == 0) __asm__ volatile("" ::: "memory");
  pthread_join(thread, NULL);
  printf("rank %u: %u seen\n", place.rank, (unsigned)seen);
  return 0;
}
