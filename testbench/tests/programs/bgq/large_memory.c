// SPDX-License-Identifier: Apache-2.0
// Two tasks, each with six GiB of memory: cores, caches, the Messaging Unit and the L2's atomic operations must tell
// addresses apart that differ by 2 or 4 GiB. Each prints how much was wrong.
#include <spi/include/kernel/memory.h>
#include <spi/include/l2/atomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgq/pami_program.h"

#define GIB ((size_t)1 << 30)
enum { GIBS = 6, BYTES = 40000, PLACE = 1 << 20, SOURCE = 2 << 20, TARGET = 3 << 20, WORD = 4 << 20 };

static pami_program_t program;
static unsigned under_way, wrong;
static uint8_t* all;

static uint8_t* place(unsigned gib, size_t offset) {
  return all + gib * GIB + offset;
}

static void ended(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)cookie, (void)result;
  --under_way;
}

static void wait_for_all(void) {
  while (under_way != 0) PAMI_Context_advance(program.context[0], 1);
}

static void barrier(void) {
  pami_geometry_t world;
  pami_metadata_t about;
  pami_xfer_t operation = {.cb_done = ended};
  pami_program_expect(PAMI_Geometry_world(program.client, &world), "PAMI_Geometry_world");
  pami_program_expect(
      PAMI_Geometry_algorithms_query(world, PAMI_XFER_BARRIER, &operation.algorithm, &about, 1, NULL, NULL, 0),
      "PAMI_Geometry_algorithms_query");
  ++under_way;
  pami_program_expect(PAMI_Collective(program.context[0], &operation), "PAMI_Collective");
  wait_for_all();
}

static void fill(uint8_t* at, unsigned number) {
  for (size_t i = 0; i < BYTES; ++i) at[i] = (uint8_t)(i * 7 + number * 31 + i / 256);
}

static unsigned differs(const uint8_t* at, unsigned number) {
  for (size_t i = 0; i < BYTES; ++i) {
    if (at[i] != (uint8_t)(i * 7 + number * 31 + i / 256)) return 1;
  }
  return 0;
}

// Each GiB of the other task gets what it shall have from the GiB opposite, and gives it back.
static void exchange(void) {
  pami_memregion_t region;  // both tasks have asked for the same, so the other's is the same
  size_t bytes;
  pami_program_expect(PAMI_Memregion_create(program.context[0], all, GIBS * GIB, &bytes, &region),
                      "PAMI_Memregion_create");
  wrong += bytes != GIBS * GIB;
  const pami_endpoint_t other = pami_program_endpoint(&program, 1 - program.me, 0);
  for (unsigned gib = 0; gib < GIBS; ++gib) fill(place(gib, SOURCE), 10 * program.me + gib);
  for (unsigned gib = 0; gib < GIBS; ++gib) {
    ++under_way;
    pami_rput_simple_t put = {.rma = {.dest = other, .bytes = BYTES, .done_fn = ended},
                              .rdma = {.local = {.mr = &region, .offset = gib * GIB + SOURCE},
                                       .remote = {.mr = &region, .offset = (GIBS - 1 - gib) * GIB + TARGET}}};
    pami_program_expect(PAMI_Rput(program.context[0], &put), "PAMI_Rput");
  }
  wait_for_all();
  barrier();
  for (unsigned gib = 0; gib < GIBS; ++gib)
    wrong += differs(place(GIBS - 1 - gib, TARGET), 10 * (1 - program.me) + gib);
  for (unsigned gib = 0; gib < GIBS; ++gib) {
    ++under_way;
    pami_rget_simple_t get = {.rma = {.dest = other, .bytes = BYTES, .done_fn = ended},
                              .rdma = {.local = {.mr = &region, .offset = (GIBS - 1 - gib) * GIB + PLACE},
                                       .remote = {.mr = &region, .offset = gib * GIB + TARGET}}};
    pami_program_expect(PAMI_Rget(program.context[0], &get), "PAMI_Rget");
  }
  wait_for_all();
  for (unsigned gib = 0; gib < GIBS; ++gib) wrong += differs(place(gib, PLACE), 10 * program.me + gib);
  barrier();
}

static void count(void) {
  for (unsigned gib = 0; gib < GIBS; ++gib) {
    volatile uint64_t* const word = (volatile uint64_t*)place(gib, WORD);
    if (Kernel_L2AtomicsAllocate((void*)word, sizeof *word) != 0) ++wrong;
    *word = 100 * gib;
  }
  for (unsigned gib = 0; gib < GIBS; ++gib)
    wrong += L2_AtomicLoadIncrement((volatile uint64_t*)place(gib, WORD)) != 100 * gib;
  for (unsigned gib = 0; gib < GIBS; ++gib) wrong += *(volatile uint64_t*)place(gib, WORD) != 100 * gib + 1;
}

int main(void) {
  program = pami_program_start("large_memory", 1);
  all = aligned_alloc(128, GIBS * GIB);
  if (all == NULL) {
    printf("no room\n");
    return 2;
  }
  for (unsigned gib = 0; gib < GIBS; ++gib) fill(place(gib, PLACE), gib);
  for (unsigned gib = 0; gib < GIBS; ++gib) wrong += differs(place(gib, PLACE), gib);
  exchange();
  count();
  printf("task %u: %u wrong\n", (unsigned)program.me, wrong);
  pami_program_end(&program);
  return wrong != 0;
}
