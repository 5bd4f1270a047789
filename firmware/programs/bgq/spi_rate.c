/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often puts of 8 bytes arrive that rank 0 injects by the SPI for rank 1 behind each other, dynamically routed:
 * cycles of the core from one to the next, by the counter at rank 1 that goes down with each.
 *
 *     ./toroid run --machine bgq --shape 2x1x1x1x1 spi_rate [puts]
 *     spi_rate by=put messages=1000 cycles=100.0
 */
#include <hwi/include/bqc/A2_inlines.h>

#include "firmware/programs/bgq/spi_program.h"

enum { kBytes = 8, kTarget = 0, kCounter = 1 };

static uint64_t words[2] ALIGN_L2_CACHE; /* what is put, and where to */
static volatile uint64_t counter ALIGN_L2_CACHE;

static void put_all(const spi_place_t* place, MUSPI_InjFifoSubGroup_t* fifos, uint32_t puts) {
  MUHWI_Descriptor_t descriptor;
  spi_describe_put(&descriptor, place, 1, spi_physical(&words[0]), kBytes, kTarget, 0, kCounter);
  MUSPI_SetPt2PtVirtualChannel(&descriptor, MUHWI_PACKET_VIRTUAL_CHANNEL_DYNAMIC);
  MUSPI_SetRouting(&descriptor, MUHWI_PACKET_USE_DYNAMIC_ROUTING);
  uint64_t last = 0;
  for (uint32_t i = 0; i < puts; ++i) last = spi_inject(fifos, &descriptor);
  spi_wait_sent(fifos, last);
}

static void see_all(uint32_t puts) {
  const uint64_t all = (uint64_t)puts * kBytes;
  while (counter == all) continue;
  const uint64_t first_at = GetTimeBase(), left = counter;
  while (counter != 0) continue;
  const double later = (double)left / kBytes;
  printf("spi_rate by=put messages=%u cycles=%.1f\n", puts, (double)(GetTimeBase() - first_at) / later);
}

int main(int argc, char** argv) {
  const int puts = argc > 1 ? atoi(argv[1]) : 1000;
  const spi_place_t place = spi_place();
  if (puts < 2 || place.ranks < 2 || place.processes != 1) {
    if (place.rank == 0) printf("spi_rate [puts]: from 2 on, with 2 ranks or more, one on a node\n");
    return 1;
  }
  MUSPI_InjFifoSubGroup_t* fifos = spi_injection_fifos(&place);
  MUSPI_BaseAddressTableSubGroup_t* bases = spi_base_addresses(&place);
  MUSPI_SetBaseAddress(bases, kTarget, spi_physical(&words[1]));
  MUSPI_SetBaseAddress(bases, kCounter, MUSPI_GetAtomicAddress(spi_physical(&counter), MUHWI_ATOMIC_OPCODE_STORE_ADD));
  counter = (uint64_t)puts * kBytes;
  words[0] = place.rank + 1;
  spi_barrier();
  if (place.rank == 0) put_all(&place, fifos, (uint32_t)puts);
  if (place.rank == 1) see_all((uint32_t)puts);
  spi_barrier();
  return place.rank == 1 && words[1] != 1;
}
