// SPDX-License-Identifier: Apache-2.0
// Bandwidth of a node that exchanges messages with several of its neighbours at once, over the message size.
//
// In a round, rank 0 (the centre) posts `--window` messages to each of `--links` neighbours and each of these posts as
// many to the centre; the round is over when all of them have been sent and have come. A neighbour begins its next
// round when its own exchange with the centre is over. A window of 1 is the both-way test of the usual ping-pong
// benchmarks.
//
// One line a size on rank 0's standard output; `cycles` is a round's mean on the centre, in core cycles by the time
// base, after one round of warm-up:
//   bandwidth protocol=eager links=3 size=1024 window=1 rounds=32 cycles=5400.25
// Buffers are filled before the first round and checked after the last, outside the measured time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/programs/bgl/program.h"
#include "firmware/programs/bgl/transfer.h"

enum {
  AHEAD = 2,  // a peer may be one round ahead, no more: it needs our messages of the round before
  MOST_WINDOW = 64,
  MOST_SIZES = 32,
  LEAST_ROUNDS = 2,
  MOST_ROUNDS = 32,
  WARM_UP = 1
};

typedef struct {
  transfer_receive_t state;
  uint8_t* buffer;
} slot_t;

/// One end of an exchange.
typedef struct {
  uint32_t peer;
  uint32_t arrived;  ///< messages begun, in all rounds
  uint8_t* outgoing;
  transfer_send_t* sends;  ///< `window` of them
  slot_t* slots;           ///< of the messages that come: `window` for each of AHEAD rounds
} link_t;

static struct {
  uint32_t window, size, room;
  uint32_t links;
  link_t link[PROGRAM_DIRECTIONS];
  uint8_t* link_of;  ///< by rank
  uint32_t sent;
  uint32_t received[AHEAD];  ///< by the parity of their round
} test;

static void count_received(void* count) {
  *(uint32_t*)count += 1;
}

static void count_sent(void* context) {
  (void)context;
  test.sent += 1;
}

static transfer_place_t arrival(uint32_t source, uint32_t tag, uint32_t length) {
  link_t* link = &test.link[test.link_of[source]];
  if (link->peer != source || length != test.size || tag != link->arrived) {
    fprintf(stderr, "bandwidth: rank %u: message %u of %u bytes from rank %u; expected message %u of %u\n",
            bglml_rank(), tag, length, source, link->arrived, test.size);
    exit(PROGRAM_EXIT_MISMATCH);
  }
  const uint32_t number = link->arrived++ % (AHEAD * test.window);
  slot_t* slot = &link->slots[number];
  return (transfer_place_t){&slot->state, slot->buffer, test.room, count_received,
                            &test.received[number / test.window]};
}

static void run_round(uint32_t round) {
  const uint32_t all = test.links * test.window;
  volatile uint32_t* const received = &test.received[round % AHEAD];
  test.sent = 0;
  for (uint32_t i = 0; i < test.window; ++i) {
    for (uint32_t number = 0; number < test.links; ++number) {
      link_t* link = &test.link[number];
      transfer_post(&link->sends[i], link->peer, round * test.window + i, link->outgoing, test.size, count_sent, NULL);
    }
  }
  while (*(volatile uint32_t*)&test.sent < all || *received < all) bglml_advance();
  *received = 0;
}

static uint32_t rounds_of(uint32_t volume) {
  const uint32_t rounds = volume / (test.size * test.window);
  return rounds < LEAST_ROUNDS ? LEAST_ROUNDS : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
}

/// All rounds of one size; returns the cycles of those after the warm-up.
static uint64_t measure(uint32_t rounds) {
  uint64_t start = 0;
  for (uint32_t round = 0; round < WARM_UP + rounds; ++round) {
    if (round == WARM_UP) start = bgl_timebase();
    run_round(round);
  }
  return bgl_timebase() - start;
}

/// Before the barrier: a peer that leaves it first sends at once.
static void prepare(void) {
  for (uint32_t number = 0; number < test.links; ++number) {
    link_t* link = &test.link[number];
    link->arrived = 0;
    for (uint32_t i = 0; i < AHEAD * test.window; ++i) memset(link->slots[i].buffer, 0, test.size);
  }
}

/// Returns whether every message of the last rounds came as it was sent.
static bool check_buffers(void) {
  for (uint32_t number = 0; number < test.links; ++number) {
    const link_t* link = &test.link[number];
    for (uint32_t i = 0; i < AHEAD * test.window; ++i) {
      const uint32_t wrong = program_check(link->slots[i].buffer, test.size, link->peer);
      if (wrong == test.size) continue;
      fprintf(stderr, "bandwidth: rank %u: byte %u of %u from rank %u is wrong\n", bglml_rank(), wrong, test.size,
              link->peer);
      return false;
    }
  }
  return true;
}

