// SPDX-License-Identifier: Apache-2.0
// Ping-pong between rank 0 and its peers, one after the other: half of the round trip, in core cycles by the time base.
//
// Each round trip meets the polling loops at another point (phase.h), and the mean is over all of them alike.
//
// One line a peer on rank 0's standard output; `cycles` is the mean of all iterations, `cycles_min` the least:
//   pingpong protocol=eager size=1 peer=5 hops=2 iterations=64 cycles=2700.50 cycles_min=2699.50
// The peer sends back what it has received, and rank 0 checks that the bytes have survived.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/programs/bgl/phase.h"
#include "firmware/programs/bgl/program.h"

typedef enum { ONE_PACKET, EAGER, ADAPTIVE_EAGER, RENDEZVOUS, PROTOCOLS } protocol_t;

static const char* const protocol_names[PROTOCOLS] = {"one-packet", "eager", "adaptive-eager", "rendezvous"};

/// One side of the game: it has the ball (flag set) or waits for it.
typedef struct {
  protocol_t protocol;
  uint32_t size, capacity;
  uint8_t* buffer;
  volatile uint32_t received;
  volatile uint32_t sent;
  bglml_port_t port;
  union {
    bglml_one_packet_t one_packet;
    bglml_eager_t eager;
    bglml_adaptive_t adaptive;
    bglml_rendezvous_t rendezvous;
  } message;
  union {
    bglml_eager_receive_t eager;
    bglml_adaptive_receive_t adaptive;
    bglml_rendezvous_receive_t rendezvous;
  } receive;
} side_t;

static void set(void* flag) {
  *(volatile uint32_t*)flag = 1;
}

static void one_packet_recvnew(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)source, (void)argument;
  side_t* side = context;
  memcpy(side->buffer, buffer, length);
  side->received = 1;
}

static bglml_eager_receive_t* eager_recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                            uint32_t length) {
  (void)source, (void)metadata, (void)length;
  side_t* side = context;
  bglml_eager_receive_init(&side->receive.eager, side->buffer, set, (void*)&side->received);
  return &side->receive.eager;
}

static bglml_adaptive_receive_t* adaptive_recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                                  uint32_t length) {
  (void)source, (void)metadata, (void)length;
  side_t* side = context;
  bglml_adaptive_receive_init(&side->receive.adaptive, side->buffer, set, (void*)&side->received);
  return &side->receive.adaptive;
}

static bglml_rendezvous_receive_t* rendezvous_recvnew(void* context, const bglml_rendezvous_offer_t* offer) {
  (void)offer;
  side_t* side = context;
  bglml_rendezvous_receive_init(&side->receive.rendezvous, side->buffer, side->capacity, set, (void*)&side->received);
  return &side->receive.rendezvous;
}

static bglml_port_t open_port(side_t* side) {
  switch (side->protocol) {
    case EAGER:
      return bglml_eager_register(eager_recvnew, side);
    case ADAPTIVE_EAGER:
      return bglml_adaptive_register(adaptive_recvnew, side);
    case RENDEZVOUS:
      return bglml_rendezvous_register(rendezvous_recvnew, side);
    default:
      return bglml_one_packet_register(one_packet_recvnew, side);
  }
}

static void send(side_t* side, uint32_t peer) {
  void* sent = (void*)&side->sent;
  side->sent = 0;
  switch (side->protocol) {
    case EAGER:
      bglml_eager_init(&side->message.eager, side->port, peer, NULL, side->buffer, side->size, set, sent);
      bglml_eager_post(&side->message.eager);
      break;
    case ADAPTIVE_EAGER:
      bglml_adaptive_init(&side->message.adaptive, side->port, peer, NULL, side->buffer, side->size, set, sent);
      bglml_adaptive_post(&side->message.adaptive);
      break;
    case RENDEZVOUS:
      bglml_rendezvous_init(&side->message.rendezvous, side->port, peer, NULL, side->buffer, side->size, set, sent);
      bglml_rendezvous_post(&side->message.rendezvous);
      break;
    default:
      bglml_one_packet_init(&side->message.one_packet, side->port, peer, 0, side->buffer, side->size, set, sent);
      bglml_one_packet_post(&side->message.one_packet);
      break;
  }
  bglml_wait(&side->sent);
}

static void receive(side_t* side) {
  bglml_wait(&side->received);
  side->received = 0;
}

static void serve(side_t* side, uint32_t turns) {
  for (uint32_t turn = 0; turn < turns; ++turn) {
    receive(side);
    send(side, 0);
  }
}

