// SPDX-License-Identifier: Apache-2.0
// Ping-pong as pingpong.c plays it, through MPI: half of the round trip between rank 0 and its peers, in core cycles by
// the time base. Environment variables of the library decide which protocol carries the messages (docs/guide/mpi.md).
//
// One line a peer on rank 0's standard output:
//   mpi-pingpong size=1 peer=5 hops=2 iterations=64 cycles=2700.50 cycles_min=2699.50
#include <stdio.h>
#include <stdlib.h>

#include "drivers/bgl/kernel.h"
#include "firmware/mpi/mpi.h"
#include "firmware/programs/bgl/phase.h"
#include "firmware/programs/bgl/program.h"

enum { TAG = 1 };

static uint8_t* buffer;
static uint32_t size;

static void send(int peer) {
  MPI_Send(buffer, (int)size, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
}

static void receive(int peer) {
  MPI_Recv(buffer, (int)size, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// Returns whether the bytes came back as they went.
static bool play(uint32_t peer, uint32_t iterations, uint32_t warm_up) {
  uint64_t total = 0, least = UINT64_MAX;
  program_fill(buffer, size, peer);
  const uint32_t idle = program_idle_turn();
  for (uint32_t turn = 0; turn < warm_up + iterations; ++turn) {
    program_wait_part_of_turns(turn, idle);
    const uint64_t start = bgl_timebase();
    send((int)peer);
    receive((int)peer);
    const uint64_t cycles = bgl_timebase() - start;
    if (turn < warm_up) continue;
    total += cycles;
    if (cycles < least) least = cycles;
  }
  const uint64_t hundredths = total * 50 / iterations;  // of a cycle; half a round trip
  printf("mpi-pingpong size=%u peer=%u hops=%u iterations=%u cycles=%llu.%02u cycles_min=%llu.%02u\n", size, peer,
         bglml_hops(0, peer), iterations, (unsigned long long)(hundredths / 100), (unsigned)(hundredths % 100),
         (unsigned long long)(least / 2), (unsigned)(least % 2 * 50));
  const uint32_t wrong = program_check(buffer, size, peer);
  if (wrong == size) return true;
  fprintf(stderr, "mpi_pingpong: byte %u of %u came back wrong from rank %u\n", wrong, size, peer);
  return false;
}

int main(int argc, char** argv) {
  uint32_t iterations = 64, warm_up = 5;
  const char* peer_list = "1";
  size = 1;
  const program_option_t options[] = {
      {"--size", "bytes; default 1", &size, NULL, 0, 1u << 26},
      {"--iterations", "measured round trips; default 64", &iterations, NULL, 1, 1000000},
      {"--warm-up", "round trips before them; default 5", &warm_up, NULL, 0, 1000000},
      {"--peers", "ranks, as 1,5,7; default 1", NULL, &peer_list, 0, 0},
  };
  MPI_Init(&argc, &argv);
  const uint32_t rank = bglml_rank(), ranks = bglml_size();
  program_options(argc, argv, options, sizeof options / sizeof *options, rank == 0);
  uint32_t* peers = malloc(ranks * sizeof *peers);
  const uint32_t count = program_numbers(peer_list, peers, ranks, 1, ranks - 1);
  if (count == 0) {
    if (rank == 0) fprintf(stderr, "mpi_pingpong: --peers %s: ranks 1..%u are wanted\n", peer_list, ranks - 1);
    MPI_Finalize();
    return PROGRAM_EXIT_USAGE;
  }
  // Whole cache lines that only the message uses, so that a coprocessor can receive the data.
  buffer = aligned_alloc(32, (size + 31u) / 32u * 32u + 32u);
  bool right = true;
  for (uint32_t i = 0; i < count; ++i) {
    if (rank == 0) right = play(peers[i], iterations, warm_up) && right;
    for (uint32_t turn = 0; rank == peers[i] && turn < warm_up + iterations; ++turn) {
      receive(0);
      send(0);
    }
  }
  MPI_Finalize();
  return right ? 0 : PROGRAM_EXIT_MISMATCH;
}
