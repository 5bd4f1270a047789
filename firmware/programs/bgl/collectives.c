// SPDX-License-Identifier: Apache-2.0
// Collective operations, measured or checked. Each operation transfers random data; the result is compared byte by byte
// with a simple reference, with guards around the buffers.
#include "firmware/bgl/msglayer/collectives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "firmware/programs/bgl/program.h"

enum { MOST_SIZES = 64, GUARD = 64, GUARD_BYTE = 0xA5 };

/// An operation under one name: prepares its buffers, runs, and says how many bytes of them are wrong.
typedef struct operation {
  const char* name;
  void (*run)(const struct operation* operation);
  void (*fill)(uint32_t key);
  uint32_t (*wrong)(uint32_t key);
  size_t (*room)(uint32_t size);  ///< bytes of a buffer
  int how;
} operation_t;

static struct {
  uint32_t size;  ///< bytes: of a broadcast, or from a rank to each
  uint32_t root;
  uint8_t* in;  ///< with GUARD bytes before and behind
  uint8_t* out;
  size_t room;
  void* workspace;
  uint32_t* counts;  ///< of an allgatherv; of what an alltoallv receives
  uint32_t* offsets;
  uint32_t* send_counts;
  uint32_t* send_offsets;
} test;

/// Whether the guards of a buffer of `bytes` are as they were.
static uint32_t guards_wrong(const uint8_t* buffer, size_t bytes) {
  uint32_t wrong = 0;
  for (unsigned i = 1; i <= GUARD; ++i) wrong += buffer[-(int)i] != GUARD_BYTE;
  for (unsigned i = 0; i < GUARD; ++i) wrong += buffer[bytes + i] != GUARD_BYTE;
  return wrong;
}

static void clear(uint8_t* buffer, size_t bytes) {
  memset(buffer - GUARD, GUARD_BYTE, bytes + 2 * GUARD);
}

// ---------------------------------------------------------------------------------------------------------------
// Broadcast

static size_t broadcast_room(uint32_t size) {
  return size;
}

static void broadcast_fill(uint32_t key) {
  clear(test.out, test.size);
  if (bglml_rank() == test.root) program_fill(test.out, test.size, key);
}

static void broadcast_run(const operation_t* operation) {
  bglml_broadcast(test.out, test.size, test.root, (bglml_broadcast_t)operation->how);
}

static uint32_t broadcast_wrong(uint32_t key) {
  return test.size - program_check(test.out, test.size, key) + guards_wrong(test.out, test.size);
}

// ---------------------------------------------------------------------------------------------------------------
// All-to-all: each block is identified by its sender and its receiver.

static uint32_t block_key(uint32_t key, uint32_t from, uint32_t to) {
  return program_hash(program_hash(key, from), to);
}

static size_t alltoall_room(uint32_t size) {
  return (size_t)size * bglml_size();
}

static void alltoall_fill(uint32_t key) {
  clear(test.in, test.room);
  clear(test.out, test.room);
  for (uint32_t to = 0; to < bglml_size(); ++to) {
    program_fill(test.in + (size_t)to * test.size, test.size, block_key(key, bglml_rank(), to));
  }
}

static void alltoall_run(const operation_t* operation) {
  bglml_alltoall(test.in, test.out, test.size, (bglml_alltoall_t)operation->how, test.workspace);
}

static uint32_t alltoall_wrong(uint32_t key) {
  uint32_t wrong = guards_wrong(test.out, test.room);
  for (uint32_t from = 0; from < bglml_size(); ++from) {
    wrong +=
        test.size - program_check(test.out + (size_t)from * test.size, test.size, block_key(key, from, bglml_rank()));
  }
  return wrong;
}

// ---------------------------------------------------------------------------------------------------------------
// Alltoallv: contiguous blocks of 0 to `size` bytes that both sides can compute.

static uint32_t pair_bytes(uint32_t key, uint32_t from, uint32_t to) {
  return key % 4 == 0 ? test.size : block_key(key, to, from) % (test.size + 1);
}

