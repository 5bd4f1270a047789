// SPDX-License-Identifier: Apache-2.0
//
// Waits at a counter of the DMA for a long time: all ranks but 0 poll a reception counter until rank 0, after a sleep,
// puts 64 bytes into the memory of each.
//   dma_poll [MILLISECONDS]
#define _POSIX_C_SOURCE 199309L  // nanosleep
#include <stdlib.h>
#include <time.h>

#include "firmware/programs/bgp/spi_program.h"

#define BYTES 64

static uint8_t source[BYTES] ALIGN_L1D_CACHE, target[BYTES] ALIGN_L1D_CACHE;

static void put_everywhere(const spi_place_t* place) {
  DMA_InjFifoGroup_t* fifos = spi_injection_fifos(place);
  DMA_CounterGroup_t* sent = spi_counters(place, DMA_Type_Injection);
  spi_expect(DMA_CounterSetValueBase(&sent->counter[0], 0, source) != 0, "injection counter");
  DMA_CounterSetEnableById(sent, 0);
  for (uint32_t rank = 1; rank < place->ranks; rank++) {
    const spi_coordinates_t to = spi_coordinates(rank);
    DMA_InjDescriptor_t descriptor;
    (void)DMA_TorusDirectPutDescriptor(&descriptor, to.x, to.y, to.z, 0, DMA_PACKET_VC_BN, place->process, 0, 0, to.t,
                                       1, 0, BYTES);
    DMA_CounterIncrementById(sent, 0, BYTES);
    while (!DMA_InjFifoInjectDescriptorById(fifos, 0, &descriptor)) {
    }
  }
  while (DMA_CounterGetValueById(sent, 0) != 0) {
  }
}

int main(int argc, char** argv) {
  const unsigned long milliseconds = argc > 1 ? strtoul(argv[1], NULL, 0) : 10;
  const spi_place_t place = spi_place();
  for (unsigned i = 0; i < BYTES; i++) source[i] = (uint8_t)(i + 1);
  DMA_CounterGroup_t* received = spi_counters(&place, DMA_Type_Reception);
  spi_expect(DMA_CounterSetValueBaseMax(&received->counter[1], BYTES, target, target + BYTES - 1) != 0,
             "reception counter");
  DMA_CounterSetEnableById(received, 1);
  spi_barrier();
  if (place.rank == 0) {
    const struct timespec time = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
    nanosleep(&time, NULL);
    put_everywhere(&place);
    return EXIT_SUCCESS;
  }
  while (!DMA_CounterGetHitZeroById(received, 1)) {
  }
  for (unsigned i = 0; i < BYTES; i++) spi_expect(target[i] != i + 1, "the bytes that came");
  return EXIT_SUCCESS;
}
