// SPDX-License-Identifier: Apache-2.0
//
// Compiled integer code without end: sorting, searching, checksums; calls, loads, stores and branches.
#include <stdint.h>
#include <stdlib.h>

enum { kWords = 4096 };
static uint32_t words[kWords];

static int compare(const void* a, const void* b) {
  const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
  return x < y ? -1 : x > y;
}

static uint32_t checksum(const uint32_t* from, unsigned count) {
  uint32_t a = 1, b = 0;
  for (unsigned i = 0; i < count; ++i) {
    a += from[i] & 0xFFFF;
    b += a ^ (from[i] >> 16);
  }
  return a ^ b << 16;
}

int main(void) {
  uint32_t random = 1;
  for (;;) {
    for (unsigned i = 0; i < kWords; ++i) words[i] = random = random * 1664525 + 1013904223;
    qsort(words, kWords, sizeof words[0], compare);
    random ^= checksum(words, kWords);
  }
}
