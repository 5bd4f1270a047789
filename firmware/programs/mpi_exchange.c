// SPDX-License-Identifier: Apache-2.0
// Messages of 256 bytes between random ranks: in each round every rank sends one to the partner that a permutation
// gives it, which all ranks know, and receives one. Each byte that arrives is checked.
//
//   mpi_exchange [rounds]
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/mpi/mpi.h"

enum { WORDS = 64 };

static uint32_t next_random(void) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}

/// What the message of a rank in a round begins with; each word is one more than the one before.
static uint32_t first_word(int round, int rank) {
  return (uint32_t)round << 16 ^ (uint32_t)rank;
}

static void exchange(uint32_t* out, uint32_t* in, int to, int from) {
  MPI_Request requests[2];
  MPI_Irecv(in, WORDS, MPI_UINT32_T, from, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, WORDS, MPI_UINT32_T, to, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  int ranks, rank;
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? atoi(argv[1]) : 100;
  if (rounds < 1) {
    fprintf(stderr, "usage: %s [rounds, at least 1]\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int halves = ranks & -ranks;  // numbers below it may flip bits of a rank, which stays below `ranks`
  uint32_t out[WORDS], in[WORDS];
  long long wrong = 0, sum = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double began = MPI_Wtime();
  for (int round = 0; round < rounds; ++round) {
    const int shift = ranks > 1 ? 1 + (int)(next_random() % (uint32_t)(ranks - 1)) : 0;
    const int flip = (int)(next_random() % (uint32_t)halves);
    const int to = ((rank ^ flip) + shift) % ranks, from = ((rank - shift + ranks) % ranks) ^ flip;
    const uint32_t mine = first_word(round, rank), theirs = first_word(round, from);
    for (uint32_t i = 0; i < WORDS; ++i) out[i] = mine + i;
    exchange(out, in, to, from);
    uint32_t differs = 0;
    for (uint32_t i = 0; i < WORDS; ++i) differs |= in[i] ^ (theirs + i);
    wrong += differs != 0;
  }
  const double seconds = MPI_Wtime() - began;
  MPI_Allreduce(&wrong, &sum, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("exchange ranks=%d rounds=%d messages=%lld wrong=%lld seconds=%.9f\n", ranks, rounds,
           (long long)ranks * rounds, sum, seconds);
  }
  MPI_Finalize();
  return sum != 0;
}
