/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of this folder share that compare functions of Blue Gene/Q's SPI, whichever headers these come
 * from: numbers that are the same everywhere, and a sum over results. They are written for gnu89 as well. */
#ifndef TOROID_SPI_LAYOUTS_BGQ_H
#define TOROID_SPI_LAYOUTS_BGQ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t dice_state = 88172645463325252ull;
static __attribute__((unused)) uint64_t dice(void) {
  dice_state ^= dice_state << 13;
  dice_state ^= dice_state >> 7;
  dice_state ^= dice_state << 17;
  return dice_state;
}
static __attribute__((unused)) uint64_t below(uint64_t limit) {
  return dice() % limit;
}
static __attribute__((unused)) void fill(void* bytes, size_t count) {
  unsigned char* at = (unsigned char*)bytes;
  while (count-- > 0) *at++ = (unsigned char)dice();
}

static uint64_t sum;
static __attribute__((unused)) void add_bytes(const void* bytes, size_t count) {
  const unsigned char* at = (const unsigned char*)bytes;
  while (count-- > 0) sum = (sum ^ *at++) * 1099511628211ull;
}
static __attribute__((unused)) void add(uint64_t value) {
  add_bytes(&value, sizeof value);
}

/* Prints the sum over what `statement` adds, `times` times. */
#define EACH(name, times, statement)                                         \
  do {                                                                       \
    unsigned each_ = 0;                                                      \
    sum = 1469598103934665603ull;                                            \
    for (; each_ < (times); ++each_) statement;                              \
    printf("%s, %u times: %016llx\n", name, each_, (unsigned long long)sum); \
  } while (0)

#endif
