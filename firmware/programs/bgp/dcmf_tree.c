// SPDX-License-Identifier: Apache-2.0
// Broadcasts and reductions of all ranks over the collective network through DCMF, checked or measured.
//   dcmf_tree check [rounds]                        random types, operations, roots, sizes and alignments
//   dcmf_tree OPERATION bytes [rounds] [messages]   broadcast, allreduce, sum (of doubles)
// `messages`: over the torus. Prints, on rank 0:
//   tree ranks=32 checked=40 wrong=0
//   tree ranks=32 operation=broadcast bytes=65536 rounds=4 us=95.21 MB/s=688.3
// us: one after the other, until all ranks are through, mean of the rounds.
#include <dcmf_collectives.h>
#include <dcmf_globalcollectives.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgp/dcmf_program.h"
#include "firmware/programs/contents.h"

enum { GUARD = 16, GUARD_BYTE = 0xA5, MOST_BYTES = 12000, ELEMENTS = 5, REDUCTIONS = 6, MOST_ROUNDS = 100000 };

static const DCMF_Dt types[ELEMENTS] = {DCMF_SIGNED_INT, DCMF_UNSIGNED_INT, DCMF_SIGNED_LONG_LONG,
                                        DCMF_UNSIGNED_LONG_LONG, DCMF_DOUBLE};
static const DCMF_Op reductions[REDUCTIONS] = {DCMF_SUM, DCMF_MAX, DCMF_MIN, DCMF_BAND, DCMF_BOR, DCMF_BXOR};

static DCMF_Protocol_t barrier, broadcast, allreduce;
static DCMF_CollectiveProtocol_t torus_broadcast, torus_allreduce;
static DCMF_Geometry_t world;
static bool messages;
static unsigned rank, size;

static volatile unsigned due;
static DCMF_CollectiveRequest_t request;

static void wait_for(int result) {
  if (result != DCMF_SUCCESS) abort();
  program_wait(&due);
}

static DCMF_Callback_t done(void) {
  due = 1;
  return (DCMF_Callback_t){program_count_down, (void*)&due};
}

static void reduce(void* in, void* out, unsigned count, DCMF_Dt dt, DCMF_Op op, int root) {
  if (messages) {
    wait_for(
        DCMF_Allreduce(&torus_allreduce, &request, done(), DCMF_MATCH_CONSISTENCY, &world, in, out, count, dt, op));
    return;
  }
  wait_for(DCMF_GlobalAllreduce(&allreduce, (DCMF_Request_t*)&request, done(), DCMF_MATCH_CONSISTENCY, root, in, out,
                                count, dt, op));
}

static void tell(void* buffer, unsigned bytes, unsigned root) {
  if (messages) {
    wait_for(DCMF_Broadcast(&torus_broadcast, &request, done(), DCMF_MATCH_CONSISTENCY, &world, root, buffer, bytes));
    return;
  }
  wait_for(
      DCMF_GlobalBcast(&broadcast, (DCMF_Request_t*)&request, done(), DCMF_MATCH_CONSISTENCY, root, buffer, bytes));
}

// What a reduction must give, element by element. Doubles are small whole numbers, whose sums are exact.
typedef union {
  int i;
  unsigned u;
  long long l;
  unsigned long long m;
  double d;
} value_t;

static unsigned bytes_of(DCMF_Dt dt) {
  return dt == DCMF_SIGNED_INT || dt == DCMF_UNSIGNED_INT ? 4 : 8;
}

static value_t value_of(DCMF_Dt dt, unsigned key, unsigned of, unsigned i) {
  const uint32_t low = program_hash(key + of, i), high = program_hash(low, key);
  value_t value = {.m = (unsigned long long)high << 32 | low};
  if (bytes_of(dt) == 4) value.u = low;
  if (dt == DCMF_DOUBLE) value.d = (int)low;
  return value;
}

#define COMBINE(member)                             \
  switch (op) {                                     \
    case DCMF_SUM:                                  \
      a.member += b.member;                         \
      break;                                        \
    case DCMF_MAX:                                  \
      if (b.member > a.member) a.member = b.member; \
      break;                                        \
    case DCMF_MIN:                                  \
      if (b.member < a.member) a.member = b.member; \
      break;                                        \
    default:                                        \
      break;                                        \
  }

