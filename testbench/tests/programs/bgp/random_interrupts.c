// SPDX-License-Identifier: Apache-2.0
//
// A thread polls memory and registers in loops of random shapes until a handler has changed a word: an interrupt of the
// DMA calls it, on the thread's own core or on one that is idle. The handler uses devices before and after, returns or
// gives its core back by a call. Prints a sum over when the thread saw what: nothing about interrupts goes unnoticed.
//
//   random_interrupts SEED [ROUNDS]
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgp/spi_program.h"
#include "firmware/programs/contents.h"

#define BYTES 16u

static uint8_t source[BYTES] ALIGN_L1D_CACHE, target[BYTES] ALIGN_L1D_CACHE;
static DMA_CounterGroup_t received;
static LockBox_Counter_t class, counter;
static volatile uint32_t calls, done, begun;
static volatile uint32_t ends;
static uint32_t seed, turns;

static uint32_t next(uint32_t below) {
  return program_hash(seed, ++turns) % below;
}

static void compute(uint32_t times) {
  while (times-- != 0) __asm__ volatile("");
}

static void* begin(void* argument) {
  (void)argument;
  begun++;
  for (;;) (void)pthread_poof_np();
  return NULL;
}

/// Where other threads run, loops that read nothing but memory may sleep, too.
static void* companion(void* argument) {
  (void)argument;
  while (!ends) {
  }
  return NULL;
}

static void on_zero(uint32_t late, uint32_t length, uint32_t lockbox, uint32_t poof) {
  DMA_CounterClearHitZeroById(&received, 0);
  compute(length);
  if (!late) calls++;
  if (lockbox) (void)LockBox_FetchAndInc(counter);
  compute(length);
  if (late) calls++;
  done++;
  if (poof) (void)pthread_poof_np();
}

/// What the loop does beside looking at the word.
static void turn(uint32_t shape, uint32_t length) {
  if (shape == 1 || shape == 3) (void)LockBox_Query(counter);
  if (shape == 2) (void)DMA_CounterGetValueById(&received, 1);
  if (shape >= 2) compute(length);
  if (shape == 4) (void)DMA_CounterGetHitZeroById(&received, 1);
}

static void put(DMA_InjFifoGroup_t* fifos, DMA_CounterGroup_t* sent, uint32_t group) {
  DMA_InjDescriptor_t descriptor;
  (void)DMA_LocalDirectPutDescriptor(&descriptor, group, 0, 0, group, 0, 0, BYTES);
  (void)DMA_CounterSetValueBaseMax(&received.counter[0], BYTES, target, target + BYTES - 1);
  DMA_CounterSetEnableById(&received, 0);
  DMA_CounterIncrementById(sent, 0, BYTES);
  if (!DMA_InjFifoInjectDescriptorById(fifos, 1, &descriptor)) spi_expect(ENOSPC, "injection FIFO");
}

int main(int argc, char** argv) {
  const uint32_t rounds = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : 100;
  const spi_place_t place = spi_place();
  const uint32_t first = (uint32_t)Kernel_PhysicalProcessorID(), cores = (uint32_t)Kernel_ProcessorCount();
  seed = (argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 1) + place.rank;
  DMA_InjFifoGroup_t* fifos = spi_injection_fifos(&place);
  DMA_CounterGroup_t* sent = spi_counters(&place, DMA_Type_Injection);
  for (uint32_t i = 0; i < cores; i++) {
    pthread_t thread;
    spi_expect(pthread_create_CommThread_np(&thread, NULL, begin, NULL), "communication thread");
  }
  while (begun < cores) {
  }
  spi_expect(LockBox_AllocateCounter(100 + 2 * place.process, &class, first, 1, 0), "lockbox counter");
  spi_expect(LockBox_AllocateCounter(101 + 2 * place.process, &counter, first, 1, 0), "lockbox counter");
  int subgroup = 0;
  spi_expect(DMA_CounterGroupAllocate(DMA_Type_Reception, (int)place.process, 1, &subgroup, (int)first, on_zero, NULL,
                                      (Kernel_InterruptGroup_t) class, &received),
             "counters");
  const int interrupt = Kernel_MkInterruptID(3, 4 + (int)place.process);
  (void)DMA_CounterSetValueBase(&sent->counter[0], 1u << 30, source);
  DMA_CounterSetEnableById(sent, 0);

  pthread_t other;
  const int accompanied = cores > 1 && next(2) != 0;
  if (accompanied) spi_expect(pthread_create(&other, NULL, companion, NULL), "thread");
  // The same in all rounds: what the entry disables, the end of the handler must enable.
  const int masks = next(2) ? COMMTHRD_OPCODE_DISABLEINTONENTRY | COMMTHRD_OPCODE_ENABLEINTONPOOF : 0;
  uint32_t sum = 0;
  for (uint32_t round = 1; round <= rounds; round++) {
    const uint32_t core = first + next(cores), shape = next(5), length = next(120);
    const int opcode = (COMMTHRD_OPCODE_CORE0 + (int)core) | COMMTHRD_OPCODE_CALLFUNC | masks;
    const uint32_t late = next(2), work = next(200), lockbox = next(2), poof = next(2);
    (void)Kernel_SetCommThreadConfig(interrupt, opcode, class, on_zero, late, work, lockbox, poof);
    compute(next(3000));
    put(fifos, sent, place.process);
    while (calls < round) turn(shape, length);
    const uint32_t seen = (uint32_t)_bgp_GetTimeBase();
    while (done < round) {
    }
    sum = program_hash(sum, program_hash(seen, (uint32_t)_bgp_GetTimeBase()));
  }
  ends = 1;
  if (accompanied) spi_expect(pthread_join(other, NULL), "join");
  printf("rank %u: %u calls, %08x\n", (unsigned)place.rank, (unsigned)calls, (unsigned)sum);
  return 0;
}
