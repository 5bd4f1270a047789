// SPDX-License-Identifier: Apache-2.0
// Broadcasts along lines of the torus through DCMF, checked or measured.
//   dcmf_lines check [rounds]                 pairs of broadcasts behind each other, of random roots, sizes and
//                                             alignments, among puts; every other one in one half of the ranks each
//   dcmf_lines bytes [rounds] [messages]      one after the other; `messages`: by the binomial tree of messages
// Prints, on rank 0:
//   lines ranks=12 along-lines=1 checked=40 wrong=0
//   lines ranks=32 along-lines=1 bytes=65536 rounds=4 us=95.21 MB/s=688.3
// us: until all ranks are through, mean of the rounds.
#include <dcmf_collectives.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgp/dcmf_program.h"
#include "firmware/programs/contents.h"

enum {
  GUARD = 16,
  GUARD_BYTE = 0xA5,
  MOST_BYTES = 100000,
  SMALL = 600,
  PAIR = 2,
  PUT_BYTES = 3000,
  MOST_ROUNDS = 1000
};

static DCMF_CollectiveProtocol_t along_lines, by_messages;
static DCMF_Protocol_t put;
static DCMF_Geometry_t world, half;
static DCMF_CollectiveRequest_t requests[PAIR], barrier_request, half_request;
static unsigned rank, size, half_size, half_first;
static unsigned ranks[4096];
static volatile unsigned due;

static DCMF_Callback_t done(void) {
  ++due;
  return (DCMF_Callback_t){program_count_down, (void*)&due};
}

static void must(int result) {
  if (result != DCMF_SUCCESS) abort();
}

static void register_all(void) {
  DCMF_Broadcast_Configuration_t lines = {DCMF_TORUS_RECTANGLE_BROADCAST_PROTOCOL};
  DCMF_Broadcast_Configuration_t messages = {DCMF_TORUS_BINOMIAL_BROADCAST_PROTOCOL};
  DCMF_Put_Configuration_t puts = {DCMF_DEFAULT_PUT_PROTOCOL};
  must(DCMF_Broadcast_register(&along_lines, &lines));
  must(DCMF_Broadcast_register(&by_messages, &messages));
  must(DCMF_Put_register(&put, &puts));
  if (size > sizeof ranks / sizeof *ranks) abort();
  for (unsigned i = 0; i < size; ++i) ranks[i] = i;
  half_size = size / 2 ? size / 2 : 1;
  half_first = rank < half_size ? 0 : half_size;
  if (half_first) half_size = size - half_size;
  must(DCMF_Geometry_initialize(&world, 0, ranks, size, NULL, 0, NULL, 0, &barrier_request, 1, 1));
  must(DCMF_Geometry_initialize(&half, 1, ranks + half_first, half_size, NULL, 0, NULL, 0, &half_request, 1, 0));
}

static bool guards_are_whole(const uint8_t* out, unsigned bytes) {
  for (unsigned i = 1; i <= GUARD; ++i) {
    if (out[-(int)i] != GUARD_BYTE || out[bytes + i - 1] != GUARD_BYTE) return false;
  }
  return true;
}

