// SPDX-License-Identifier: Apache-2.0
//
// Interrupts on a core whose thread sleeps in the kernel: a counter of the DMA that hits zero calls a function on the
// communication thread of that core, and the sleep goes on. Each rank puts into itself.
//
//   interrupted_sleep [others]   with others: a second thread ends the sleep, by which the function has been called
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "firmware/programs/bgp/spi_program.h"

#define ROUNDS 10u
#define BYTES 40000u

static uint8_t source[BYTES] ALIGN_L1D_CACHE;
static uint8_t target[BYTES] ALIGN_L1D_CACHE;
static DMA_CounterGroup_t reception;
static DMA_InjFifoGroup_t* fifos;
static DMA_CounterGroup_t* sent;
static uint32_t group;
static sem_t done;
static volatile unsigned calls, asleep, posted;
static volatile int posts;  ///< the function ends the sleep

static void on_zero(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  (void)a, (void)b, (void)c, (void)d;
  DMA_CounterClearHitZeroById(&reception, 0);
  calls++;
  if (posts) (void)sem_post(&done);
}

static void* begin(void* argument) {
  (void)argument;
  for (;;) (void)pthread_poof_np();
  return NULL;
}

static void put(void) {
  DMA_InjDescriptor_t descriptor;
  (void)DMA_LocalDirectPutDescriptor(&descriptor, group, 0, 0, group, 0, 0, BYTES);
  (void)DMA_CounterSetValueBaseMax(&reception.counter[0], BYTES, target, target + BYTES - 1);
  DMA_CounterSetEnableById(&reception, 0);
  DMA_CounterIncrementById(sent, 0, BYTES);
  if (!DMA_InjFifoInjectDescriptorById(fifos, 1, &descriptor)) spi_expect(ENOSPC, "injection FIFO");
}

/// Puts while the first thread sleeps, and wakes it when the function has been called.
static void* wake(void* argument) {
  (void)argument;
  for (unsigned round = 0; round < ROUNDS; round++) {
    while (asleep != round + 1) {
    }
    for (volatile unsigned i = 0; i < 5000; i++) {
    }
    const unsigned before = calls;
    put();
    for (unsigned i = 0; calls == before && i < 2000000; i++) __asm__ volatile("" ::: "memory");
    posted += calls == before + 1;
    (void)sem_post(&done);
  }
  return NULL;
}

static unsigned others_wake(void) {
  unsigned wrong = 0;
  pthread_t thread;
  spi_expect(pthread_create(&thread, NULL, wake, NULL), "thread");
  for (unsigned round = 0; round < ROUNDS; round++) {
    asleep = round + 1;
    register uint32_t kept __asm__("r20") = 0xC0FFEE00 + round;
    __asm__ volatile("" : "+r"(kept));
    while (sem_wait(&done) != 0) wrong++;
    __asm__ volatile("" : "+r"(kept));
    wrong += kept != 0xC0FFEE00 + round || posted != round + 1 || calls != round + 1;
  }
  pthread_join(thread, NULL);
  return wrong;
}

/// Nobody but the function can end the sleep.
static unsigned function_wakes(void) {
  unsigned wrong = 0;
  posts = 1;
  for (unsigned round = 0; round < ROUNDS; round++) {
    const unsigned before = calls;
    put();
    while (sem_wait(&done) != 0) wrong++;
    wrong += calls != before + 1;
  }
  posts = 0;
  return wrong;
}

/// Interrupts neither end nor lengthen a sleep with an end.
static unsigned time_ends_it(void) {
  const long nanoseconds = 300000;
  const unsigned before = calls;
  put();
  struct timespec begun, now, end;
  clock_gettime(CLOCK_REALTIME, &begun);
  end = begun;
  end.tv_nsec += nanoseconds;
  if (end.tv_nsec >= 1000000000) {
    end.tv_nsec -= 1000000000;
    end.tv_sec++;
  }
  const int timed_out = sem_timedwait(&done, &end) != 0 && errno == ETIMEDOUT;
  clock_gettime(CLOCK_REALTIME, &now);
  const long slept = (long)(now.tv_sec - begun.tv_sec) * 1000000000 + now.tv_nsec - begun.tv_nsec;
  return (unsigned)!timed_out + (calls != before + 1) + (slept < nanoseconds || slept > nanoseconds + 20000);
}

int main(int argc, char** argv) {
  (void)argv;
  const spi_place_t place = spi_place();
  const unsigned core = (unsigned)Kernel_PhysicalProcessorID();
  group = place.process;
  fifos = spi_injection_fifos(&place);
  sent = spi_counters(&place, DMA_Type_Injection);
  (void)sem_init(&done, 0, 0);
  pthread_t thread;
  spi_expect(pthread_create_CommThread_np(&thread, NULL, begin, NULL), "communication thread");
  int subgroup = 0;
  spi_expect(DMA_CounterGroupAllocate(DMA_Type_Reception, (int)group, 1, &subgroup, (int)core, on_zero, NULL, NULL,
                                      &reception),
             "counters");
  spi_expect(Kernel_SetCommThreadConfig(Kernel_MkInterruptID(3, 4 + (int)group),
                                        (COMMTHRD_OPCODE_CORE0 + (int)core) | COMMTHRD_OPCODE_CALLFUNC, 0, on_zero, 0,
                                        0, 0, 0),
             "interrupt");
  (void)DMA_CounterSetValueBase(&sent->counter[0], DMA_COUNTER_INIT_VAL - 4 * ROUNDS * BYTES, source);
  DMA_CounterSetEnableById(sent, 0);
  const unsigned wrong = (argc > 1 ? others_wake() : 0) + function_wakes() + time_ends_it();
  printf("rank %u: %u calls, %u wrong\n", place.rank, calls, wrong);
  return wrong != 0;
}