static void connect(uint32_t peer, uint32_t largest) {
  link_t* link = &test.link[test.links];
  test.room = (largest + 31u) / 32u * 32u;  // whole lines, which the coprocessor may fill
  link->peer = peer;
  link->outgoing = aligned_alloc(32, test.room);
  link->sends = calloc(test.window, sizeof *link->sends);
  link->slots = calloc(AHEAD * test.window, sizeof *link->slots);
  for (uint32_t i = 0; i < AHEAD * test.window; ++i) link->slots[i].buffer = aligned_alloc(32, test.room);
  program_fill(link->outgoing, largest, bglml_rank());
  test.link_of[peer] = (uint8_t)test.links++;
}

/// The centre's neighbours, in the order of the directions. Returns false where two of them are the same.
static bool find_peers(uint32_t links, uint32_t* peers) {
  for (uint32_t i = 0; i < links; ++i) {
    peers[i] = program_neighbour(0, i);
    if (peers[i] == 0 || peers[i] == BGLML_NO_RANK) return false;
    for (uint32_t before = 0; before < i; ++before) {
      if (peers[before] == peers[i]) return false;
    }
  }
  return true;
}

int main(int argc, char** argv) {
  uint32_t links = 1, volume = 1u << 19;
  const char* protocol = "eager";
  const char* second_core = "used";
  const char* size_list = "16,64,256,1024,4096,16384,65536,262144,1048576";
  test.window = 1;
  const program_option_t options[] = {
      {"--protocol", TRANSFER_PROTOCOLS "; default eager", NULL, &protocol, 0, 0},
      {"--second-core", PROGRAM_SECOND_CORE_HELP, NULL, &second_core, 0, 0},
      {"--links", "neighbours at once; default 1", &links, NULL, 1, PROGRAM_DIRECTIONS},
      {"--sizes", "bytes a message, as 16,1024 (default: 16 to 1048576)", NULL, &size_list, 0, 0},
      {"--window", "messages to a neighbour in a round; default 1", &test.window, NULL, 1, MOST_WINDOW},
      {"--volume", "bytes to a neighbour for each size, in 2 to 32 rounds; default 524288", &volume, NULL, 1, 1u << 30},
  };
  const bool speak = program_is_first();
  program_options(argc, argv, options, sizeof options / sizeof *options, speak);
  bglml_options_t layer = {0};
  if (!program_second_core(second_core, &layer)) {
    if (speak) fprintf(stderr, "bandwidth: --second-core %s: " PROGRAM_SECOND_CORE_HELP "\n", second_core);
    return PROGRAM_EXIT_USAGE;
  }
  bglml_init(&layer);
  uint32_t sizes[MOST_SIZES], peers[PROGRAM_DIRECTIONS], largest = 0;
  const uint32_t count = program_numbers(size_list, sizes, MOST_SIZES, 1, 1u << 26);
  if (count == 0 || !transfer_open(protocol, arrival)) {
    if (speak) {
      fprintf(stderr, "bandwidth: --protocol %s --sizes %s: " TRANSFER_PROTOCOLS ", and up to %d sizes 1..%u\n",
              protocol, size_list, MOST_SIZES, 1u << 26);
    }
    return PROGRAM_EXIT_USAGE;
  }
  if (!find_peers(links, peers)) {
    if (speak) fprintf(stderr, "bandwidth: --links %u: rank 0 has fewer neighbours; 3x3x3 has six\n", links);
    return PROGRAM_EXIT_USAGE;
  }
  for (uint32_t i = 0; i < count; ++i) largest = sizes[i] > largest ? sizes[i] : largest;
  test.link_of = calloc(bglml_size(), 1);
  for (uint32_t i = 0; i < links; ++i) {
    if (bglml_rank() == 0) connect(peers[i], largest);
    if (bglml_rank() == peers[i]) connect(0, largest);
  }

  bool right = true;
  for (uint32_t i = 0; i < count; ++i) {
    test.size = sizes[i];
    const uint32_t rounds = rounds_of(volume);
    prepare();
    bglml_barrier();
    if (test.links == 0) continue;
    const uint64_t hundredths = measure(rounds) * 100 / rounds;
    right = check_buffers() && right;
    if (bglml_rank() != 0) continue;
    printf("bandwidth protocol=%s links=%u size=%u window=%u rounds=%u cycles=%llu.%02u\n", protocol, links, test.size,
           test.window, rounds, (unsigned long long)(hundredths / 100), (unsigned)(hundredths % 100));
  }
  bglml_barrier();
  return right ? 0 : PROGRAM_EXIT_MISMATCH;
}
