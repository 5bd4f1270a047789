// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls about the node's Messaging Unit, and about the kernel: what injection checksums are and how they begin
// anew, what giving back leaves, also a second time. With the argument "send" and a subgroup, the first rank sends a
// packet to reception FIFO 0 of this subgroup of the last node, which nobody has; with "disabled" before that, the last
// node's first rank has it, and has not enabled it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgq/mu.h"

enum { FIFO = 2, SUBGROUP = 1, LOCAL0 = 10, WORDS = 8 };

static uint8_t descriptors[512] __attribute__((aligned(64)));
static uint8_t packets[2048] __attribute__((aligned(64)));
static uint32_t payload[WORDS] = {1, 2, 3, 4, 5, 6, 7, 8};
static uint8_t personality[BGQ_PERSONALITY_BYTES];
static const uint8_t* const here = personality + BGQ_PERSONALITY_COORDS_AT;

static uint64_t control(unsigned offset) {
  return *(volatile uint64_t*)(BGQ_MU_DCR_BASE + offset);
}
static unsigned checksum(unsigned fifo) {
  return (unsigned)*(volatile uint64_t*)(BGQ_ND_500_BASE + BGQ_ND_500_CHECKSUMS + 8 * fifo);
}
static int clear(uint64_t fifo) {
  return (int)kernel_call(BGQ_SYS_CLEAR_INJECTION_CHECKSUM, fifo, 0, 0, 0, 0);
}

// A packet of the payload from the node to itself. The checksum leaves its header out.
static void send_here(const mu_ring_t* ring) {
  uint8_t descriptor[BGQ_DESCRIPTOR_BYTES] __attribute__((aligned(64)));
  const uint64_t sent = *mu_register(SUBGROUP, BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET);
  mu_describe(descriptor, here, 1, physical(payload), sizeof payload);
  bgq_set_reception_fifo(descriptor + BGQ_DESCRIPTOR_HEADER, SUBGROUP * 4);
  mu_inject(ring, descriptor);
  while (*mu_register(SUBGROUP, BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET) == sent) continue;
}

static void tell_checksums(void) {
  mu_ring_t injection, reception;
  if (mu_open_injection(SUBGROUP, 0, descriptors, sizeof descriptors, 0, &injection) != 0 ||
      mu_open_reception(SUBGROUP, 0, packets, sizeof packets, &reception) != 0)
    return;
  printf("checksum: %u", checksum(LOCAL0));
  send_here(&injection);
  send_here(&injection);
  printf(" %u", checksum(LOCAL0));
  printf(", other cleared: %d", clear(LOCAL0 + 1));
  printf(" %u", checksum(LOCAL0));
  printf(", cleared: %d", clear(LOCAL0));
  printf(" %u", checksum(LOCAL0));
  send_here(&injection);
  printf(" %u, no FIFO: %d %d\n", checksum(LOCAL0), clear(16), clear(1ull << 32));
}

static void tell_version(void) {
  uint64_t part[4] = {9, 9, 9, 9};
  const uint64_t result = kernel_call(BGQ_SYS_KERNEL_VERSION, (uint64_t)&part[0], (uint64_t)&part[1],
                                      (uint64_t)&part[2], (uint64_t)&part[3], 0);
  const uint64_t refused =
      kernel_call(BGQ_SYS_KERNEL_VERSION, (uint64_t)&part[0], (uint64_t)&part[1], (uint64_t)&part[2], 8, 0);
  printf("version: %d, V%uR%uM%u efix%u, %d\n", (int)result, (unsigned)part[0], (unsigned)part[1], (unsigned)part[2],
         (unsigned)part[3], (int)refused);
}

static unsigned free_ones(uint64_t query) {
  uint32_t count = 99, numbers[8];
  return kernel_call(query, SUBGROUP + 1, (uint64_t)&count, (uint64_t)numbers, 0, 0) == 0 ? count : 99;
}

