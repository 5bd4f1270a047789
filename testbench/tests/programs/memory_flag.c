// SPDX-License-Identifier: Apache-2.0
//
// The second core sets a flag in memory, for which the first one waits: against the rules for two cores, which want a
// device for it, but a program that can be written. Prints how often the first core has looked, and when it was done.
// The argument says how it looks:
//   flushed    the second core flushes the flag, the first one its copy
//   unflushed  neither does
//   device     as flushed, and reads a word of the SRAM each time as well
#include <stdio.h>
#include <string.h>

#include "drivers/bgl/cache.h"
#include "drivers/bgl/kernel.h"
#include "drivers/bgl/second_core.h"
#include "share.h"

// So many that the first core does not look between the store and its flush, which --check-coherence would tell.
enum { LINE = 32, TURNS = 3006 };

static uint8_t stack[4096] __attribute__((aligned(LINE)));
static volatile uint32_t flag[LINE / 4] __attribute__((aligned(LINE)));
static uint32_t flushes __attribute__((aligned(LINE)));
static uint32_t reads_device;
static uint8_t padding[LINE - 8] __attribute__((unused));

static void set_flag(void* unused) {
  (void)unused;
  for (volatile unsigned i = 0; i < TURNS; ++i) {
  }
  flag[0] = 1;
  if (flushes) bgl_cache_flush((const void*)flag, LINE);
}

int main(int argc, char** argv) {
  flushes = argc < 2 || strcmp(argv[1], "unflushed") != 0;
  reads_device = argc > 1 && strcmp(argv[1], "device") == 0;
  if (bgl_second_core_start(set_flag, NULL, stack, sizeof stack) != 0) return 1;
  uint32_t looks = 0;
  while (flag[0] == 0) {
    if (flushes) bgl_cache_flush((const void*)flag, LINE);
    if (reads_device) (void)*sram(0);
    ++looks;
  }
  const unsigned long long done = bgl_timebase();
  printf("%u looks, done at %llu\n", looks, done);
  return 0;
}
