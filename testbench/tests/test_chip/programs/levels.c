// SPDX-License-Identifier: Apache-2.0
//
// What a core pays for memory, in cycles of its time base.
//
//   levels latency LINE [LARGEST]   a load whose address comes from the load before, in lines of LINE bytes and in an
//                                   order that no prefetcher follows, over footprints from 4 KiB up to LARGEST MiB:
//                                     latency 4096 3.0
//   levels pairs LINE [LARGEST]     the same in pairs of neighbouring lines
//   levels bandwidth [LARGEST]      doublewords read one behind the other, over the same footprints: bytes a cycle
//                                     bandwidth 4096 7.43
//   levels stream [SIZE]            the kernels of STREAM on three arrays of SIZE MiB: bytes a cycle, as STREAM counts:
//                                     stream copy 1.83
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 4096, FEWEST_LOADS = 8192, MEBI = 1024 * 1024 };

static uint64_t cycles(void) {
#ifdef __x86_64__
  return __builtin_ia32_rdtsc();
#else
  return __builtin_ppc_get_timebase();
#endif
}

static uint32_t random_below(uint32_t bound) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(((state >> 32) * bound) >> 32);
}

/// Links lines of `line` bytes in one cycle of random order, `group` neighbours after each other.
static void** linked(char* memory, uint32_t* order, size_t bytes, size_t line, unsigned group) {
  const uint32_t groups = (uint32_t)(bytes / line / group);
  for (uint32_t i = 0; i < groups; ++i) order[i] = i;
  for (uint32_t i = groups - 1; i > 0; --i) {
    const uint32_t other = random_below(i), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  void **last = NULL, **first = NULL;
  for (uint32_t i = 0; i < groups; ++i) {
    for (unsigned member = 0; member < group; ++member) {
      void** here = (void**)(memory + ((size_t)order[i] * group + member) * line);
      if (last != NULL) *last = here;
      if (first == NULL) first = here;
      last = here;
    }
  }
  *last = first;
  return first;
}

static void** follow(void** at, size_t loads) {
  for (size_t i = 0; i < loads; i += 8) {
    at = *at, at = *at, at = *at, at = *at;
    at = *at, at = *at, at = *at, at = *at;
    __asm__ volatile("" : "+r"(at));
  }
  return at;
}

static int latencies(size_t line, size_t largest, unsigned group, const char* what) {
  char* memory = aligned_alloc(4096, largest);
  uint32_t* order = malloc(largest / line * sizeof *order);
  if (memory == NULL || order == NULL) return 1;
  for (size_t power = SMALLEST; power <= largest; power *= 2) {
    for (size_t bytes = power; bytes <= power + power / 2 && bytes <= largest; bytes += power / 2) {
      void** at = linked(memory, order, bytes, line, group);
      const size_t lines = bytes / line, loads = lines < FEWEST_LOADS ? FEWEST_LOADS : lines;
      at = follow(at, lines < FEWEST_LOADS ? lines : loads);
      const uint64_t start = cycles();
      at = follow(at, loads);
      const uint64_t took = cycles() - start;
      __asm__ volatile("" : : "r"(at));
      printf("%s %zu %.1f\n", what, bytes, (double)took / (double)loads);
    }
  }
  return 0;
}

enum { AT_ONCE = 32 };  // loads of a turn

static void read_all(const char* memory, size_t bytes) {
  for (const volatile uint64_t *at = (const void*)memory, *end = at + bytes / sizeof *at; at != end; at += AT_ONCE) {
    at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7];
    at[8], at[9], at[10], at[11], at[12], at[13], at[14], at[15];
    at[16], at[17], at[18], at[19], at[20], at[21], at[22], at[23];
    at[24], at[25], at[26], at[27], at[28], at[29], at[30], at[31];
  }
}

static int bandwidths(size_t largest) {
  char* memory = aligned_alloc(4096, largest);
  if (memory == NULL) return 1;
  memset(memory, 1, largest);
  for (size_t bytes = SMALLEST; bytes <= largest; bytes *= 2) {
    const size_t rounds = bytes < MEBI ? MEBI / bytes : 1;
    read_all(memory, bytes);
    const uint64_t start = cycles();
    for (size_t i = 0; i < rounds; ++i) read_all(memory, bytes);
    const uint64_t took = cycles() - start;
    printf("bandwidth %zu %.2f\n", bytes, (double)(rounds * bytes) / (double)took);
  }
  return 0;
}

#define STREAM(NAME, BYTES, STATEMENT)                                                \
  do {                                                                                \
    const uint64_t start = cycles();                                                  \
    for (size_t i = 0; i < count; ++i) STATEMENT;                                     \
    __asm__ volatile("" : : : "memory");                                              \
    const uint64_t took = cycles() - start;                                           \
    printf("stream " NAME " %.2f\n", (double)(BYTES) * (double)count / (double)took); \
  } while (0)

static int stream(size_t bytes) {
  const size_t count = bytes / sizeof(double);
  double *a = aligned_alloc(4096, bytes), *b = aligned_alloc(4096, bytes), *c = aligned_alloc(4096, bytes);
  if (a == NULL || b == NULL || c == NULL) return 1;
  for (size_t i = 0; i < count; ++i) {
    a[i] = 1;
    b[i] = 2;
    c[i] = 0;
  }
  const double scalar = 3;
  STREAM("copy", 16, c[i] = a[i]);
  STREAM("scale", 16, b[i] = scalar * c[i]);
  STREAM("add", 24, c[i] = a[i] + b[i]);
  STREAM("triad", 24, a[i] = b[i] + scalar * c[i]);
  return a[count / 2] == 15 ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (strcmp(argv[1], "stream") == 0) return stream((argc > 2 ? strtoul(argv[2], NULL, 10) : 24) * MEBI);
  if (strcmp(argv[1], "bandwidth") == 0) return bandwidths((argc > 2 ? strtoul(argv[2], NULL, 10) : 64) * MEBI);
  if (argc < 3) return 2;
  const size_t line = strtoul(argv[2], NULL, 10), largest = (argc > 3 ? strtoul(argv[3], NULL, 10) : 64) * MEBI;
  if (line < sizeof(void*)) return 2;
  if (strcmp(argv[1], "pairs") == 0) return latencies(line, largest, 2, "pairs");
  return latencies(line, largest, 1, "latency");
}
