/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each process says who it is, as its kernel tells it: rank, node, process on the node, hardware thread.
 *
 *     ./toroid run --machine bgq --shape 2x2x2x2x2 hello
 */
#include <spi/include/kernel/location.h>
#include <stdio.h>

int main(void) {
  Personality_t personality;
  const int error = Kernel_GetPersonality(&personality, sizeof personality);
  if (error != 0) {
    printf("no personality: error %d\n", error);
    return 1;
  }
  const Personality_Networks_t* const net = &personality.Network_Config;
  printf("rank %u on node (%u,%u,%u,%u,%u) of %ux%ux%ux%ux%u, %u MHz: hardware thread %u, %u processes a node\n",
         Kernel_GetRank(), net->Acoord, net->Bcoord, net->Ccoord, net->Dcoord, net->Ecoord, net->Anodes, net->Bnodes,
         net->Cnodes, net->Dnodes, net->Enodes, personality.Kernel_Config.FreqMHz, Kernel_ProcessorID(),
         Kernel_ProcessCount());
  return 0;
}
