// SPDX-License-Identifier: Apache-2.0
//
// Direct puts by the SPI: rank r puts a message of each of some sizes, at odd addresses, into the memory of rank r + 1,
// and one into its own by the local FIFO.
#include <stdio.h>
#include <string.h>

#include "firmware/programs/bgp/spi_program.h"

#define MOST 100000u

static uint8_t source[MOST + 32] ALIGN_L1D_CACHE;
static uint8_t target[MOST + 32] ALIGN_L1D_CACHE;

static uint8_t pattern(uint32_t rank, uint32_t size, uint32_t i) {
  return (uint8_t)(rank * 37 + size * 11 + i * 7 + (i >> 8));
}

/// Bytes of the message of rank `from` that are wrong, and those around it that have changed.
static unsigned compare(uint32_t from, uint32_t offset, uint32_t size) {
  unsigned wrong = 0;
  for (uint32_t i = 0; i < sizeof target; i++) {
    const int inside = i >= offset && i < offset + size;
    wrong += target[i] != (inside ? pattern(from, size, i - offset) : 0xA5);
  }
  return wrong;
}

int main(void) {
  static const uint32_t sizes[] = {1, 16, 64, 208, 209, 240, 241, 4096, 65537, MOST};
  const spi_place_t place = spi_place();
  const spi_coordinates_t to = spi_coordinates((place.rank + 1) % place.ranks);
  const uint32_t from = (place.rank + place.ranks - 1) % place.ranks;
  const uint32_t core = (uint32_t)Kernel_PhysicalProcessorID();
  DMA_InjFifoGroup_t* fifos = spi_injection_fifos(&place);
  DMA_CounterGroup_t* sent = spi_counters(&place, DMA_Type_Injection);
  DMA_CounterGroup_t* received = spi_counters(&place, DMA_Type_Reception);
  unsigned wrong = 0;

  void *low, *high;
  DMA_CounterGetMinMaxVa(&low, &high);
  spi_expect(DMA_CounterSetValueBase(&sent->counter[0], 0, low) != 0 ? errno : 0, "injection counter");
  DMA_CounterSetEnableById(sent, 0);

  for (unsigned local = 0; local < 2; local++)
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      const uint32_t size = sizes[i], at = 1 + i % 3, put_at = 2 + i;
      DMA_InjDescriptor_t descriptor;
      for (uint32_t byte = 0; byte < size; byte++) source[at + byte] = pattern(place.rank, size, byte);
      memset(target, 0xA5, sizeof target);
      spi_expect(DMA_CounterSetValueBaseMax(&received->counter[1], size, target, target + sizeof target - 1) != 0,
                 "reception counter");
      DMA_CounterClearHitZeroById(received, 1);
      DMA_CounterSetEnableById(received, 1);
      spi_barrier();

      // [put]
      const uint32_t offset = DMA_CounterGetOffsetFromBaseById(sent, 0, source + at, size, core);
      if (local)
        (void)DMA_LocalDirectPutDescriptor(&descriptor, place.process, 0, offset, place.process, 1, put_at, size);
      else
        (void)DMA_TorusDirectPutDescriptor(&descriptor, to.x, to.y, to.z, to.hints, DMA_PACKET_VC_D0, place.process, 0,
                                           offset, to.t, 1, put_at, size);
      DMA_CounterIncrementById(sent, 0, size);
      if (!DMA_InjFifoInjectDescriptorById(fifos, (int)local, &descriptor)) spi_expect(ENOSPC, "injection FIFO");
      while (DMA_CounterGetValueById(sent, 0) != 0) {
      }
      while (!DMA_CounterGetHitZeroById(received, 1)) {
      }
      // [end]
      wrong += compare(local ? place.rank : from, put_at, size);
      if (!DMA_InjFifoIsDescriptorDoneById(fifos, (int)local, i + 1, 1)) wrong++;
      spi_barrier();
    }
  printf("rank %u: puts of 1 to %u bytes from rank %u and from itself: %u bytes are wrong\n", place.rank, MOST, from,
         wrong);
  return wrong != 0;
}