static void alltoallv_fill(uint32_t key) {
  const uint32_t self = bglml_rank();
  uint32_t sent = 0, received = 0;
  clear(test.in, test.room);
  clear(test.out, test.room);
  for (uint32_t rank = 0; rank < bglml_size(); ++rank) {
    test.send_counts[rank] = pair_bytes(key, self, rank);
    test.send_offsets[rank] = sent;
    test.counts[rank] = pair_bytes(key, rank, self);
    test.offsets[rank] = received;
    program_fill(test.in + sent, test.send_counts[rank], block_key(key, self, rank));
    sent += test.send_counts[rank];
    received += test.counts[rank];
  }
}

static void alltoallv_run(const operation_t* operation) {
  (void)operation;
  bglml_alltoallv(test.in, test.send_counts, test.send_offsets, test.out, test.counts, test.offsets, test.workspace);
}

static uint32_t alltoallv_wrong(uint32_t key) {
  const uint32_t last = bglml_size() - 1;
  uint32_t wrong = guards_wrong(test.out, test.offsets[last] + test.counts[last]);
  for (uint32_t from = 0; from <= last; ++from) {
    const uint32_t block = block_key(key, from, bglml_rank());
    wrong += test.counts[from] - program_check(test.out + test.offsets[from], test.counts[from], block);
  }
  return wrong;
}

// ---------------------------------------------------------------------------------------------------------------
// Allgatherv: contiguous blocks of 0 to `size` bytes.

static size_t allgatherv_room(uint32_t size) {
  return (size_t)size * bglml_size();
}

static void allgatherv_fill(uint32_t key) {
  uint32_t offset = 0;
  clear(test.in, test.room);
  clear(test.out, test.room);
  for (uint32_t rank = 0; rank < bglml_size(); ++rank) {
    test.counts[rank] = key % 4 == 0 ? test.size : program_hash(key, rank) % (test.size + 1);
    test.offsets[rank] = offset;
    offset += test.counts[rank];
  }
  program_fill(test.in, test.counts[bglml_rank()], block_key(key, bglml_rank(), 0));
}

static void allgatherv_run(const operation_t* operation) {
  (void)operation;
  bglml_allgatherv(test.in, test.out, test.counts, test.offsets, test.workspace);
}

static uint32_t allgatherv_wrong(uint32_t key) {
  const uint32_t last = bglml_size() - 1;
  uint32_t wrong = guards_wrong(test.out, test.offsets[last] + test.counts[last]);
  for (uint32_t from = 0; from <= last; ++from) {
    wrong +=
        test.counts[from] - program_check(test.out + test.offsets[from], test.counts[from], block_key(key, from, 0));
  }
  return wrong;
}

// ---------------------------------------------------------------------------------------------------------------

#define ALLTOALL(name, how) \
  { name, alltoall_run, alltoall_fill, alltoall_wrong, alltoall_room, how }
#define BROADCAST(name, how) \
  { name, broadcast_run, broadcast_fill, broadcast_wrong, broadcast_room, how }

