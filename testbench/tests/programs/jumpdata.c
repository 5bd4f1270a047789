// SPDX-License-Identifier: Apache-2.0
// Rank 0 calls an address in its data segment.
#include <stdint.h>

#include "firmware/bgl/msglayer/msglayer.h"

static volatile uint32_t data[4] = {0x11111111u, 0x22222222u, 0x33333333u, 0x44444444u};

__attribute__((noinline)) void jump_to_data(void) {
  void (*const function)(void) = (void (*)(void))(uintptr_t)data;
  function();
}

int main(void) {
  bglml_init(NULL);
  if (bglml_rank() == 0) jump_to_data();
  return 0;
}
