/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All nodes but the first wait for a long time: they poll a counter in memory, until the first node, after a sleep,
 * puts 64 bytes to each. With a second argument they poll by the L2's atomic loads, or sleep until the wake-up unit
 * sees a store there.
 *
 *     ./toroid run --machine bgq --shape 2x2x2x2x1 mu_poll [MILLISECONDS [l2|wait]]
 */
#define _POSIX_C_SOURCE 200809L
#include <hwi/include/bqc/A2_inlines.h>
#include <spi/include/wu/wait.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "firmware/programs/bgq/mu.h"

enum { kSubgroup = 0, kBytes = 64, kRing = 1024, kData = 0, kCounter = 1 };

static uint8_t descriptors[kRing * BGQ_DESCRIPTOR_BYTES] __attribute__((aligned(128)));
static uint8_t data[kBytes] __attribute__((aligned(128)));
static volatile uint64_t counter __attribute__((aligned(128)));

static void fail(const char* what, uint64_t error) {
  if (error == 0) return;
  printf("%s: error %u\n", what, (unsigned)error);
  exit(1);
}

static void put_everywhere(const uint8_t* nodes) {
  mu_ring_t ring;
  unsigned count = 1;
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) count *= nodes[d];
  if (count > kRing) fail("nodes", count);
  fail("injection FIFO", mu_open_injection(kSubgroup, 0, descriptors, sizeof descriptors, 0, &ring));
  const uint64_t payload = physical(data);
  for (unsigned node = 1; node < count; ++node) {
    uint8_t to[BGQ_DIMENSIONS], descriptor[BGQ_DESCRIPTOR_BYTES];
    unsigned rest = node;
    for (unsigned d = 0; d < BGQ_DIMENSIONS; rest /= nodes[d++]) to[d] = (uint8_t)(rest % nodes[d]);
    mu_describe(descriptor, to, 0, payload, kBytes);
    mu_set_type(descriptor, BGQ_MU_PUT);
    bgq_set_payload_base(descriptor + BGQ_DESCRIPTOR_HEADER, kSubgroup * 8 + kData);
    bgq_set_counter_base(descriptor + BGQ_DESCRIPTOR_HEADER, kSubgroup * 8 + kCounter);
    mu_inject(&ring, descriptor);
  }
  while (*mu_register(kSubgroup, BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET) < count - 1) continue;
}

int main(int argc, char** argv) {
  const unsigned long milliseconds = argc > 1 ? strtoul(argv[1], NULL, 0) : 10;
  uint8_t personality[BGQ_PERSONALITY_BYTES];
  kernel_call(BGQ_SYS_GET_PERSONALITY, (uint64_t)personality, sizeof personality, 0, 0, 0);
  const uint8_t* const here = personality + BGQ_PERSONALITY_COORDS_AT;
  int is_first = 1;
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) is_first &= here[d] == 0;
  fail("base address", mu_open_base(kSubgroup, kData, physical(data)));
  fail("base address", mu_open_base(kSubgroup, kCounter, bgq_atomic_address(physical(&counter), 2 /* store-add */)));
  fail("alias", kernel_call(BGQ_SYS_ALLOCATE_L2_ATOMIC, (uint64_t)&counter, sizeof counter, 0, 0, 0));
  counter = kBytes;
  for (unsigned i = 0; i < kBytes; ++i) data[i] = (uint8_t)(is_first ? i + 1 : 0);
  mu_fence();
  mu_barrier(); /* all are ready */
  if (is_first) {
    const struct timespec time = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
    nanosleep(&time, NULL);
    put_everywhere(personality + BGQ_PERSONALITY_NODES_AT);
    return 0;
  }
  const volatile uint64_t* polled = &counter;
  const int sleeps = argc > 2 && strcmp(argv[2], "wait") == 0;
  while (sleeps && counter != 0) {
    WU_ArmWithAddress(physical(&counter), ~0ull);
    if (counter != 0) ppc_waitimpl();
  }
  if (argc > 2 && !sleeps)
    polled = (volatile uint64_t*)(BGQ_VA_L2_ATOMICS +
                                  ((uint64_t)&counter << BGQ_L2_ATOMICS_ADDRESS_SHIFT & ~BGQ_L2_ATOMICS_LOW));
  while (*polled != 0) continue;
  mu_fence();
  for (unsigned i = 0; i < kBytes; ++i) fail("a byte that came", data[i] != i + 1);
  return 0;
}
