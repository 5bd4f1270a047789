// SPDX-License-Identifier: Apache-2.0
// Says who it is and where it lives.
#include <stdio.h>

#include "firmware/msglayer/msglayer.h"

int main(void) {
  bglml_init(NULL);
  const bglml_coordinates_t at = bglml_coordinates(bglml_rank());
  printf("hello from rank %u of %u at (%u, %u, %u)\n", bglml_rank(), bglml_size(), at.x, at.y, at.z);
  return 0;
}