// Takes two of a subgroup, gives one back twice, then the other.
static void give_back(const char* what, uint64_t allocate, uint64_t query, uint64_t release, uint32_t attribute) {
  static uint8_t group[4096] __attribute__((aligned(64)));
  const uint32_t numbers[2] = {FIFO, FIFO + 1}, attributes[2] = {attribute, attribute};
  const int bases = allocate == BGQ_SYS_ALLOCATE_BASE_ADDRESS_TABLE;
  const uint64_t bit = 1ull << (63 - (SUBGROUP + 1));
  printf("%s: %u free", what, free_ones(query));
  kernel_call(allocate, SUBGROUP + 1, (uint64_t)group, 2, (uint64_t)numbers, bases ? 0 : (uint64_t)attributes);
  printf(" %u", free_ones(query));
  for (unsigned i = 0; i < 3; ++i) {
    const int result = (int)kernel_call(release, (uint64_t)group, 1, (uint64_t)&numbers[i / 2], 0, 0);
    printf(", %d: %u", result, free_ones(query));
    if (bases) printf(" %s", (control(BGQ_MU_DCR_RPUTBASE_SYSTEM0_OFFSET) & bit) != 0 ? "the system's" : "users'");
    if (attribute != 0) printf(" %08x", (unsigned)*mu_register(SUBGROUP + 1, BGQ_MU_INJ_PRIORITY_OFFSET));
  }
  printf("\n");
}

static void send_to_nobody(unsigned subgroup) {
  mu_ring_t injection;
  uint8_t descriptor[BGQ_DESCRIPTOR_BYTES] __attribute__((aligned(64)));
  uint8_t last[BGQ_DIMENSIONS];
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) last[d] = (uint8_t)(personality[BGQ_PERSONALITY_NODES_AT + d] - 1);
  if (mu_open_injection(0, 0, descriptors, sizeof descriptors, 0, &injection) != 0) return;
  mu_describe(descriptor, last, 0, physical(payload), sizeof payload);
  bgq_set_reception_fifo(descriptor + BGQ_DESCRIPTOR_HEADER, subgroup * 4);
  mu_inject(&injection, descriptor);
}

int main(int argc, char** argv) {
  kernel_call(BGQ_SYS_GET_PERSONALITY, (uint64_t)personality, sizeof personality, 0, 0, 0);
  if (argc > 2) {
    const unsigned subgroup = (unsigned)atoi(argv[2]);
    if (strcmp(argv[1], "disabled") == 0 && here[0] != 0) {
      static uint8_t group[BGQ_SG_REC_BYTES];
      const uint32_t number = 0, attributes = 0;
      kernel_call(BGQ_SYS_ALLOCATE_REC_FIFOS, subgroup, (uint64_t)group, 1, (uint64_t)&number, (uint64_t)&attributes);
    }
    mu_barrier();
    if (kernel_call(BGQ_SYS_GET_RANK, 0, 0, 0, 0, 0) == 0) send_to_nobody(subgroup);
    for (const uint64_t start = time_base(); time_base() - start < 50000;) continue;
    return 0;
  }
  tell_checksums();
  tell_version();
  give_back("injection", BGQ_SYS_ALLOCATE_INJ_FIFOS, BGQ_SYS_QUERY_INJ_FIFOS, BGQ_SYS_DEALLOCATE_INJ_FIFOS,
            BGQ_ATTRIBUTE_PRIORITY);
  give_back("reception", BGQ_SYS_ALLOCATE_REC_FIFOS, BGQ_SYS_QUERY_REC_FIFOS, BGQ_SYS_DEALLOCATE_REC_FIFOS, 0);
  give_back("bases", BGQ_SYS_ALLOCATE_BASE_ADDRESS_TABLE, BGQ_SYS_QUERY_BASE_ADDRESS_TABLE,
            BGQ_SYS_DEALLOCATE_BASE_ADDRESS_TABLE, 0);
  return 0;
}
