// SPDX-License-Identifier: Apache-2.0
// Collective operations over the tree, checked or measured. Each operation transfers random data; every rank computes
// the expected result and checks each byte. Sums of doubles are printed for a reference that has exact arithmetic.
#include "firmware/bgl/msglayer/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "firmware/programs/bgl/program.h"

enum { MOST_SIZES = 64, GUARD = 16, GUARD_BYTE = 0xA5 };

typedef enum { BROADCAST, ALLREDUCE, REDUCE, SUM_TWO_PASS, SUM_WIDE, SUM_TO_ROOT, OPERATIONS } operation_t;
static const char* const names[OPERATIONS] = {"broadcast",    "allreduce", "reduce",
                                              "sum-two-pass", "sum-wide",  "sum-to-root"};

static const uint64_t NOT_A_NUMBER = UINT64_C(0x7FF8000000000000);

static struct {
  operation_t operation;
  uint32_t bytes, root;
  bglml_element_t element;
  bglml_reduction_t how;
  uint8_t* in;  ///< with GUARD bytes before and behind
  uint8_t* out;
} test;

static uint32_t element_bytes(void) {
  return test.element == BGLML_INT32 || test.element == BGLML_UINT32 ? 4 : 8;
}

static void run(void) {
  switch (test.operation) {
    case BROADCAST:
      bglml_tree_broadcast(test.out, test.bytes, test.root);
      break;
    case ALLREDUCE:
      bglml_tree_allreduce(test.in, test.out, test.bytes / element_bytes(), test.element, test.how);
      break;
    case REDUCE:
      bglml_tree_reduce(test.in, test.out, test.bytes / element_bytes(), test.element, test.how, test.root);
      break;
    case SUM_TO_ROOT:
      bglml_tree_reduce(test.in, test.out, test.bytes / 8, BGLML_DOUBLE, BGLML_SUM, test.root);
      break;
    default:
      bglml_tree_sum_double((const double*)(const void*)test.in, (double*)(void*)test.out, test.bytes / 8,
                            test.operation == SUM_WIDE ? BGLML_DOUBLE_WIDE : BGLML_DOUBLE_TWO_PASS);
  }
}

/// Each rank may have its own alignments: offsets in bytes from whole quads.
static void make_buffers(uint32_t in_offset, uint32_t out_offset) {
  static uint8_t* memory[2];
  for (unsigned i = 0; i < 2; ++i) {
    free(memory[i]);
    memory[i] = aligned_alloc(16, (test.bytes + 3 * GUARD + 31) / 16 * 16);
    if (memory[i] == NULL) exit(PROGRAM_EXIT_MISMATCH);
    memset(memory[i], GUARD_BYTE, test.bytes + 3 * GUARD);
  }
  test.in = memory[0] + GUARD + in_offset;
  test.out = memory[1] + GUARD + out_offset;
}

static uint64_t random_bits(uint32_t key, uint32_t rank, uint32_t i) {
  const uint32_t high = program_hash(program_hash(key, rank), 2 * i);
  return (uint64_t)high << 32 | program_hash(high, 2 * i + 1);
}

/// A summand. small: 2^0 to 2^40; finite: any; anything: including special values.
enum { SMALL, FINITE, ANYTHING, KINDS };

static uint64_t summand(uint32_t kind, uint32_t key, uint32_t rank, uint32_t i) {
  const uint64_t random = random_bits(key, rank, i);
  const uint64_t rest = random & ~(UINT64_C(2047) << 52);
  const uint32_t exponent = (uint32_t)(random >> 52) & 2047;
  if (kind == SMALL) return rest | (uint64_t)(1023 + exponent % 40) << 52;
  if (kind == ANYTHING && i % 2 == 0) {
    switch ((random >> 20 ^ i) % 16) {
      case 0:
        return random & UINT64_C(1) << 63;  // a zero
      case 1:
        return rest;  // subnormal
      case 2:
        return i % 6 == 0 ? (random & UINT64_C(1) << 63) | UINT64_C(2047) << 52 : rest;  // infinite
      case 3:
        return i % 10 == 0 ? rest | UINT64_C(2047) << 52 | 1 : rest;  // NaN
      default:
        return rest | UINT64_C(2046) << 52;
    }
  }
  return exponent == 2047 ? rest | UINT64_C(2046) << 52 : random;
}