static value_t combine(DCMF_Dt dt, DCMF_Op op, value_t a, value_t b) {
  if (op == DCMF_BAND) a.m &= b.m;
  if (op == DCMF_BOR) a.m |= b.m;
  if (op == DCMF_BXOR) a.m ^= b.m;
  switch (dt) {
    case DCMF_SIGNED_INT:
      if (op == DCMF_SUM) {
        a.u += b.u;
        break;
      }
      COMBINE(i)
      break;
    case DCMF_UNSIGNED_INT:
      COMBINE(u)
      break;
    case DCMF_SIGNED_LONG_LONG:
      if (op == DCMF_SUM) {
        a.m += b.m;
        break;
      }
      COMBINE(l)
      break;
    case DCMF_UNSIGNED_LONG_LONG:
      COMBINE(m)
      break;
    default:
      COMBINE(d)
  }
  return a;
}

static bool guards_are_whole(const uint8_t* out, unsigned bytes) {
  for (unsigned i = 1; i <= GUARD; ++i) {
    if (out[-(int)i] != GUARD_BYTE || out[bytes + i - 1] != GUARD_BYTE) return false;
  }
  return true;
}

static bool check_broadcast(unsigned draw, uint8_t* out, unsigned bytes) {
  const unsigned root = program_hash(draw, 1) % size;
  if (rank == root) program_fill(out, bytes, draw);
  tell(out, bytes, root);
  return guards_are_whole(out, bytes) && program_check(out, bytes, draw) == bytes;
}

static bool check_reduction(unsigned draw, uint8_t* in, uint8_t* out, unsigned bytes) {
  const DCMF_Dt dt = types[program_hash(draw, 2) % ELEMENTS];
  const DCMF_Op op = reductions[program_hash(draw, 3) % (dt == DCMF_DOUBLE ? 3 : REDUCTIONS)];
  const int root = program_hash(draw, 4) % 2 == 0 ? -1 : (int)(program_hash(draw, 5) % size);
  const unsigned width = bytes_of(dt), count = bytes / width;
  for (unsigned i = 0; i < count; ++i) {
    const value_t value = value_of(dt, draw, rank, i);
    memcpy(in + width * i, &value, width);
  }
  const bool in_place = program_hash(draw, 6) % 4 == 0;
  if (in_place) memcpy(out, in, width * count);
  reduce(in_place ? out : in, out, count, dt, op, root);
  if (root >= 0 && (unsigned)root != rank) return true;
  for (unsigned i = 0; i < count; ++i) {
    value_t expected = value_of(dt, draw, 0, i);
    for (unsigned of = 1; of < size; ++of) expected = combine(dt, op, expected, value_of(dt, draw, of, i));
    if (memcmp(&expected, out + width * i, width) != 0) return false;
  }
  return guards_are_whole(out + (width * count - bytes), bytes);
}

static unsigned check(unsigned rounds) {
  unsigned wrong = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned draw = program_hash(round, 77);
    const unsigned bytes = program_hash(draw, 7) % ((MOST_BYTES >> draw % 8) + 1) / 8 * 8;
    const unsigned own = draw & 0x100 ? program_hash(draw, rank + 16) : 0;  // each rank's own alignments, or none
    uint8_t* memory = aligned_alloc(16, (size_t)2 * (MOST_BYTES + 4 * GUARD));
    memset(memory, GUARD_BYTE, (size_t)2 * (MOST_BYTES + 4 * GUARD));
    uint8_t* in = memory + GUARD + own % 16;
    uint8_t* out = memory + MOST_BYTES + 5 * GUARD + own / 16 % 16;
    const bool good = round % 2 == 0 ? check_broadcast(draw, out, bytes) : check_reduction(draw, in, out, bytes);
    if (!good) fprintf(stderr, "dcmf_tree: rank %u, round %u, %u bytes: wrong\n", rank, round, bytes);
    wrong += !good;
    free(memory);
  }
  reduce(&wrong, &wrong, 1, DCMF_UNSIGNED_INT, DCMF_SUM, -1);
  if (rank == 0) printf("tree ranks=%u checked=%u wrong=%u\n", size, rounds, wrong);
  return wrong;
}

