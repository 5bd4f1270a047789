// SPDX-License-Identifier: Apache-2.0
// Barriers of all ranks through DCMF: checks that no rank leaves one before all have arrived, and measures them. First
// come some for which ranks come at different times; the times of all ranks are compared, which the time base allows,
// as it is the same everywhere. Then come some one directly after the other.
//   dcmf_barrier [rounds] [messages | registers]
// registers: by the SPI, without DCMF, which one process of a node can.
// Prints, on rank 0:
//   barrier ranks=32 over=global-interrupts rounds=64 us=1.234 early=0
// us: a barrier of the latter, mean; early: barriers of the former that some rank has left early.
#include <dcmf_collectives.h>
#include <dcmf_globalcollectives.h>
#include <spi/GlobInt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgp/dcmf_program.h"
#include "firmware/programs/contents.h"

enum { CHECKED = 24, MOST_WAIT = 4000 };

static DCMF_Protocol_t global_barrier, allreduce;
static DCMF_Geometry_t world;
static enum { GLOBAL_INTERRUPTS, MESSAGES, REGISTERS } way;
static const char* const ways[] = {"global-interrupts", "messages", "registers"};

static void meet(void) {
  if (way == REGISTERS) {
    (void)GlobInt_Barrier(GLOBINT_CHANNEL_APP_BARRIER, NULL, NULL);
    return;
  }
  DCMF_Request_t request;
  volatile unsigned due = 1;
  const DCMF_Callback_t done = {program_count_down, (void*)&due};
  const int result = way == MESSAGES ? DCMF_Barrier(&world, done, DCMF_MATCH_CONSISTENCY)
                                     : (int)DCMF_GlobalBarrier(&global_barrier, &request, done);
  if (result != DCMF_SUCCESS) abort();
  program_wait(&due);
}

static void greatest(unsigned long long* of, unsigned count) {
  DCMF_Request_t request;
  volatile unsigned due = 1;
  const DCMF_Callback_t done = {program_count_down, (void*)&due};
  if (DCMF_GlobalAllreduce(&allreduce, &request, done, DCMF_MATCH_CONSISTENCY, -1, (char*)of, (char*)of, count,
                           DCMF_UNSIGNED_LONG_LONG, DCMF_MAX) != DCMF_SUCCESS) {
    abort();
  }
  program_wait(&due);
}

/// A geometry of all ranks with a barrier by messages.
static void make_world(unsigned size) {
  static DCMF_CollectiveRequest_t request;
  unsigned* ranks = malloc(size * sizeof *ranks);
  for (unsigned i = 0; i < size; ++i) ranks[i] = i;
  if (DCMF_Geometry_initialize(&world, 0, ranks, size, NULL, 0, NULL, 0, &request, 0, 1) != DCMF_SUCCESS) abort();
  free(ranks);
}

int main(int argc, char** argv) {
  const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 64;
  while (argc > 2 && strcmp(argv[2], ways[way]) != 0) {
    if (way++ == REGISTERS) {
      fprintf(stderr, "dcmf_barrier: %s; messages and registers are possible\n", argv[2]);
      return EXIT_FAILURE;
    }
  }
  program_start();
  DCMF_GlobalBarrier_Configuration_t barrier_configuration = {DCMF_GI_GLOBALBARRIER_PROTOCOL};
  DCMF_GlobalAllreduce_Configuration_t allreduce_configuration = {DCMF_TREE_GLOBALALLREDUCE_PROTOCOL};
  if (rounds == 0 || DCMF_GlobalBarrier_register(&global_barrier, &barrier_configuration) != DCMF_SUCCESS ||
      DCMF_GlobalAllreduce_register(&allreduce, &allreduce_configuration) != DCMF_SUCCESS) {
    return EXIT_FAILURE;
  }
  const unsigned rank = (unsigned)DCMF_Messager_rank(), size = (unsigned)DCMF_Messager_size();
  make_world(size);
  meet();

  // The greatest of all is sought: of the times of leaving, the complement of the least.
  unsigned long long entered[CHECKED], left[CHECKED];
  for (unsigned i = 0; i < CHECKED; ++i) {
    const unsigned long long start = DCMF_Timebase();
    while (DCMF_Timebase() - start < program_hash(rank, i) % MOST_WAIT) {
    }
    entered[i] = DCMF_Timebase();
    meet();
    left[i] = ~DCMF_Timebase();
  }
  const double start = DCMF_Timer();
  for (unsigned i = 0; i < rounds; ++i) meet();
  const double seconds = DCMF_Timer() - start;
  greatest(entered, CHECKED);
  greatest(left, CHECKED);
  unsigned early = 0;
  for (unsigned i = 0; i < CHECKED; ++i) early += ~left[i] < entered[i];
  if (rank == 0) {
    printf("barrier ranks=%u over=%s rounds=%u us=%.3f early=%u\n", size, ways[way], rounds, 1e6 * seconds / rounds,
           early);
  }
  return program_end(early == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
