/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each process says who it is, as its kernel tells it: rank, node, process on the node, hardware thread.
 *
 *     ./toroid run --machine bgq --shape 2x2x2x2x2 hello
 */
#include <stdio.h>

#include "firmware/programs/bgq/kernel.h"
#include "nic/bgq/personality.h"

static unsigned word_at(const uint8_t* personality, unsigned offset) {
  const uint8_t* const at = personality + offset;
  return (unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3];
}

int main(void) {
  uint8_t personality[BGQ_PERSONALITY_BYTES];
  const uint64_t error = kernel_call(BGQ_SYS_GET_PERSONALITY, (uint64_t)personality, sizeof personality, 0, 0, 0);
  if (error != 0) {
    printf("no personality: error %u\n", (unsigned)error);
    return 1;
  }
  const uint8_t* const at = personality + BGQ_PERSONALITY_COORDS_AT;
  const uint8_t* const of = personality + BGQ_PERSONALITY_NODES_AT;
  const uint64_t place = place_of_thread();
  printf("rank %u on node (%u,%u,%u,%u,%u) of %ux%ux%ux%ux%u, %u MHz: hardware thread %u, %u processes a node\n",
         (unsigned)kernel_call(BGQ_SYS_GET_RANK, 0, 0, 0, 0, 0), at[0], at[1], at[2], at[3], at[4], of[0], of[1], of[2],
         of[3], of[4], word_at(personality, BGQ_PERSONALITY_FREQ_MHZ_AT), (unsigned)(place & BGQ_PLACE_THREAD),
         (unsigned)((place & BGQ_PLACE_PROCESSES) >> BGQ_PLACE_PROCESSES_SHIFT));
  return 0;
}
