// SPDX-License-Identifier: Apache-2.0
// Rank 0 executes an instruction that does not exist: primary opcode 0 with a zero word.
#include "firmware/bgl/msglayer/msglayer.h"

__attribute__((noinline)) void execute_illegal(void) {
  __asm__ volatile(".long 0");
}

int main(void) {
  bglml_init(NULL);
  if (bglml_rank() == 0) execute_illegal();
  return 0;
}
