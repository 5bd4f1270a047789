// SPDX-License-Identifier: Apache-2.0
// What a core pays for one packet, with the packet layer alone. Every node sends to its X+ neighbour; rank 0 prints the
// least of several times, in core cycles by the time base, less what the time base itself costs.
//
// Without an argument, packets of 256 bytes: writing one from an aligned buffer in the cache, writing one of several
// that follow each other in main memory, reading one into an aligned buffer, and reading one into a buffer that needs
// realignment:
//   packet-cost write=60 write_from_memory=90 read=210 read_unaligned=250
// With the argument `sweep`, reading packets of every size to every offset from an aligned address: into an aligned
// buffer (whatever the offset), realigned while it is read, and read into an aligned buffer and then copied:
//   packet-read chunks=8 offset=3 aligned=210 realigned=250 copied=400
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "drivers/bgl/torus.h"

enum { GROUP = 0, ROUNDS = 16, SWEEP_ROUNDS = 4, EXIT_USAGE = 2 };
enum { CACHE_LINE = 32, ALL_CACHES = 8 << 20 };  // the caches together are some 4 MiB

static _Alignas(16) uint8_t packet[TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES];
static _Alignas(16) uint8_t aligned[sizeof packet];
static _Alignas(128) uint8_t far[ROUNDS][sizeof packet];
static uint8_t displacing[ALL_CACHES];
static _Alignas(16) uint8_t unaligned[sizeof packet + 16];

typedef enum { ALIGNED, REALIGNED, COPIED, WAYS } way_t;

typedef struct {
  uint32_t nothing;  ///< what taking the time costs
  uint32_t write;
  uint32_t read[WAYS];
} cost_t;

static uint32_t cycles(void) {
  uint32_t lower;
  __asm__ volatile("mftb %0" : "=r"(lower) : : "memory");
  return lower;
}

static void wait_for_room(void) {
  bgl_torus_status_t status;
  do {
    bgl_torus_read_status(GROUP, &status);
  } while (!bgl_torus_can_inject(&status, BGL_TORUS_I0, TORUS_MAX_CHUNKS));
}

/// The reception FIFO in which a packet has arrived.
static unsigned wait_for_packet(void) {
  for (;;) {
    bgl_torus_status_t status;
    bgl_torus_read_status(GROUP, &status);
    for (unsigned fifo = BGL_TORUS_R0; fifo <= BGL_TORUS_R5; ++fifo) {
      if (bgl_torus_reception_chunks(&status, fifo) != 0) return fifo;
    }
  }
}

static void least(uint32_t* cost, uint32_t start, uint32_t end) {
  if (end - start < *cost) *cost = end - start;
}

/// Send a packet, read the one that the neighbour has sent, and check it from its payload on: the network fills in the
/// last bytes of the header.
static void exchange(unsigned chunks, unsigned offset, way_t way, cost_t* cost) {
  const unsigned quads = TORUS_CHUNK_QUADS * chunks;
  const unsigned bytes = TORUS_CHUNK_BYTES * chunks;
  uint8_t* const there = way == ALIGNED ? aligned : unaligned + offset;
  memset(there, 0, bytes);
  bgl_torus_set_chunks((torus_header_t*)packet, chunks);

  uint32_t start = cycles();
  least(&cost->nothing, start, cycles());

  wait_for_room();
  start = cycles();
  bgl_torus_inject(GROUP, BGL_TORUS_I0, packet, chunks);
  least(&cost->write, start, cycles());

  const unsigned fifo = wait_for_packet();
  start = cycles();
  switch (way) {
    case ALIGNED:
      bgl_torus_read_rest(GROUP, fifo, there, quads);
      break;
    case REALIGNED:
      bgl_torus_read_rest_unaligned(GROUP, fifo, there, bytes, quads);
      break;
    default:
      bgl_torus_read_rest(GROUP, fifo, aligned, quads);
      memcpy(there, aligned, bytes);
  }
  least(&cost->read[way], start, cycles());
  if (memcmp(there + sizeof(torus_header_t), packet + sizeof(torus_header_t), bytes - sizeof(torus_header_t)) != 0) {
    fprintf(stderr, "packet_cost: a packet of %u chunks arrived with wrong contents\n", chunks);
    exit(1);
  }
}

static cost_t measure(unsigned chunks, unsigned offset, unsigned ways, unsigned rounds) {
  cost_t cost = {UINT32_MAX, UINT32_MAX, {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
  for (unsigned round = 0; round < ways * rounds; ++round) exchange(chunks, offset, (way_t)(round % ways), &cost);
  return cost;
}

/// Writing packets from main memory.
static uint32_t measure_far(void) {
  uint32_t nothing = UINT32_MAX;
  uint32_t write = UINT32_MAX;
  for (unsigned round = 0; round < ROUNDS; ++round) memcpy(far[round], packet, sizeof packet);
  for (unsigned i = 0; i < ALL_CACHES; i += CACHE_LINE) *(volatile uint8_t*)(displacing + i) = 1;
  for (unsigned round = 0; round < ROUNDS; ++round) {
    uint32_t start = cycles();
    least(&nothing, start, cycles());
    wait_for_room();
    start = cycles();
    bgl_torus_inject(GROUP, BGL_TORUS_I0, far[round], TORUS_MAX_CHUNKS);
    least(&write, start, cycles());
    bgl_torus_read_rest(GROUP, wait_for_packet(), aligned, TORUS_MAX_QUADS);
  }
  return write - nothing;
}

int main(int argc, char** argv) {
  struct toroid_personality me;
  if (bgl_get_personality(&me) != 0) return 1;
  const int sweep = argc == 2 && strcmp(argv[1], "sweep") == 0;
  if (argc > 1 && !sweep) {
    if (me.rank == 0) fprintf(stderr, "usage: %s [sweep]\n", argv[0]);
    return EXIT_USAGE;
  }
  for (unsigned i = 0; i < sizeof packet; ++i) packet[i] = (uint8_t)(7 * i + 1);
  const uint8_t to[3] = {(uint8_t)((me.coordinates[0] + 1) % me.shape[0]), (uint8_t)me.coordinates[1],
                         (uint8_t)me.coordinates[2]};
  bgl_torus_deterministic_header((torus_header_t*)packet, to, TORUS_HINT_X_PLUS, GROUP, TORUS_MAX_CHUNKS);

  if (!sweep) {
    const cost_t cost = measure(TORUS_MAX_CHUNKS, 3, COPIED, ROUNDS);
    const uint32_t write_far = measure_far();
    if (me.rank != 0) return 0;
    printf("packet-cost write=%u write_from_memory=%u read=%u read_unaligned=%u\n", cost.write - cost.nothing,
           write_far, cost.read[ALIGNED] - cost.nothing, cost.read[REALIGNED] - cost.nothing);
    return 0;
  }
  for (unsigned chunks = 1; chunks <= TORUS_MAX_CHUNKS; ++chunks) {
    for (unsigned offset = 0; offset < TORUS_QUAD_BYTES; ++offset) {
      const cost_t cost = measure(chunks, offset, WAYS, SWEEP_ROUNDS);
      if (me.rank != 0) continue;
      printf("packet-read chunks=%u offset=%u aligned=%u realigned=%u copied=%u\n", chunks, offset,
             cost.read[ALIGNED] - cost.nothing, cost.read[REALIGNED] - cost.nothing, cost.read[COPIED] - cost.nothing);
    }
  }
  return 0;
}
