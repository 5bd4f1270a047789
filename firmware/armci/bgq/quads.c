// SPDX-License-Identifier: Apache-2.0
// Sums of doubles by the quad processing unit, four at a time. The emulated core adds quads; it does not multiply them.
#include "firmware/armci/bgq/bgq.h"
#include "firmware/hot.h"

enum { QUAD = 32 };

/// The next four quads, at once.
static void add_quads(double* to, const double* from) {
  __asm__ volatile(
      "qvlfdx 0, 0, %0\n\tqvlfdx 4, 0, %1\n\t"
      "qvlfdx 1, %2, %0\n\tqvlfdx 5, %2, %1\n\t"
      "qvlfdx 2, %3, %0\n\tqvlfdx 6, %3, %1\n\t"
      "qvlfdx 3, %4, %0\n\tqvlfdx 7, %4, %1\n\t"
      "qvfadd 0, 0, 4\n\tqvfadd 1, 1, 5\n\tqvfadd 2, 2, 6\n\tqvfadd 3, 3, 7\n\t"
      "qvstfdx 0, 0, %0\n\tqvstfdx 1, %2, %0\n\tqvstfdx 2, %3, %0\n\tqvstfdx 3, %4, %0"
      :
      : "b"(to), "b"(from), "b"(QUAD), "b"(2 * QUAD), "b"(3 * QUAD)
      : "fr0", "fr1", "fr2", "fr3", "fr4", "fr5", "fr6", "fr7", "memory");
}

HOT_OF_ACCUMULATES static void add(double* to, const double* from, size_t n) {
  enum { STEP = 4 * QUAD / sizeof(double) };
  if (((uintptr_t)to ^ (uintptr_t)from) % QUAD == 0 && (uintptr_t)to % sizeof *to == 0) {
    for (; n != 0 && (uintptr_t)to % QUAD != 0; --n) *to++ += *from++;
    for (; n >= STEP; n -= STEP, to += STEP, from += STEP) add_quads(to, from);
  }
  while (n-- != 0) *to++ += *from++;
}

void (*const armcib_add_doubles)(double* to, const double* from, size_t n) = add;
