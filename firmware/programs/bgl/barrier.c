// SPDX-License-Identifier: Apache-2.0
// Barriers: checks that no rank leaves a barrier before all have arrived, and measures its duration. First come some
// for which ranks come at different times; the times of all ranks are compared, which the time base allows, as it is
// the same everywhere. Then come some one directly after the other. Prints, on rank 0:
//   barrier ranks=32 over=global-interrupts rounds=64 cycles=1234.50 early=0
// cycles: a barrier of the latter, mean; early: barriers of the former that some rank has left early.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "firmware/programs/bgl/program.h"

enum { CHECKED = 24, MOST_WAIT = 4000 };

/// The times at which a rank arrived at and left each of the checked barriers, in cycles.
typedef struct {
  uint32_t entered[CHECKED];
  uint32_t left[CHECKED];
} times_t;

_Static_assert(sizeof(times_t) <= BGLML_ONE_PACKET_MAX, "the times of a rank go in one packet");

static times_t latest_entered, earliest_left;  // over all ranks, in their members `entered` and `left`
static uint32_t heard;

static void merge(const times_t* times) {
  for (unsigned i = 0; i < CHECKED; ++i) {
    if (times->entered[i] > latest_entered.entered[i]) latest_entered.entered[i] = times->entered[i];
    if (heard == 0 || times->left[i] < earliest_left.left[i]) earliest_left.left[i] = times->left[i];
  }
  heard += 1;
}

static void recvnew(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)argument;
  times_t times;
  if (length != sizeof times) {
    fprintf(stderr, "barrier: %u bytes from rank %u\n", length, source);
    exit(PROGRAM_EXIT_MISMATCH);
  }
  memcpy(&times, buffer, sizeof times);
  merge(&times);
}

static void set_flag(void* flag) {
  *(uint32_t*)flag = 1;
}

static void compute(uint32_t cycles) {
  const uint64_t start = bgl_timebase();
  while (bgl_timebase() - start < cycles) {
  }
}

int main(int argc, char** argv) {
  const char* over = "global-interrupts";
  uint32_t rounds = 64;
  const program_option_t options[] = {
      {"--over", "global-interrupts (default) or messages", NULL, &over, 0, 0},
      {"--rounds", "barriers one directly after the other; default 64", &rounds, NULL, 1, 1000000},
  };
  program_options(argc, argv, options, sizeof options / sizeof *options, program_is_first());
  const bool messages = strcmp(over, "messages") == 0;
  if (!messages && strcmp(over, "global-interrupts") != 0) {
    if (program_is_first()) fprintf(stderr, "barrier: --over %s; it is global-interrupts or messages\n", over);
    return PROGRAM_EXIT_USAGE;
  }
  bglml_init(NULL);
  const bglml_port_t port = bglml_one_packet_register(recvnew, NULL);
  void (*const barrier)(void) = messages ? bglml_barrier_by_messages : bglml_barrier;
  barrier();

  const uint32_t rank = bglml_rank();
  times_t times;
  for (unsigned i = 0; i < CHECKED; ++i) {
    compute(program_hash(rank, i) % MOST_WAIT);
    times.entered[i] = (uint32_t)bgl_timebase();
    barrier();
    times.left[i] = (uint32_t)bgl_timebase();
  }

  const uint64_t start = bgl_timebase();
  for (uint32_t i = 0; i < rounds; ++i) barrier();
  const uint64_t cycles = bgl_timebase() - start;

  if (rank != 0) {
    uint32_t sent = 0;
    bglml_one_packet_t message;
    bglml_one_packet_init(&message, port, 0, 0, &times, sizeof times, set_flag, &sent);
    bglml_one_packet_post(&message);
    bglml_wait(&sent);
    barrier();
    return 0;
  }
  merge(&times);
  while (heard < bglml_size()) bglml_advance();
  barrier();
  uint32_t early = 0;
  for (unsigned i = 0; i < CHECKED; ++i) early += earliest_left.left[i] < latest_entered.entered[i];
  printf("barrier ranks=%u over=%s rounds=%u cycles=%.2f early=%u\n", bglml_size(),
         !messages && bglml_barrier_is_wired() ? "global-interrupts" : "messages", rounds, (double)cycles / rounds,
         early);
  return early == 0 ? 0 : PROGRAM_EXIT_MISMATCH;
}