static double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Doubles to be added are whole numbers, whose sum is exact.
static uint64_t element_of(uint32_t key, uint32_t rank, uint32_t i) {
  const uint64_t random = random_bits(key, rank, i);
  if (test.element != BGLML_DOUBLE) return random;
  return test.how == BGLML_SUM ? bits_of((int32_t)(uint32_t)random) : summand(ANYTHING, key, rank, i);
}

static uint64_t combine_doubles(uint64_t a, uint64_t b) {
  const double x = double_of(a), y = double_of(b);
  if (test.how == BGLML_SUM) return bits_of(x + y);
  if (x != x || y != y) return NOT_A_NUMBER;
  const bool greater = x > y || (x == y && a >> 63 < b >> 63);  // of zeros, the one without a sign
  return greater == (test.how == BGLML_MAX) ? a : b;
}

static uint64_t combine(uint64_t a, uint64_t b) {
  if (test.element == BGLML_DOUBLE) return combine_doubles(a, b);
  const bool narrow = element_bytes() == 4;
  bool greater = a > b;
  if (test.element == BGLML_INT64) greater = (int64_t)a > (int64_t)b;
  if (test.element == BGLML_UINT32) greater = (uint32_t)a > (uint32_t)b;
  if (test.element == BGLML_INT32) greater = (int32_t)(uint32_t)a > (int32_t)(uint32_t)b;
  switch (test.how) {
    case BGLML_SUM:
      return narrow ? (uint32_t)(a + b) : a + b;
    case BGLML_MAX:
      return greater ? a : b;
    case BGLML_MIN:
      return greater ? b : a;
    case BGLML_AND:
      return a & b;
    case BGLML_OR:
      return a | b;
    default:
      return a ^ b;
  }
}

static void put(uint8_t* to, uint32_t i, uint64_t value) {
  const uint32_t narrow = (uint32_t)value;
  if (element_bytes() == 8) {
    memcpy(to + 8 * i, &value, 8);
  } else {
    memcpy(to + 4 * i, &narrow, 4);
  }
}

static void fill(uint32_t key) {
  if (test.operation == BROADCAST) {
    if (bglml_rank() == test.root) program_fill(test.out, test.bytes, key);
    return;
  }
  for (uint32_t i = 0; i < test.bytes / element_bytes(); ++i) put(test.in, i, element_of(key, bglml_rank(), i));
}

static bool right(uint32_t key) {
  for (unsigned i = 1; i <= GUARD && i <= (uintptr_t)test.out % 16 + GUARD; ++i) {
    if (test.out[-(int)i] != GUARD_BYTE || test.out[test.bytes + i - 1] != GUARD_BYTE) return false;
  }
  if (test.operation == BROADCAST) return program_check(test.out, test.bytes, key) == test.bytes;
  if (test.operation == REDUCE && bglml_rank() != test.root) return true;
  for (uint32_t i = 0; i < test.bytes / element_bytes(); ++i) {
    const uint64_t mask = element_bytes() == 4 ? 0xFFFFFFFFu : ~UINT64_C(0);
    uint64_t expected = element_of(key, 0, i) & mask;
    if (test.element == BGLML_DOUBLE) expected = combine_doubles(expected, test.how == BGLML_SUM ? 0 : expected);
    for (uint32_t rank = 1; rank < bglml_size(); ++rank) expected = combine(expected, element_of(key, rank, i) & mask);
    uint8_t bytes[8];
    put(bytes, 0, expected);
    if (memcmp(bytes, test.out + element_bytes() * i, element_bytes()) != 0) return false;
  }
  return true;
}