static int check(unsigned rounds) {
  static uint8_t memory[PAIR][MOST_BYTES + 4 * GUARD], from[PUT_BYTES], to[PUT_BYTES];
  uint8_t* target = program_address(to, (rank + 1) % size);
  unsigned wrong = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    uint8_t* out[PAIR];
    unsigned bytes[PAIR];
    DCMF_Request_t puts;
    const unsigned key = 1000 + round;
    program_fill(from, sizeof from, key * 4096 + rank);
    must(DCMF_Put(&put, &puts, (DCMF_Callback_t){NULL, NULL}, DCMF_SEQUENTIAL_CONSISTENCY, (rank + 1) % size,
                  sizeof from, program_region(rank), program_region((rank + 1) % size), (size_t)from, (size_t)target,
                  done()));
    for (unsigned i = 0; i < PAIR; ++i) {
      const bool all = (round + i) % 3 != 2;
      const unsigned draw = program_hash(round, i + (all ? 0 : half_first));
      const unsigned root = all ? program_hash(draw, 1) % size : half_first + program_hash(draw, 1) % half_size;
      bytes[i] = program_hash(draw, 2) % (draw % 2 ? MOST_BYTES : SMALL);
      if (round == 0) bytes[i] = i ? MOST_BYTES : 0;
      out[i] = memory[i] + GUARD + program_hash(draw, rank + 3) % GUARD;
      memset(memory[i], GUARD_BYTE, sizeof memory[i]);
      if (rank == root) program_fill(out[i], bytes[i], draw);
      must(DCMF_Broadcast(&along_lines, &requests[i], done(), DCMF_MATCH_CONSISTENCY, all ? &world : &half, root,
                          (char*)out[i], bytes[i]));
    }
    program_wait(&due);
    for (unsigned i = 0; i < PAIR; ++i) {
      const bool all = (round + i) % 3 != 2;
      const unsigned draw = program_hash(round, i + (all ? 0 : half_first));
      wrong += !guards_are_whole(out[i], bytes[i]) || program_check(out[i], bytes[i], draw) != bytes[i];
    }
    program_barrier();
    wrong += program_check(to, sizeof to, key * 4096 + (rank + size - 1) % size) != sizeof to;
    program_barrier();
  }
  // Each rank tells rank 0 by what it exits with, too.
  if (wrong) printf("lines rank=%u wrong=%u\n", rank, wrong);
  return wrong != 0;
}

static double measure(DCMF_CollectiveProtocol_t* protocol, unsigned bytes, unsigned rounds) {
  char* buffer = malloc(bytes + 1);
  if (buffer == NULL) abort();
  double sum = 0;
  for (unsigned round = 0; round <= rounds; ++round) {
    program_barrier();
    const double begin = DCMF_Timer();
    must(DCMF_Broadcast(protocol, requests, done(), DCMF_MATCH_CONSISTENCY, &world, 0, buffer, bytes));
    program_wait(&due);
    program_barrier();
    if (round) sum += DCMF_Timer() - begin;
  }
  free(buffer);
  return sum / rounds;
}

static unsigned number(const char* text, unsigned most) {
  char* end;
  const unsigned long value = strtoul(text, &end, 0);
  if (*text < '0' || *text > '9' || *end != 0 || value == 0 || value > most) {
    if (rank == 0) fprintf(stderr, "dcmf_lines: '%s' is not a number from 1 to %u\n", text, most);
    exit(2);
  }
  return (unsigned)value;
}

int main(int argc, char** argv) {
  program_start();
  rank = DCMF_Messager_rank();
  size = DCMF_Messager_size();
  register_all();
  const unsigned rounds = argc > 2 ? number(argv[2], MOST_ROUNDS) : 4;
  const int applies = DCMF_Geometry_analyze(&world, &along_lines);
  if (argc < 2 || (argc > 3 && strcmp(argv[3], "messages") != 0)) {
    if (rank == 0) fprintf(stderr, "usage: dcmf_lines check [rounds] | bytes [rounds] [messages]\n");
    return program_end(2);
  }
  int status = 0;
  if (strcmp(argv[1], "check") == 0) {
    status = check(rounds);
    if (rank == 0) printf("lines ranks=%u along-lines=%d checked=%u wrong=%d\n", size, applies, rounds, status);
  } else {
    const unsigned bytes = number(argv[1], 64 << 20);
    const double us = 1e6 * measure(argc > 3 ? &by_messages : &along_lines, bytes, rounds);
    if (rank == 0)
      printf("lines ranks=%u along-lines=%d bytes=%u rounds=%u us=%.2f MB/s=%.1f\n", size, argc > 3 ? 0 : applies,
             bytes, rounds, us, bytes / us);
  }
  return program_end(status);
}
