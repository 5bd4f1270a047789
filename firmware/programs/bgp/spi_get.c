// SPDX-License-Identifier: Apache-2.0
//
// Remote gets: rank r fetches messages from the memory of rank r + 1, whose cores do nothing for it. The request is a
// descriptor that the DMA of the other node appends to its injection FIFO: a direct put back.
#include <stdio.h>
#include <string.h>

#include "firmware/programs/bgp/spi_program.h"

#define MOST 20000u

static uint8_t source[MOST] ALIGN_L1D_CACHE;
static uint8_t target[MOST + 16] ALIGN_L1D_CACHE;
static DMA_InjDescriptor_t request ALIGN_L1D_CACHE;

static uint8_t pattern(uint32_t rank, uint32_t i) {
  return (uint8_t)(rank * 91 + i * 3 + (i >> 7));
}

int main(void) {
  static const uint32_t sizes[] = {8, 240, 1000, MOST};
  const spi_place_t place = spi_place();
  const uint32_t from = (place.rank + 1) % place.ranks;
  const spi_coordinates_t self = spi_coordinates(place.rank), there = spi_coordinates(from);
  DMA_InjFifoGroup_t* fifos = spi_injection_fifos(&place);
  DMA_CounterGroup_t* sent = spi_counters(&place, DMA_Type_Injection);
  DMA_CounterGroup_t* received = spi_counters(&place, DMA_Type_Reception);
  unsigned wrong = 0;

  for (uint32_t i = 0; i < MOST; i++) source[i] = pattern(place.rank, i);
  // Counter 0: what others fetch; it never reaches zero. Counter 1: requests.
  spi_expect(DMA_CounterSetValueBase(&sent->counter[0], DMA_COUNTER_INIT_VAL, source) != 0, "injection counter 0");
  spi_expect(DMA_CounterSetValueBase(&sent->counter[1], 0, &request) != 0, "injection counter 1");
  DMA_CounterSetEnableById(sent, 0);
  DMA_CounterSetEnableById(sent, 1);
  spi_barrier();

  for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    const uint32_t size = sizes[i], at = i;
    DMA_InjDescriptor_t get;
    memset(target, 0, sizeof target);
    spi_expect(DMA_CounterSetValueBaseMax(&received->counter[0], size, target, target + sizeof target - 1) != 0,
               "reception counter");
    DMA_CounterClearHitZeroById(received, 0);
    DMA_CounterSetEnableById(received, 0);
    // [get]
    (void)DMA_TorusDirectPutDescriptor(&request, self.x, self.y, self.z, there.hints, DMA_PACKET_VC_D0, there.t, 0, 0,
                                       place.process, 0, at, size);
    (void)DMA_TorusRemoteGetDescriptor(&get, there.x, there.y, there.z, there.hints, DMA_PACKET_VC_D0, place.process, 1,
                                       0, there.t, 2);
    DMA_CounterIncrementById(sent, 1, sizeof request);
    if (!DMA_InjFifoInjectDescriptorById(fifos, 0, &get)) spi_expect(ENOSPC, "injection FIFO");
    while (!DMA_CounterGetHitZeroById(received, 0)) {
    }
    // [end]
    for (uint32_t byte = 0; byte < size; byte++) wrong += target[at + byte] != pattern(from, byte);
    wrong += target[at + size] != 0;
    wrong += DMA_CounterGetValueById(sent, 1) != 0;
  }
  spi_barrier();  // nobody ends while others fetch from it
  printf("rank %u: gets of 8 to %u bytes from rank %u: %u bytes are wrong\n", place.rank, MOST, from, wrong);
  return wrong != 0;
}
