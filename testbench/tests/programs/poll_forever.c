// SPDX-License-Identifier: Apache-2.0
// Polls the message layer for a packet that never comes.
#include <stddef.h>

#include "firmware/msglayer/msglayer.h"

int main(void) {
  bglml_init(NULL);
  for (;;) bglml_advance();
}
