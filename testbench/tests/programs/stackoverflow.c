// SPDX-License-Identifier: Apache-2.0
// Rank 0 recurses until its stack is used up.
#include <stdio.h>

#include "firmware/msglayer/msglayer.h"

static volatile unsigned depth_wanted = 0xFFFFFFFFu;

__attribute__((noinline)) unsigned recurse(unsigned depth) {
  volatile char frame[4096];
  frame[0] = (char)depth;
  if (depth == depth_wanted) return (unsigned)frame[0];
  return recurse(depth + 1) + (unsigned)frame[0];
}

int main(void) {
  bglml_init(NULL);
  if (bglml_rank() == 0) printf("%u\n", recurse(0));
  return 0;
}
