/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each process says who it is, as its kernel tells it: node, process on the node, core.
 *
 *     ./toroid run --machine bgp --shape 2x1x1 --mode vn hello
 */
#include <stdint.h>
#include <stdio.h>

#include "nic/bgp/kernel_services.h"
#include "nic/bgp/personality.h"

static uint32_t kernel_call(uint32_t number, const void* first, uint32_t second) {
  register uint32_t r0 __asm__("r0") = number;
  register uint32_t r3 __asm__("r3") = (uint32_t)first;
  register uint32_t r4 __asm__("r4") = second;
  __asm__ volatile("sc"
                   : "+r"(r0), "+r"(r3), "+r"(r4)
                   :
                   : "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "cc", "ctr", "memory");
  return r3;
}

static uint32_t word_at(const uint8_t* personality, unsigned offset) {
  const uint8_t* const at = personality + offset;
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t special_register_shmem(void) {
  uint32_t value;
  __asm__ volatile("mfspr %0, 0x104" : "=r"(value));
  return value;
}
static uint32_t special_register_dst2(void) {
  uint32_t value;
  __asm__ volatile("mfspr %0, 0x105" : "=r"(value));
  return value;
}

int main(void) {
  uint8_t personality[BGP_PERSONALITY_BYTES];
  const uint32_t error = kernel_call(BGP_SYS_GET_PERSONALITY, personality, sizeof personality);
  if (error != 0) {
    printf("no personality: error %u\n", (unsigned)error);
    return 1;
  }
  const uint8_t* const at = personality + BGP_PERSONALITY_X_COORD_AT;
  const uint8_t* const of = personality + BGP_PERSONALITY_X_NODES_AT;
  const uint32_t shared = special_register_shmem();
  printf("node %u at (%u,%u,%u) of %ux%ux%u, %u MHz: core %u of a process of %u, %u processes a node\n",
         (unsigned)word_at(personality, BGP_PERSONALITY_RANK_AT), at[0], at[1], at[2], of[0], of[1], of[2],
         (unsigned)word_at(personality, BGP_PERSONALITY_FREQ_MHZ_AT),
         (unsigned)(special_register_dst2() & BGP_DST2_CORE),
         (unsigned)((shared & BGP_SHMEM_CORES) >> BGP_SHMEM_CORES_SHIFT) + 1,
         (unsigned)(shared & BGP_SHMEM_PROCESSES) + 1);
  return 0;
}
