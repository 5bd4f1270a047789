// SPDX-License-Identifier: Apache-2.0
// Exchange with the neighbours in all six directions at once, as a stencil code does in each time step; every byte is
// checked. Prints, on rank 0:
//   neighbours ranks=32 rounds=4 size=1000 cycles=51234 (one round, mean)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/programs/bgl/program.h"

enum {
  DIRECTIONS = PROGRAM_DIRECTIONS,
  AHEAD = 2  // a neighbour may be one round ahead, no more: it needs our message of the round before
};

typedef struct {
  bglml_eager_receive_t state;
  uint8_t* buffer;
  uint32_t from;
} incoming_t;

typedef struct {
  uint32_t size;
  uint32_t received[AHEAD];  // messages complete, by the parity of their round
  uint32_t sent;
  uint32_t errors;
  incoming_t incoming[AHEAD][DIRECTIONS];
} exchange_t;

/// The metadata of a message: its direction and its round.
typedef struct {
  uint32_t direction;
  uint32_t round;
} tag_t;

static uint32_t key(uint32_t from, uint32_t direction, uint32_t round) {
  return program_hash(from * DIRECTIONS + direction, round);
}

static exchange_t exchange;

static void recvdone(void* count) {
  *(uint32_t*)count += 1;
}

static void senddone(void* context) {
  (void)context;
  exchange.sent += 1;
}

static bglml_eager_receive_t* recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                      uint32_t length) {
  (void)context;
  tag_t tag;
  memcpy(&tag, metadata, sizeof tag);
  if (length != exchange.size || tag.direction >= DIRECTIONS) {
    fprintf(stderr, "neighbours: rank %u: a message of %u bytes in direction %u from rank %u\n", bglml_rank(), length,
            tag.direction, source);
    exit(PROGRAM_EXIT_MISMATCH);
  }
  incoming_t* incoming = &exchange.incoming[tag.round % AHEAD][tag.direction];
  incoming->from = source;
  bglml_eager_receive_init(&incoming->state, incoming->buffer, recvdone, &exchange.received[tag.round % AHEAD]);
  return &incoming->state;
}

static void check(uint32_t round) {
  for (unsigned direction = 0; direction < DIRECTIONS; ++direction) {
    const incoming_t* incoming = &exchange.incoming[round % AHEAD][direction];
    const uint32_t expected = program_neighbour(bglml_rank(), direction ^ 1u);  // what travels up has come from below
    const uint32_t wrong = program_check(incoming->buffer, exchange.size, key(expected, direction, round));
    if (incoming->from == expected && wrong == exchange.size) continue;
    fprintf(stderr,
            "neighbours: rank %u: round %u, direction %u: from rank %u (expected %u), wrong from byte %u of %u\n",
            bglml_rank(), round, direction, incoming->from, expected, wrong, exchange.size);
    exchange.errors += 1;
  }
}

int main(int argc, char** argv) {
  uint32_t rounds = 4;
  exchange.size = 1000;
  const program_option_t options[] = {
      {"--size", "bytes a message; default 1000", &exchange.size, NULL, 0, 1u << 26},
      {"--rounds", "exchanges; default 4", &rounds, NULL, 1, 1000000},
  };
  bglml_init(NULL);
  program_options(argc, argv, options, sizeof options / sizeof *options, bglml_rank() == 0);
  const bglml_port_t port = bglml_eager_register(recvnew, NULL);
  bglml_eager_t messages[DIRECTIONS];
  uint8_t* outgoing[DIRECTIONS];
  uint32_t peers[DIRECTIONS];
  for (unsigned direction = 0; direction < DIRECTIONS; ++direction) {
    peers[direction] = program_neighbour(bglml_rank(), direction);
    if (peers[direction] == BGLML_NO_RANK) {
      if (bglml_rank() == 0) fprintf(stderr, "neighbours: the job must fill its torus\n");
      return PROGRAM_EXIT_USAGE;
    }
    outgoing[direction] = aligned_alloc(16, (exchange.size + 31u) / 16u * 16u);
    for (unsigned parity = 0; parity < AHEAD; ++parity) {
      exchange.incoming[parity][direction].buffer = aligned_alloc(16, (exchange.size + 31u) / 16u * 16u);
    }
  }
  bglml_barrier();

  uint64_t cycles = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
    exchange.sent = 0;
    for (unsigned direction = 0; direction < DIRECTIONS; ++direction) {
      program_fill(outgoing[direction], exchange.size, key(bglml_rank(), direction, round));
    }
    const uint64_t start = bgl_timebase();
    for (unsigned direction = 0; direction < DIRECTIONS; ++direction) {
      const tag_t tag = {direction, round};
      bglml_metadata_t metadata = {{0}};
      memcpy(&metadata, &tag, sizeof tag);
      bglml_eager_init(&messages[direction], port, peers[direction], &metadata, outgoing[direction], exchange.size,
                       senddone, NULL);
      bglml_eager_post(&messages[direction]);
    }
    while (exchange.sent < DIRECTIONS || exchange.received[round % AHEAD] < DIRECTIONS) bglml_advance();
    cycles += bgl_timebase() - start;
    exchange.received[round % AHEAD] = 0;
    check(round);
  }
  bglml_barrier();
  if (bglml_rank() == 0) {
    printf("neighbours ranks=%u rounds=%u size=%u cycles=%llu\n", bglml_size(), rounds, exchange.size,
           (unsigned long long)(cycles / rounds));
  }
  return exchange.errors ? PROGRAM_EXIT_MISMATCH : 0;
}