/// Returns whether the bytes came back as they went.
static bool play(side_t* side, uint32_t peer, uint32_t iterations, uint32_t warm_up) {
  uint64_t total = 0, least = UINT64_MAX;
  program_fill(side->buffer, side->size, peer);
  const uint32_t idle = program_idle_turn();
  for (uint32_t turn = 0; turn < warm_up + iterations; ++turn) {
    program_wait_part_of_turns(turn, idle);
    const uint64_t start = bgl_timebase();
    send(side, peer);
    receive(side);
    const uint64_t cycles = bgl_timebase() - start;
    if (turn < warm_up) continue;
    total += cycles;
    if (cycles < least) least = cycles;
  }
  const uint64_t hundredths = total * 50 / iterations;  // of a cycle; half a round trip
  printf("pingpong protocol=%s size=%u peer=%u hops=%u iterations=%u cycles=%llu.%02u cycles_min=%llu.%02u\n",
         protocol_names[side->protocol], side->size, peer, bglml_hops(0, peer), iterations,
         (unsigned long long)(hundredths / 100), (unsigned)(hundredths % 100), (unsigned long long)(least / 2),
         (unsigned)(least % 2 * 50));
  const uint32_t wrong = program_check(side->buffer, side->size, peer);
  if (wrong == side->size) return true;
  fprintf(stderr, "pingpong: byte %u of %u came back wrong from rank %u\n", wrong, side->size, peer);
  return false;
}

/// The peers asked for: a list "1,5,7", the first rank at each distance, or all ranks. Returns how many, or 0 where the
/// text is wrong.
static uint32_t find_peers(const char* text, uint32_t* peers) {
  uint32_t count = 0;
  if (strcmp(text, "all") == 0) {
    while (count + 1 < bglml_size()) {
      peers[count] = count + 1;
      ++count;
    }
    return count;
  }
  if (strcmp(text, "all-distances") == 0) {
    for (unsigned hops = 1, found = 1; found; ++hops) {
      found = 0;
      for (uint32_t rank = 1; rank < bglml_size() && !found; ++rank) {
        if (bglml_hops(0, rank) != hops) continue;
        peers[count++] = rank;
        found = 1;
      }
    }
    return count;
  }
  return program_numbers(text, peers, bglml_size(), 1, bglml_size() - 1);
}

int main(int argc, char** argv) {
  uint32_t size = 1, iterations = 64, warm_up = 5;
  const char* name = "one-packet";
  const char* peer_list = "all-distances";
  const program_option_t options[] = {
      {"--protocol", "one-packet (default), eager, adaptive-eager or rendezvous", NULL, &name, 0, 0},
      {"--size", "bytes; default 1", &size, NULL, 0, 1u << 26},
      {"--iterations", "measured round trips; default 64", &iterations, NULL, 1, 1000000},
      {"--warm-up", "round trips before them; default 5", &warm_up, NULL, 0, 1000000},
      {"--peers", "ranks, as 1,5,7; all; or all-distances (default): the first rank at each distance from rank 0", NULL,
       &peer_list, 0, 0},
  };
  bglml_init(NULL);
  const uint32_t rank = bglml_rank();
  program_options(argc, argv, options, sizeof options / sizeof *options, rank == 0);
  protocol_t protocol = ONE_PACKET;
  while (protocol < PROTOCOLS && strcmp(name, protocol_names[protocol]) != 0) ++protocol;
  if (protocol == PROTOCOLS || (protocol == ONE_PACKET && size > BGLML_ONE_PACKET_MAX)) {
    if (rank == 0) {
      fprintf(stderr,
              "pingpong: --protocol %s --size %u: eager, adaptive-eager, rendezvous, or one-packet with at most %d "
              "bytes\n",
              name, size, BGLML_ONE_PACKET_MAX);
    }
    return PROGRAM_EXIT_USAGE;
  }
  uint32_t* peers = malloc(bglml_size() * sizeof *peers);
  const uint32_t count = find_peers(peer_list, peers);
  if (count == 0) {
    if (rank == 0) fprintf(stderr, "pingpong: --peers %s: ranks 1..%u are wanted\n", peer_list, bglml_size() - 1);
    return PROGRAM_EXIT_USAGE;
  }

  // Whole cache lines that only the message uses, so that a coprocessor can receive the data.
  side_t side = {.protocol = protocol, .size = size, .capacity = (size + 31u) / 32u * 32u};
  side.buffer = aligned_alloc(32, side.capacity + 32u);
  side.port = open_port(&side);
  bglml_barrier();
  bool right = true;
  for (uint32_t i = 0; i < count; ++i) {
    if (rank == 0) right = play(&side, peers[i], iterations, warm_up) && right;
    if (rank == peers[i]) serve(&side, warm_up + iterations);
  }
  bglml_barrier();
  return right ? 0 : PROGRAM_EXIT_MISMATCH;
}
