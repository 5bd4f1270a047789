// SPDX-License-Identifier: Apache-2.0
//
// Each cache instruction once, and accesses of every size, on one line. Exits with 0.
#include <stdint.h>

static uint8_t line[64] __attribute__((aligned(32)));

int main(void) {
  __asm__ volatile(
      "dcbst 0,%0\n"
      "dcbz 0,%0\n"
      "stw 3,4(%0)\n"
      "dcbst 0,%0\n"
      "sth 3,8(%0)\n"
      "dcbf 0,%0\n"
      "dcbt 0,%0\n"
      "lbz 3,31(%0)\n"
      "lfd 0,16(%0)\n"
      "lvx 0,0,%0\n"
      "stmw 30,32(%0)\n"
      "dcbf %1,%0\n"
      :
      : "b"(line), "b"(32)
      : "r3", "fr0", "v0", "memory");
  return 0;
}
