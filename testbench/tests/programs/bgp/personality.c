// SPDX-License-Identifier: Apache-2.0
//
// Prints the personality of the node, byte by byte, and the special registers that the kernel sets.
#include <common/bgp_personality.h>
#include <spi/kernel_interface.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static unsigned char bytes[sizeof(_BGP_Personality_t) + 4];
  memset(bytes, 0xEE, sizeof bytes);
  if (Kernel_GetPersonality((_BGP_Personality_t*)bytes, sizeof bytes) != 0) return 1;
  printf("personality ");
  for (unsigned i = 0; i < sizeof bytes; i++) printf("%02x", bytes[i]);
  printf(" %08x %08x %08x %08x\n", (unsigned)_bgp_mfspr(_BGP_SPRGRO_SHMem), (unsigned)_bgp_mfspr(_BGP_SPRGRO_DST2),
         (unsigned)_bgp_mfspr(_BGP_SPRGRO_TextI), (unsigned)_bgp_mfspr(_BGP_SPRGRO_DataI));
  return 0;
}
