// SPDX-License-Identifier: Apache-2.0
// Rank 0 stores through a null pointer.
#include <stddef.h>

#include "firmware/bgl/msglayer/msglayer.h"

static int* volatile target = NULL;

__attribute__((noinline)) void store_through_null(void) {
  *target = 1;
}

int main(void) {
  bglml_init(NULL);
  if (bglml_rank() == 0) store_through_null();
  return 0;
}