static const operation_t operations[] = {
    BROADCAST("broadcast-deposit", BGLML_BROADCAST_DEPOSIT),
    BROADCAST("broadcast-neighbours", BGLML_BROADCAST_NEIGHBOURS),
    BROADCAST("broadcast-binomial", BGLML_BROADCAST_BINOMIAL),
    ALLTOALL("alltoall-at-once", BGLML_ALLTOALL_AT_ONCE),
    ALLTOALL("alltoall-pairs", BGLML_ALLTOALL_PAIRS),
    ALLTOALL("alltoall-random", BGLML_ALLTOALL_RANDOM),
    ALLTOALL("alltoall-scheduled", BGLML_ALLTOALL_SCHEDULED),
    {"alltoallv", alltoallv_run, alltoallv_fill, alltoallv_wrong, alltoall_room, 0},
    {"allgatherv", allgatherv_run, allgatherv_fill, allgatherv_wrong, allgatherv_room, 0},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const operation_t* find(const char* name) {
  for (unsigned i = 0; i < OPERATIONS; ++i) {
    if (strcmp(operations[i].name, name) == 0) return &operations[i];
  }
  return NULL;
}

static bool right(const operation_t* operation, uint32_t key) {
  const uint32_t wrong = operation->wrong(key);
  if (wrong == 0) return true;
  fprintf(stderr, "collectives: rank %u: %s of %u bytes, root %u: %u bytes from the first wrong one on\n", bglml_rank(),
          operation->name, test.size, test.root, wrong);
  return false;
}

/// Each rank may have its own alignments: offsets in bytes from whole cache lines.
static void make_buffers(const operation_t* operation, uint32_t in_offset, uint32_t out_offset) {
  static uint8_t* memory[2];
  for (unsigned i = 0; i < 2; ++i) free(memory[i]);
  test.room = operation->room(test.size);
  for (unsigned i = 0; i < 2; ++i) {
    memory[i] = aligned_alloc(128, (test.room + 2 * GUARD + 255) / 128 * 128 + 128);
    if (memory[i] == NULL) {
      fprintf(stderr, "collectives: rank %u: no memory for %zu bytes\n", bglml_rank(), test.room);
      exit(PROGRAM_EXIT_MISMATCH);
    }
  }
  test.in = memory[0] + 128 + in_offset;
  test.out = memory[1] + 128 + out_offset;
}

/// Mean time of the operation, in hundredths of a cycle: one after the other, until all ranks are through.
static uint64_t measure(const operation_t* operation, uint32_t rounds, uint32_t warm_up) {
  for (uint32_t round = 0; round < warm_up; ++round) operation->run(operation);
  bglml_barrier();
  const uint64_t start = bgl_timebase();
  for (uint32_t round = 0; round < rounds; ++round) operation->run(operation);
  bglml_barrier();
  return (bgl_timebase() - start) * 100 / rounds;
}

/// One operation with test.size, and root and alignments drawn.
static bool check_one(const operation_t* operation, uint32_t draw) {
  const uint32_t own = program_hash(draw, bglml_rank() + 16);
  const bool aligned = (draw & 0x100) == 0;
  test.root = program_hash(draw, 2) % bglml_size();
  make_buffers(operation, aligned ? 0 : own % 16, aligned ? 0 : own / 16 % 16);
  operation->fill(draw);
  operation->run(operation);
  return right(operation, draw);
}

/// Each broadcast with many full packets in aligned buffers, from several roots: what the layer sends and takes as
/// streams, over every line, which short or unaligned messages do not show. Returns how many; those that went wrong
/// clear `all_right`.
static uint32_t check_long_broadcasts(uint32_t seed, const operation_t* only, bool* all_right) {
  enum { ROOTS = 3, LEAST = 10240, MOST = 20480 };
  uint32_t done = 0;
  for (unsigned number = 0; number < OPERATIONS; ++number) {
    const operation_t* operation = &operations[number];
    if (operation->room != broadcast_room || (only != NULL && only != operation)) continue;
    const uint32_t first = program_hash(seed, number);
    for (uint32_t i = 0; i < ROOTS; ++i, ++done) {
      const uint32_t draw = program_hash(first, i);
      test.root = (first + i * ((bglml_size() + ROOTS - 1) / ROOTS)) % bglml_size();
      test.size = LEAST + draw % ((MOST - LEAST) / 16 + 1) * 16;
      make_buffers(operation, 0, 0);
      operation->fill(draw);
      operation->run(operation);
      *all_right = right(operation, draw) && *all_right;
    }
  }
  return done;
}

/// Every operation with each of the `sizes`, and then with random ones in `rounds` rounds.
static bool check(uint32_t rounds, uint32_t most, uint32_t seed, const operation_t* only, const uint32_t* sizes,
                  uint32_t size_count) {
  bool all_right = true;
  uint32_t done = 0;
  for (uint32_t round = 0; round < size_count + rounds; ++round) {
    for (unsigned number = 0; number < OPERATIONS; ++number) {
      const operation_t* operation = &operations[number];
      if (only != NULL && only != operation) continue;
      const uint32_t draw = program_hash(seed * 1000 + round, number);
      // As often short as long ones; and all ranks' blocks together no more than a broadcast.
      const uint32_t blocks = operation->room(1) > 1 ? (bglml_size() + 3) / 4 : 1;
      const uint32_t limit = (most >> draw % 12) / blocks;
      test.size = round < size_count ? sizes[round] : program_hash(draw, 1) % (limit + 1);
      all_right = check_one(operation, draw) && all_right;
      done += 1;
    }
  }
  done += check_long_broadcasts(seed, only, &all_right);
  bglml_barrier();
  if (bglml_rank() == 0) printf("collectives ranks=%u checked=%u\n", bglml_size(), done);
  return all_right;
}

int main(int argc, char** argv) {
  uint32_t rounds = 4, warm_up = 1, seed = 1, most = 20000;
  const char* name = "all";
  const char* second_core = "used";
  const char* size_list = "";
  const char* check_list = "";
  const program_option_t options[] = {
      {"--operation", "its name; default all, which are checked", NULL, &name, 0, 0},
      {"--sizes", "bytes, as 16,1024, to measure; default none: the operations are checked", NULL, &size_list, 0, 0},
      {"--check-sizes", "bytes, as 0,1,240, to check besides random ones; default none", NULL, &check_list, 0, 0},
      {"--rounds", "of each measurement, or of checks; default 4", &rounds, NULL, 1, 1000000},
      {"--warm-up", "rounds before those measured; default 1", &warm_up, NULL, 0, 1000},
      {"--root", "rank a measured broadcast begins at; default 0", &test.root, NULL, 0, 0xFFFFFF},
      {"--max-size", "bytes, of checks; default 20000", &most, NULL, 0, 1u << 26},
      {"--seed", "of random checks; default 1", &seed, NULL, 0, 1000000},
      {"--second-core", PROGRAM_SECOND_CORE_HELP, NULL, &second_core, 0, 0},
  };
  const bool speak = program_is_first();
  program_options(argc, argv, options, sizeof options / sizeof *options, speak);
  bglml_options_t layer = {0};
  const operation_t* operation = find(name);
  uint32_t sizes[MOST_SIZES];
  const bool checks = *size_list == '\0';
  const char* list = checks ? check_list : size_list;
  const uint32_t count = *list != '\0' ? program_numbers(list, sizes, MOST_SIZES, checks ? 0 : 1, 1u << 26) : 0;
  if ((operation == NULL && (strcmp(name, "all") != 0 || !checks)) || (*list != '\0' && count == 0) ||
      (!checks && *check_list != '\0') || !program_second_core(second_core, &layer)) {
    if (speak) {
      fprintf(stderr, "collectives: --operation %s --sizes %s --check-sizes %s --second-core %s: an operation's name (",
              name, size_list, check_list, second_core);
      for (unsigned i = 0; i < OPERATIONS; ++i) fprintf(stderr, "%s%s", i != 0 ? ", " : "", operations[i].name);
      fprintf(stderr, "), up to %d sizes 1..%u to measure or from 0 to check, used or unused\n", MOST_SIZES, 1u << 26);
    }
    return PROGRAM_EXIT_USAGE;
  }
  bglml_init(&layer);
  test.workspace = malloc(bglml_workspace());
  test.counts = calloc(bglml_size(), sizeof *test.counts);
  test.offsets = calloc(bglml_size(), sizeof *test.offsets);
  test.send_counts = calloc(bglml_size(), sizeof *test.send_counts);
  test.send_offsets = calloc(bglml_size(), sizeof *test.send_offsets);
  if (checks) return check(rounds, most, seed, operation, sizes, count) ? 0 : PROGRAM_EXIT_MISMATCH;

  bool all_right = true;
  for (uint32_t i = 0; i < count; ++i) {
    test.size = sizes[i];
    make_buffers(operation, 0, 0);
    operation->fill(seed);
    const uint64_t hundredths = measure(operation, rounds, warm_up);
    all_right = right(operation, seed) && all_right;
    if (bglml_rank() != 0) continue;
    printf("collectives operation=%s ranks=%u size=%u rounds=%u cycles=%llu.%02u\n", operation->name, bglml_size(),
           test.size, rounds, (unsigned long long)(hundredths / 100), (unsigned)(hundredths % 100));
  }
  bglml_barrier();
  return all_right ? 0 : PROGRAM_EXIT_MISMATCH;
}
