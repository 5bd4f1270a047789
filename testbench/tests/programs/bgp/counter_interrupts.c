// SPDX-License-Identifier: Apache-2.0
//
// Handlers of counters, as DMA_CounterGroupAllocate() takes them: each is called, with its parameter, on the core that
// it was given for, when a counter of its subgroup hits zero; those of a subgroup without a handler call nobody.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "firmware/programs/bgp/spi_program.h"

#define ROUNDS 10u
#define BYTES 3000u
enum { WITH = 3, WITHOUT = 8 };  // counters: of subgroup 0, which has a handler, and of subgroup 1

typedef struct {
  DMA_CounterGroup_t counters;
  volatile unsigned calls;
} side_t;

static uint8_t source[BYTES] ALIGN_L1D_CACHE;
static uint8_t target[BYTES] ALIGN_L1D_CACHE;
static side_t sides[2];                  // by DMA_Type_t
static DMA_CounterGroup_t unhandled[2];  // subgroup 1
static volatile unsigned begun, wrong;
static unsigned core;  // that takes the interrupts

static void on_zero(side_t* side, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  if (a != (uint32_t)side || b != 0 || c != 0 || d != 0) wrong++;
  if ((unsigned)Kernel_PhysicalProcessorID() != core) wrong++;
  if (!DMA_CounterGetHitZeroById(&side->counters, WITH)) wrong++;
  DMA_CounterClearHitZeroById(&side->counters, WITH);
  side->calls++;
}

static void on_sent(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  on_zero(&sides[DMA_Type_Injection], a, b, c, d);
}

static void on_received(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  on_zero(&sides[DMA_Type_Reception], a, b, c, d);
}

static void* begin(void* argument) {
  (void)argument;
  begun++;
  for (;;) (void)pthread_poof_np();
  return NULL;
}

static void allocate(unsigned group, LockBox_Counter_t class) {
  static const Kernel_CommThreadHandler kHandlers[2] = {on_sent, on_received};
  for (unsigned type = 0; type < 2; type++) {
    int with = 0, without = 1;
    spi_expect(DMA_CounterGroupAllocate((DMA_Type_t)type, (int)group, 1, &with, (int)core, kHandlers[type],
                                        &sides[type], (Kernel_InterruptGroup_t) class, &sides[type].counters),
               "counters with a handler");
    spi_expect(
        DMA_CounterGroupAllocate((DMA_Type_t)type, (int)group, 1, &without, 0, NULL, NULL, NULL, &unhandled[type]),
        "counters without a handler");
  }
}

// From this process to itself.
static void put(DMA_InjFifoGroup_t* fifos, DMA_CounterGroup_t* sent, DMA_CounterGroup_t* received, unsigned group,
                unsigned counter) {
  DMA_InjDescriptor_t descriptor;
  (void)DMA_LocalDirectPutDescriptor(&descriptor, group, counter, 0, group, counter, 0, BYTES);
  (void)DMA_CounterSetValueBase(&sent->counter[counter], BYTES, source);
  (void)DMA_CounterSetValueBaseMax(&received->counter[counter], BYTES, target, target + BYTES - 1);
  DMA_CounterSetEnableById(sent, (int)counter);
  DMA_CounterSetEnableById(received, (int)counter);
  memset(target, 0, BYTES);
  if (!DMA_InjFifoInjectDescriptorById(fifos, 1, &descriptor)) spi_expect(ENOSPC, "injection FIFO");
}

int main(void) {
  const spi_place_t place = spi_place();
  const unsigned cores = (unsigned)Kernel_ProcessorCount();
  DMA_InjFifoGroup_t* fifos = spi_injection_fifos(&place);
  for (unsigned i = 0; i < cores; i++) {
    pthread_t thread;
    spi_expect(pthread_create_CommThread_np(&thread, NULL, begin, NULL), "communication thread");
  }
  while (begun < cores) {
  }
  core = (unsigned)Kernel_PhysicalProcessorID() + cores - 1;
  LockBox_Counter_t class;
  spi_expect(LockBox_AllocateCounter(100 + place.process, &class, (uint32_t)Kernel_PhysicalProcessorID(), 1, 0),
             "lockbox counter");
  allocate(place.process, class);

  side_t *sent = &sides[DMA_Type_Injection], *received = &sides[DMA_Type_Reception];
  for (unsigned round = 0; round < ROUNDS; round++) {
    for (unsigned byte = 0; byte < BYTES; byte++) source[byte] = (uint8_t)(round + byte * 7);
    put(fifos, &sent->counters, &received->counters, place.process, WITH);
    while (sent->calls == round || received->calls == round) {
    }
    wrong += sent->calls != round + 1 || received->calls != round + 1 || memcmp(source, target, BYTES) != 0;
    put(fifos, &unhandled[DMA_Type_Injection], &unhandled[DMA_Type_Reception], place.process, WITHOUT);
    while (!DMA_CounterGetHitZeroById(&unhandled[DMA_Type_Reception], WITHOUT)) {
    }
    DMA_CounterClearHitZeroById(&unhandled[DMA_Type_Reception], WITHOUT);
    DMA_CounterClearHitZeroById(&unhandled[DMA_Type_Injection], WITHOUT);
    for (volatile unsigned i = 0; i < 20000; i++) {
    }
    wrong += sent->calls != round + 1 || received->calls != round + 1 || memcmp(source, target, BYTES) != 0;
  }
  printf("rank %u: handlers called %u and %u times on core %u, %u wrong\n", place.rank, sent->calls, received->calls,
         core, wrong);
  return wrong != 0;
}
