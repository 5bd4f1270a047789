// SPDX-License-Identifier: Apache-2.0
//
// Random accesses of all sizes and alignments to watched pages, which are a device window of the cores, and the same to
// ordinary memory: what each load gives, and what all have left at the end, must be the same. `accesses COUNT SEED`.
//
// The window lies between ordinary pages, and accesses reach over both of its edges.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/tests/test_chip/driver.h"
#include "testbench/tests/test_chip/programs/access_kinds.h"

enum { PAGE = 4096, WINDOW = 4 * PAGE, AROUND = PAGE, BYTES = WINDOW + 2 * AROUND };

static uint8_t device[BYTES] __attribute__((aligned(4096))), plain[BYTES] __attribute__((aligned(4096)));
static uint64_t seed;

static uint64_t next(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return seed >> 17 ^ seed;
}

/// Half of the places are near an edge of the window.
static unsigned place(const access_kind* chosen) {
  const uint64_t made = next();
  unsigned at = (unsigned)(made >> 8) % (BYTES - 2 * ACCESS_MOST) + ACCESS_MOST;
  if (made % 4 == 0) at = AROUND - ACCESS_MOST + (unsigned)(made >> 8) % (2 * ACCESS_MOST);
  if (made % 4 == 1) at = AROUND + WINDOW - ACCESS_MOST + (unsigned)(made >> 8) % ACCESS_MOST;
  return at / chosen->alignment * chosen->alignment;
}

int main(int argc, char** argv) {
  const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
  seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  if (copier_watch(device + AROUND, WINDOW) != 0) {
    printf("no pages are watched\n");
    return 1;
  }
  for (unsigned i = 0; i < BYTES; ++i) device[i] = plain[i] = (uint8_t)next();
  for (unsigned long i = 0; i < count; ++i) {
    uint8_t there[ACCESS_MOST] __attribute__((aligned(32))), here[ACCESS_MOST] __attribute__((aligned(32)));
    const access_kind* const chosen = &access_kinds[next() % ACCESS_KINDS];
    const unsigned at = place(chosen);
    for (unsigned n = 0; n < ACCESS_MOST; n += 8) {
      const uint64_t value = next();
      memcpy(there + n, &value, 8);
    }
    if (next() % 2 == 0) memcpy(there, plain + at, 16);  // what an exchange may compare with
    memcpy(here, there, ACCESS_MOST);
    chosen->access(device + at, there);
    chosen->access(plain + at, here);
    if (memcmp(there, here, ACCESS_MOST) != 0 || memcmp(device + at, plain + at, chosen->bytes) != 0) {
      printf("access %lu, %s of %u bytes at %d of the window: other bytes than in memory\n", i, chosen->name,
             chosen->bytes, (int)at - AROUND);
      return 1;
    }
  }
  for (unsigned i = 0; i < BYTES; ++i) {
    if (device[i] == plain[i]) continue;
    printf("byte %d of the window: %02x, and %02x in memory\n", (int)i - AROUND, device[i], plain[i]);
    return 1;
  }
  printf("%lu accesses\n", count);
  return 0;
}
