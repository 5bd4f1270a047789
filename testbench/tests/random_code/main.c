// SPDX-License-Identifier: Apache-2.0
//
// Runs random sequences of instructions, each on a state of its own, and prints what they leave of it. Defined by the
// compiler's command line: SEED, COUNT of sequences, FIRST and STEP of the states that they get, GENERAL registers of
// WORD, STATUS words, FLOATS of 8 bytes, DATA bytes of memory, WHOLE if these are printed rather than their sum,
// SINGLES if floating-point numbers are to be singles (PAIRS: two of them in 8 bytes).
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct state {
  WORD general[GENERAL];
  uint64_t status[STATUS] __attribute__((aligned(16)));
  uint64_t floats[FLOATS] __attribute__((aligned(16)));
  uint8_t data[DATA] __attribute__((aligned(64)));
};

/// Runs one sequence. In assembly language, as all below.
extern void run_sequence(const void* code, struct state* state);
extern const void* const sequences[];
/// What is compared of the status words.
extern const uint64_t masks[][STATUS];

static struct state state;
static uint64_t seed;

static uint64_t next(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return seed ^ seed >> 29;
}

static uint64_t integer(void) {
  static const uint64_t edges[] = {0, 1, ~0ull, 0x7F, 0x80, 0x7FFF, 0x8000, 0x7FFFFFFF, 0x80000000, 1ull << 63};
  const uint64_t made = next();
  if (made % 8 == 0) return edges[(made >> 8) % (sizeof edges / sizeof edges[0])];
  return made & 64 ? next() >> (made >> 8 & 63) : (uint64_t)((int64_t)next() >> (made >> 8 & 63));
}

static uint32_t single(void) {
  // Zeros, the smallest and largest ones, infinities, quiet and signalling NaNs.
  static const uint32_t edges[] = {0x00000000, 0x80000000, 0x00000001, 0x807FFFFF, 0x00800000, 0x7F7FFFFF,
                                   0x7F800000, 0xFF800000, 0x7FC00001, 0xFFC12345, 0x7F800001, 0x3F800000};
  const uint64_t made = next();
  if (made % 16 == 0) return edges[(made >> 8) % (sizeof edges / sizeof edges[0])];
  if (made % 16 == 1) return (uint32_t)next();
  // Most are near 1, so that sums are more than their larger part.
  return (uint32_t)(next() & 0x807FFFFF) | (uint32_t)(127 - 16 + (made >> 8) % 32) << 23;
}

static uint64_t number(void) {
  static const uint64_t edges[] = {0,
                                   1ull << 63,
                                   1,
                                   0x800FFFFFFFFFFFFF,
                                   0x0010000000000000,
                                   0x7FEFFFFFFFFFFFFF,
                                   0x7FF0000000000000,
                                   0xFFF0000000000000,
                                   0x7FF8000000000001,
                                   0xFFF8123400000000,
                                   0x7FF0000000000001,
                                   0x3FF0000000000000};
  const uint64_t made = next();
#ifdef PAIRS
  return (uint64_t)single() << 32 | single();
#elif defined(SINGLES)
  const uint32_t bits = single();
  const int quiet = (bits & 0x7F800000) != 0x7F800000 || (bits & 0x7FFFFF) == 0 || (bits & 0x400000) != 0;
  float value;
  double wide;
  uint64_t wide_bits;
  memcpy(&value, &bits, sizeof value);
  wide = quiet ? value : 1.0;  // a conversion would make signalling NaNs quiet
  memcpy(&wide_bits, &wide, sizeof wide_bits);
  return made % 64 == 2 ? edges[10] : wide_bits;
#else
  if (made % 16 == 0) return edges[(made >> 8) % (sizeof edges / sizeof edges[0])];
  if (made % 16 == 1) return next();
  return (next() & 0x800FFFFFFFFFFFFF) | (1023 - 16 + (made >> 8) % 32) << 52;
#endif
}

static void print_memory(void) {
#ifdef WHOLE
  for (unsigned n = 0; n < DATA; ++n) printf(n % 8 == 0 ? " %02x" : "%02x", (unsigned)state.data[n]);
#else
  uint64_t sum = 14695981039346656037u;
  for (unsigned n = 0; n < DATA; ++n) sum = (sum ^ state.data[n]) * 1099511628211u;
  printf(" %016llx", (unsigned long long)sum);
#endif
}

int main(void) {
  for (unsigned i = 0; i < COUNT; ++i) {
    seed = SEED * 1000003ull + FIRST + i * STEP;
    for (unsigned n = 0; n < GENERAL; ++n) state.general[n] = (WORD)integer();
    for (unsigned n = 0; n < STATUS; ++n) state.status[n] = next();
    for (unsigned n = 0; n < FLOATS; ++n) state.floats[n] = number();
    for (unsigned n = 0; n < DATA; n += 8) {
      const uint64_t bits = n % 16 == 0 ? number() : integer();
      memcpy(state.data + n, &bits, 8);
    }
    run_sequence(sequences[i], &state);
    printf("memory");
    print_memory();
    printf(", status");
    for (unsigned n = 0; n < STATUS; ++n) printf(" %llx", (unsigned long long)(state.status[n] & masks[i][n]));
    printf(", general");
    for (unsigned n = 0; n < GENERAL; ++n) printf(" %llx", (unsigned long long)state.general[n]);
    printf(", floating-point");
    for (unsigned n = 0; n < FLOATS; ++n) printf(" %llx", (unsigned long long)state.floats[n]);
    printf("\n");
  }
  return 0;
}
