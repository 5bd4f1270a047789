/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Node 0 sends a packet to a memory FIFO of the last node, and puts 4000 bytes there with a counter: both by registers
 * of the Messaging Unit alone. The last node polls the tail of its reception FIFO, and the counter in memory.
 *
 *     ./toroid run --machine bgq --shape 2x1x1x1x1 mu_put
 */
#include <stdio.h>

#include "firmware/programs/bgq/mu.h"

enum { kSubgroup = 0, kBytes = 4000, kData = 0, kCounter = 1 };

static uint8_t descriptors[1024] __attribute__((aligned(128)));
static uint8_t packets[4096] __attribute__((aligned(128)));
static uint8_t data[kBytes] __attribute__((aligned(128)));
static volatile uint64_t counter __attribute__((aligned(128)));
static const char kHello[] = "a packet for the memory FIFO";

static uint8_t byte_at(unsigned i) {
  return (uint8_t)(i * 7 + (i >> 8));
}

static int fail(const char* what, uint64_t error) {
  printf("%s: error %u\n", what, (unsigned)error);
  return 1;
}

static uint64_t send(const uint8_t* to, int local) {
  static uint8_t text[sizeof kHello];
  uint8_t descriptor[BGQ_DESCRIPTOR_BYTES];
  mu_ring_t ring;
  const uint64_t error = mu_open_injection(kSubgroup, 0, descriptors, sizeof descriptors, 0, &ring);
  if (error != 0) return error;
  memcpy(text, kHello, sizeof text);
  mu_describe(descriptor, to, local, physical(text), sizeof text);
  bgq_set_reception_fifo(descriptor + BGQ_DESCRIPTOR_HEADER, kSubgroup * 4);
  mu_inject(&ring, descriptor);

  for (unsigned i = 0; i < kBytes; ++i) data[i] = byte_at(i);
  mu_describe(descriptor, to, local, physical(data), kBytes);
  mu_set_type(descriptor, BGQ_MU_PUT);
  bgq_set_payload_base(descriptor + BGQ_DESCRIPTOR_HEADER, kSubgroup * 8 + kData);
  bgq_set_counter_base(descriptor + BGQ_DESCRIPTOR_HEADER, kSubgroup * 8 + kCounter);
  mu_inject(&ring, descriptor);
  while (*mu_register(kSubgroup, BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET) < 2) continue;
  return 0;
}

static int receive(const mu_ring_t* ring) {
  while (ring->registers[MU_TAIL] == ring->registers[MU_HEAD]) continue;
  mu_fence();
  printf("received: %s\n", (const char*)packets + BGQ_HEADER_BYTES);
  ring->registers[MU_HEAD] = ring->registers[MU_TAIL];

  while (counter != 0) continue;
  mu_fence();
  unsigned wrong = 0;
  for (unsigned i = 0; i < kBytes; ++i) wrong += data[i] != byte_at(i);
  printf("put: %u bytes, %u wrong\n", (unsigned)kBytes, wrong);
  return wrong != 0;
}

int main(void) {
  uint8_t personality[BGQ_PERSONALITY_BYTES];
  kernel_call(BGQ_SYS_GET_PERSONALITY, (uint64_t)personality, sizeof personality, 0, 0, 0);
  const uint8_t* const nodes = personality + BGQ_PERSONALITY_NODES_AT;
  const uint8_t* const here = personality + BGQ_PERSONALITY_COORDS_AT;
  uint8_t last[BGQ_DIMENSIONS];
  int is_first = 1, is_last = 1;
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) {
    last[d] = (uint8_t)(nodes[d] - 1);
    is_first &= here[d] == 0;
    is_last &= here[d] == last[d];
  }
  mu_ring_t reception;
  if (is_last) {
    uint64_t error = mu_open_reception(kSubgroup, 0, packets, sizeof packets, &reception);
    if (error == 0) error = mu_open_base(kSubgroup, kData, physical(data));
    if (error == 0)
      error = mu_open_base(kSubgroup, kCounter, bgq_atomic_address(physical(&counter), 2 /* store-add */));
    if (error != 0) return fail("open", error);
    counter = kBytes;
  }
  mu_fence();
  mu_barrier(); /* the receiver is ready */
  if (is_first) {
    const uint64_t error = send(last, is_last);
    if (error != 0) return fail("send", error);
  }
  return is_last ? receive(&reception) : 0;
}