/// One operation with test.bytes, and element, reduction, root and alignments drawn; a reduction sometimes in place.
static bool check_one(uint32_t draw) {
  const uint32_t own = program_hash(draw, bglml_rank() + 16);
  const bool aligned = (draw & 0x100) == 0;
  test.element = (bglml_element_t)(program_hash(draw, 4) % BGLML_ELEMENTS);
  test.how = (bglml_reduction_t)(program_hash(draw, 5) % (test.element == BGLML_DOUBLE ? 3 : BGLML_REDUCTIONS));
  test.root = program_hash(draw, 2) % bglml_size();
  if (test.operation != BROADCAST) test.bytes = test.bytes / element_bytes() * element_bytes();
  make_buffers(aligned ? 0 : own % 16, aligned ? 0 : own / 16 % 16);
  if (test.operation != BROADCAST && draw % 4 == 0) test.in = test.out;
  fill(draw);
  run();
  if (right(draw)) return true;
  fprintf(stderr, "tree: rank %u: %s of %u bytes, root %u, element %d, reduction %d: wrong\n", bglml_rank(),
          names[test.operation], test.bytes, test.root, test.element, test.how);
  return false;
}

/// Every operation with each of the `sizes`, and then with random ones in `rounds` rounds.
static bool check(uint32_t rounds, uint32_t most, uint32_t seed, const uint32_t* sizes, uint32_t size_count) {
  bool good = true;
  uint32_t done = 0;
  for (uint32_t round = 0; round < size_count + rounds; ++round) {
    for (test.operation = BROADCAST; test.operation <= REDUCE; ++test.operation) {
      const uint32_t draw = program_hash(seed * 1000 + round, test.operation);
      test.bytes = round < size_count ? sizes[round] : program_hash(draw, 1) % ((most >> draw % 8) + 1);
      good = check_one(draw) && good;
      done += 1;
    }
  }
  if (bglml_rank() == 0) printf("tree ranks=%u checked=%u\n", bglml_size(), done);
  return good;
}

// ---------------------------------------------------------------------------------------------------------------
// Sums of doubles

static void fill_summands(uint32_t kind, uint32_t seed) {
  for (uint32_t i = 0; i < test.bytes / 8; ++i) {
    const uint64_t bits = summand(kind, seed, bglml_rank(), i);
    memcpy(test.in + 8 * i, &bits, 8);
  }
}

/// Prints the bits of each sum, and whether all ranks have the same.
static bool print_sums(uint32_t kind, uint32_t count, uint32_t seed) {
  test.bytes = 8 * count;
  make_buffers(0, bglml_rank() % 2 * 8);  // whole quads' worth at some ranks, and half of one apart at others
  fill_summands(kind, seed);
  run();
  uint64_t* greatest = malloc(8 * count + 8);
  if (test.operation != SUM_TO_ROOT) bglml_tree_allreduce(test.out, greatest, count, BGLML_UINT64, BGLML_MAX);
  const bool same = test.operation == SUM_TO_ROOT || memcmp(greatest, test.out, 8 * count) == 0;
  for (uint32_t i = 0; bglml_rank() == test.root && i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, test.out + 8 * i, 8);
    printf("sum element=%u bits=%016" PRIx64 "\n", i, bits);
  }
  if (!same) fprintf(stderr, "tree: rank %u: another sum than elsewhere\n", bglml_rank());
  free(greatest);
  return same;
}

// ---------------------------------------------------------------------------------------------------------------

/// Mean time of the operation, in hundredths of a cycle: one after the other, until all ranks are through.
static uint64_t measure(uint32_t rounds) {
  run();  // warms up
  bglml_barrier();
  const uint64_t start = bgl_timebase();
  for (uint32_t round = 0; round < rounds; ++round) run();
  bglml_barrier();
  return (bgl_timebase() - start) * 100 / rounds;
}

