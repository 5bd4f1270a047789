// SPDX-License-Identifier: Apache-2.0
// Polls the message layer for a packet that never comes; with the argument "unit", after a work unit.
#include <stddef.h>

#include "firmware/bgl/msglayer/msglayer.h"

static void nothing(void* argument) {
  (void)argument;
}

int main(int argc, char** argv) {
  (void)argv;
  bglml_init(NULL);
  if (argc > 1) bglml_co_join(bglml_co_start(nothing, NULL));
  for (;;) bglml_advance();
}
