// SPDX-License-Identifier: Apache-2.0
// Prints its rank and its place in the machine.
#include <stdio.h>

#include "firmware/bgl/msglayer/msglayer.h"

int main(void) {
  bglml_init(NULL);
  const bglml_coordinates_t at = bglml_coordinates(bglml_rank());
  char processor[8] = "";
  if (bglml_shape().t > 1) snprintf(processor, sizeof processor, ", %u", at.t);
  printf("hello from rank %u of %u at (%u, %u, %u%s)\n", bglml_rank(), bglml_size(), at.x, at.y, at.z, processor);
  return 0;
}
