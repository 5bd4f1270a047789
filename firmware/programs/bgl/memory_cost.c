// SPDX-License-Identifier: Apache-2.0
// What a core pays for memory, by the time base: bytes a cycle of streaming through a large contiguous buffer, reading
// and copying it, and cycles of a load whose address comes from the load before, by where its line lies:
//   memory-cost stream=4.27 copy=1.60 l1=3 l2=11 l3=35 memory=86
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/bgl/kernel.h"

enum { LINE = 32, BLOCK = 128, STREAM = 8 << 20, SMALL = 16 << 10, MIDDLE = 1 << 20, LARGE = 32 << 20, STEPS = 4096 };

static uint32_t cycles(void) {
  uint32_t lower;
  __asm__ volatile("mftb %0" : "=r"(lower) : : "memory");
  return lower;
}

/// Reads `size` bytes in quads, 128 bytes a turn.
static uint32_t read_all(const uint8_t* from, uint32_t size) {
  const uint32_t start = cycles();
  for (const uint8_t* at = from; at != from + size; at += BLOCK) {
    __asm__ volatile(
        "lvx 0,0,%0\n lvx 1,%1,%0\n lvx 2,%2,%0\n lvx 3,%3,%0\n"
        "lvx 4,%4,%0\n lvx 5,%5,%0\n lvx 6,%6,%0\n lvx 7,%7,%0\n"
        :
        : "b"(at), "b"(16), "b"(32), "b"(48), "b"(64), "b"(80), "b"(96), "b"(112)
        : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "memory");
  }
  return cycles() - start;
}

static uint32_t copy_all(uint8_t* to, const uint8_t* from, uint32_t size) {
  const uint32_t start = cycles();
  for (uint32_t done = 0; done != size; done += BLOCK) {
    __asm__ volatile(
        "lvx 0,0,%0\n lvx 1,%2,%0\n lvx 2,%3,%0\n lvx 3,%4,%0\n"
        "lvx 4,%5,%0\n lvx 5,%6,%0\n lvx 6,%7,%0\n lvx 7,%8,%0\n"
        "stvx 0,0,%1\n stvx 1,%2,%1\n stvx 2,%3,%1\n stvx 3,%4,%1\n"
        "stvx 4,%5,%1\n stvx 5,%6,%1\n stvx 6,%7,%1\n stvx 7,%8,%1\n"
        :
        : "b"(from + done), "b"(to + done), "b"(16), "b"(32), "b"(48), "b"(64), "b"(80), "b"(96), "b"(112)
        : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "memory");
  }
  return cycles() - start;
}

/// Links places `stride` bytes apart in an order that no prefetcher follows, STEPS of them at most; returns the first.
static void** chain(uint8_t* memory, uint32_t size, uint32_t stride) {
  const uint32_t places = size / stride < STEPS ? size / stride : STEPS;
  const uint32_t spread = size / stride / places * stride;
  // An odd step through a power of two of places passes all of them.
  const uint32_t step = (places / 2 + places / 8) | 1;
  for (uint32_t i = 0; i < places; ++i) {
    *(void**)(memory + i * spread) = memory + (i + step) % places * spread;
  }
  return (void**)memory;
}

static uint32_t follow(void** at, uint32_t steps) {
  const uint32_t start = cycles();
  for (uint32_t i = 0; i < steps; i += 8) {
    at = *at, at = *at, at = *at, at = *at;
    at = *at, at = *at, at = *at, at = *at;
    __asm__ volatile("" : "+r"(at));
  }
  return cycles() - start;
}

/// Pairs of lines in one block of 128 bytes: the second is in the prefetch buffer. Returns the cycles of both.
static uint32_t follow_pairs(uint8_t* memory) {
  void** first = chain(memory, LARGE, 2 * BLOCK);
  uint8_t* at = (uint8_t*)first;
  for (uint32_t i = 0; i < STEPS; ++i) {
    uint8_t* next = *(uint8_t**)at;
    *(void**)(at + LINE) = next;
    *(void**)at = at + LINE;
    at = next;
  }
  read_all(memory + LARGE, STREAM);  // displaces them
  return follow(first, 2 * STEPS);
}

int main(void) {
  struct toroid_personality me;
  if (bgl_get_personality(&me) != 0) return 1;
  uint8_t* memory = aligned_alloc(BLOCK, LARGE + 2 * STREAM);
  if (memory == NULL) return 1;
  uint8_t* stream = memory + LARGE;
  for (uint32_t at = 0; at < LARGE + 2 * STREAM; at += LINE) *(volatile uint32_t*)(memory + at) = at;

  const uint32_t read = read_all(stream, STREAM);
  const uint32_t copied = copy_all(stream + STREAM, stream, STREAM);
  void** in_l1 = chain(memory, SMALL, LINE);
  follow(in_l1, STEPS);
  const uint32_t l1 = follow(in_l1, STEPS);
  void** in_l3 = chain(memory, MIDDLE, 2 * BLOCK);
  follow(in_l3, STEPS);
  const uint32_t l3 = follow(in_l3, STEPS);
  void** in_memory = chain(memory, LARGE, 2 * BLOCK);
  read_all(stream, STREAM);
  const uint32_t far = follow(in_memory, STEPS);
  const uint32_t pairs = follow_pairs(memory);
  if (me.rank == 0) {
    printf("memory-cost stream=%.2f copy=%.2f l1=%.1f l2=%.1f l3=%.1f memory=%.1f\n", (double)STREAM / read,
           (double)STREAM / copied, (double)l1 / STEPS, (double)(pairs - far) / STEPS, (double)l3 / STEPS,
           (double)far / STEPS);
  }
  return 0;
}
