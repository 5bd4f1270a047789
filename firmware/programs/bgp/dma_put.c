// SPDX-License-Identifier: Apache-2.0
//
// 64 bytes into a neighbour, by the registers of the DMA alone: rank r puts them into the memory of rank r + 1. Each
// rank has injection FIFO 0, injection counter 0 and reception counter 0 of its group.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "drivers/bgp/dma.h"
#include "firmware/programs/bgp/spi_program.h"

#define BYTES 64
#define DESCRIPTORS 64

static bgp_dma_descriptor_t ring[DESCRIPTORS];
static uint8_t source[BYTES] __attribute__((aligned(32)));
static uint8_t target[BYTES] __attribute__((aligned(32)));
/// What the kernel fills in about the FIFO and the counters; this program uses their registers.
static uint32_t fifo_group[BGP_SPI_INJ_GROUP_BYTES / 4] __attribute__((aligned(32)));
static uint32_t counter_group[2][BGP_SPI_COUNTER_GROUP_BYTES / 4] __attribute__((aligned(32)));

static int failed(const char* what, uint32_t error) {
  printf("%s: %s\n", what, strerror((int)error));
  return 1;
}

/// The physical address >> 4.
static uint32_t physical(void* address) {
  uint32_t upper, lower;
  if (Kernel_Virtual2Physical(address, 1, &upper, &lower) != 0) return 0;
  return upper << 28 | lower >> 4;
}

static int set_up(unsigned group) {
  uint32_t id = 0, subgroup = 0;
  uint16_t priority = 0, local = 0;
  uint8_t map = 0xEE;  // all torus FIFOs of normal priority
  uint32_t error = Kernel_InjFifoGroupAllocate(group, 1, &id, &priority, &local, &map, fifo_group);
  if (error != 0) return failed("injection FIFO", error);
  error = Kernel_InjFifoInitById(fifo_group, 0, (uint32_t*)ring, (uint32_t*)ring, (uint32_t*)(ring + DESCRIPTORS));
  if (error != 0) return failed("injection FIFO's memory", error);
  for (uint32_t type = 0; type < 2; type++) {
    error = Kernel_CounterGroupAllocate(type, group, 1, &subgroup, 0, 0, NULL, 0, counter_group[type]);
    if (error != 0) return failed("counters", error);
  }

  bgp_dma_counter_set_base(BGP_DMA_INJECTION, group, 0, physical(source));
  bgp_dma_counter_enable(BGP_DMA_INJECTION, group, 0);

  bgp_dma_counter_set(BGP_DMA_RECEPTION, group, 0, BYTES);
  bgp_dma_counter_set_base(BGP_DMA_RECEPTION, group, 0, physical(target));
  bgp_dma_counter_set_max(group, 0, physical(target + BYTES - 1));
  bgp_dma_counter_enable(BGP_DMA_RECEPTION, group, 0);
  bgp_access_order();
  return 0;
}

int main(void) {
  const spi_place_t place = spi_place();
  const spi_coordinates_t to = spi_coordinates((place.rank + 1) % place.ranks);
  for (unsigned i = 0; i < BYTES; i++) source[i] = (uint8_t)(place.rank * 3 + i);
  if (set_up(place.process) != 0) return 1;
  spi_barrier();  // all counters are armed

  // [put]
  bgp_dma_put_t put = {.x = to.x, .y = to.y, .z = to.z, .hints = to.hints, .vc = TORUS_VC_BUBBLE, .bytes = BYTES};
  put.injection_counter = 64 * place.process;
  put.reception_counter = 64 * to.t;  // the group of a process is its number on the node
  bgp_dma_descriptor_t descriptor;
  bgp_dma_put_descriptor(&descriptor, &put);

  unsigned tail = 0;
  bgp_dma_counter_add(BGP_DMA_INJECTION, place.process, 0, BYTES);
  bgp_access_order();
  bgp_dma_inject(place.process, 0, ring, physical(ring), DESCRIPTORS, &tail, &descriptor);
  // [end]

  while (!bgp_dma_counter_hit_zero(BGP_DMA_INJECTION, place.process, 0)) {
  }
  while (!bgp_dma_counter_hit_zero(BGP_DMA_RECEPTION, place.process, 0)) {
  }

  const uint32_t from = (place.rank + place.ranks - 1) % place.ranks;
  unsigned wrong = 0;
  for (unsigned i = 0; i < BYTES; i++) wrong += target[i] != (uint8_t)(from * 3 + i);
  wrong += bgp_dma_inj_head(place.process, 0) != bgp_dma_inj_tail(place.process, 0);
  if (wrong == 0) printf("rank %u: %u bytes from rank %u\n", place.rank, BYTES, from);
  if (wrong != 0) printf("rank %u: %u bytes are wrong\n", place.rank, wrong);
  return wrong != 0;
}
