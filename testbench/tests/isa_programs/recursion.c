// SPDX-License-Identifier: Apache-2.0
//
// Deep and wide recursion.
#include <stdio.h>
#include <string.h>

static unsigned queens(unsigned size, unsigned columns, unsigned left, unsigned right) {
  const unsigned all = (1u << size) - 1;
  if (columns == all) return 1;
  unsigned found = 0;
  for (unsigned free = all & ~(columns | left | right); free != 0; free &= free - 1) {
    const unsigned bit = free & -free;
    found += queens(size, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return found;
}

static unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__attribute__((noinline)) static unsigned deep(unsigned depth, const unsigned char* above) {
  volatile unsigned char block[500];
  memset((void*)block, (int)(depth & 0xff), sizeof block);
  const unsigned below = depth == 0 ? 0 : deep(depth - 1, (const unsigned char*)block);
  return below * 3 + block[depth % 500] + (above == NULL ? 0 : above[1]);
}

int main(void) {
  for (unsigned size = 4; size <= 8; ++size) printf("%u queens %u\n", size, queens(size, 0, 0, 0));
  printf("%u %u\n", ackermann(2, 30), ackermann(3, 5));
  printf("%u\n", deep(3000, NULL));
  return 0;
}