static void perform(const char* operation, uint8_t* in, uint8_t* out, unsigned bytes) {
  if (strcmp(operation, "broadcast") == 0) {
    tell(out, bytes, 0);
  } else if (strcmp(operation, "allreduce") == 0) {
    reduce(in, out, bytes / 4, DCMF_UNSIGNED_INT, DCMF_SUM, -1);
  } else {
    reduce(in, out, bytes / 8, DCMF_DOUBLE, DCMF_SUM, -1);
  }
}

static void meet(void) {
  wait_for(DCMF_GlobalBarrier(&barrier, (DCMF_Request_t*)&request, done()));
}

static void measure(const char* operation, unsigned bytes, unsigned rounds) {
  uint8_t* in = aligned_alloc(16, bytes + 16);
  uint8_t* out = aligned_alloc(16, bytes + 16);
  memset(in, 0, bytes);
  perform(operation, in, out, bytes);  // warms up
  meet();
  const double start = DCMF_Timer();
  for (unsigned round = 0; round < rounds; ++round) perform(operation, in, out, bytes);
  meet();
  const double us = 1e6 * (DCMF_Timer() - start) / rounds;
  if (rank == 0) {
    printf("tree ranks=%u operation=%s bytes=%u rounds=%u us=%.2f MB/s=%.1f\n", size, operation, bytes, rounds, us,
           bytes / us);
  }
}

static void start(void) {
  static DCMF_CollectiveRequest_t of_world;
  program_start();
  rank = (unsigned)DCMF_Messager_rank();
  size = (unsigned)DCMF_Messager_size();
  DCMF_GlobalBarrier_Configuration_t of_barrier = {DCMF_GI_GLOBALBARRIER_PROTOCOL};
  DCMF_GlobalBcast_Configuration_t of_broadcast = {DCMF_TREE_GLOBALBCAST_PROTOCOL};
  DCMF_GlobalAllreduce_Configuration_t of_allreduce = {DCMF_TREE_GLOBALALLREDUCE_PROTOCOL};
  DCMF_Broadcast_Configuration_t of_torus_broadcast = {DCMF_TORUS_BINOMIAL_BROADCAST_PROTOCOL};
  DCMF_Allreduce_Configuration_t of_torus_allreduce = {DCMF_TORUS_BINOMIAL_ALLREDUCE_PROTOCOL, NULL, 0};
  unsigned* ranks = malloc(size * sizeof *ranks);
  for (unsigned i = 0; i < size; ++i) ranks[i] = i;
  if (DCMF_GlobalBarrier_register(&barrier, &of_barrier) != DCMF_SUCCESS ||
      DCMF_GlobalBcast_register(&broadcast, &of_broadcast) != DCMF_SUCCESS ||
      DCMF_GlobalAllreduce_register(&allreduce, &of_allreduce) != DCMF_SUCCESS ||
      DCMF_Broadcast_register(&torus_broadcast, &of_torus_broadcast) != DCMF_SUCCESS ||
      DCMF_Allreduce_register(&torus_allreduce, &of_torus_allreduce) != DCMF_SUCCESS ||
      DCMF_Geometry_initialize(&world, 0, ranks, size, NULL, 0, NULL, 0, &of_world, 0, 1) != DCMF_SUCCESS) {
    abort();
  }
  free(ranks);
}

int main(int argc, char** argv) {
  const char* operation = argc > 1 ? argv[1] : "check";
  const bool checks = strcmp(operation, "check") == 0;
  messages = argc > 2 && strcmp(argv[argc - 1], "messages") == 0;
  const int end = argc - messages, of_rounds = checks ? 2 : 3;
  const unsigned bytes = !checks && end > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 65536;
  const unsigned rounds = end > of_rounds ? (unsigned)strtoul(argv[of_rounds], NULL, 0) : checks ? 40 : 4;
  if (rounds == 0 || rounds > MOST_ROUNDS) {
    fprintf(stderr, "dcmf_tree: %u rounds; 1 to %u are possible\n", rounds, MOST_ROUNDS);
    return EXIT_FAILURE;
  }
  start();
  unsigned wrong = 0;
  if (checks) {
    wrong = check(rounds);
  } else {
    measure(operation, bytes, rounds);
  }
  return program_end(wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