int main(int argc, char** argv) {
  uint32_t rounds = 4, bytes = 0, seed = 1, most = 20000, sums = 0, kind = 0, ranks = 0;
  const char* name = "all";
  const char* second_core = "used";
  const char* size_list = "";
  const char* check_list = "";
  const program_option_t options[] = {
      {"--operation",
       "broadcast, allreduce, reduce, sum-two-pass, sum-wide or sum-to-root; default all but sums, checked", NULL,
       &name, 0, 0},
      {"--sizes", "bytes, as 256,1024, to measure; default none", NULL, &size_list, 0, 0},
      {"--check-sizes", "bytes, as 0,1,256, to check besides random ones; default none", NULL, &check_list, 0, 0},
      {"--rounds", "of each measurement, or of checks; default 4", &rounds, NULL, 1, 1000000},
      {"--bytes", "of a measurement: so many rounds as make them; default as --rounds says", &bytes, NULL, 0, 1u << 30},
      {"--root", "rank a measured operation begins or ends at; default 0", &test.root, NULL, 0, 0xFFFFFF},
      {"--max-size", "bytes, of checks; default 20000", &most, NULL, 0, 1u << 26},
      {"--print-sums", "how many sums of doubles to print; default 0", &sums, NULL, 0, 100000},
      {"--kind", "of their summands: 0 small ones, 1 finite ones, 2 anything; default 0", &kind, NULL, 0, KINDS - 1},
      {"--max-ranks", "how many processes take part; default all", &ranks, NULL, 0, 0xFFFFFF},
      {"--seed", "of random data; default 1", &seed, NULL, 0, 1000000},
      {"--second-core", PROGRAM_SECOND_CORE_HELP, NULL, &second_core, 0, 0},
  };
  const bool speak = program_is_first();
  program_options(argc, argv, options, sizeof options / sizeof *options, speak);
  bglml_options_t layer = {0};
  for (test.operation = 0; test.operation < OPERATIONS && strcmp(names[test.operation], name) != 0;) ++test.operation;
  uint32_t sizes[MOST_SIZES];
  const bool checks = strcmp(name, "all") == 0 && *size_list == '\0' && sums == 0;
  const char* list = checks ? check_list : size_list;
  const uint32_t count = *list != '\0' ? program_numbers(list, sizes, MOST_SIZES, checks ? 0 : 8, 1u << 26) : 0;
  if (!program_second_core(second_core, &layer) || (*list != '\0' && count == 0) || (!checks && *check_list != '\0') ||
      (!checks &&
       (test.operation == OPERATIONS || (count == 0) == (sums == 0) || (sums != 0 && test.operation < SUM_TWO_PASS)))) {
    if (speak) {
      fprintf(stderr,
              "tree: --operation %s --sizes %s --check-sizes %s --second-core %s: an operation's name with up to %d "
              "sizes 8..%u, or a sum's with --print-sums, or none with sizes from 0 to check; used or unused\n",
              name, size_list, check_list, second_core, MOST_SIZES, 1u << 26);
    }
    return PROGRAM_EXIT_USAGE;
  }
  layer.max_ranks = ranks;
  bglml_init(&layer);
  if (checks) return check(rounds, most, seed, sizes, count) ? 0 : PROGRAM_EXIT_MISMATCH;
  if (sums != 0) return print_sums(kind, sums, seed) ? 0 : PROGRAM_EXIT_MISMATCH;
  for (uint32_t i = 0; i < count; ++i) {
    test.bytes = sizes[i];
    make_buffers(0, 0);
    program_fill(test.operation == BROADCAST ? test.out : test.in, test.bytes, seed);
    if (test.operation >= SUM_TWO_PASS) fill_summands(kind, seed);
    if (bytes != 0) rounds = bytes > sizes[i] ? bytes / sizes[i] : 1;
    const uint64_t hundredths = measure(rounds);
    if (bglml_rank() != 0) continue;
    printf("tree operation=%s ranks=%u size=%u rounds=%u cycles=%" PRIu64 ".%02u\n", name, bglml_size(), sizes[i],
           rounds, hundredths / 100, (unsigned)(hundredths % 100));
  }
  return 0;
}
