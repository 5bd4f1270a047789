// SPDX-License-Identifier: Apache-2.0
// Communicates like NAS BT, with work and messages of a fixed size for each process: shows what the map of the
// processes onto the torus is worth.
//
// The ranks are a square grid that closes in both directions, rank i + side * j. In a time step a process updates an
// array of its own `--work` times, then exchanges faces of `--size` bytes with the six neighbours of BT's
// multipartition scheme: (i +- 1, j), (i, j +- 1), (i + 1, j - 1), (i - 1, j + 1). All six exchanges are posted at
// once, and it goes on when all are complete, as BT's copy_faces does.
//
// One line on rank 0's standard output: a step of the slowest rank, that step's work alone on rank 0, and the mean
// distance between neighbours:
//   bt-pattern ranks=256 size=9600 work=40000 steps=4 cycles=512345.50 work_cycles=200123.75 hops=1.33
// The faces of the last two steps are checked after the measured time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/programs/bgl/program.h"
#include "firmware/programs/bgl/transfer.h"

enum {
  FACES = 6,
  AHEAD = 2,  // a neighbour may be one step ahead, no more: it needs our faces of the step before
  WARM_UP = 1,
  CELLS = 1024  // updated by the work; 4 KB, well inside L1
};

static const int steps_to[FACES][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};

typedef struct {
  transfer_receive_t state;
  uint8_t* buffer;
} slot_t;

typedef struct {
  uint32_t peer;
  uint8_t* outgoing;
  transfer_send_t send;
  slot_t slots[AHEAD];
} face_t;

static struct {
  uint32_t size, room;
  face_t faces[FACES];
  uint32_t sent;
  uint32_t received[AHEAD];  ///< faces complete, by the parity of their step
  uint32_t cells[CELLS];
} grid;

/// What every rank tells rank 0 at the end.
static struct {
  uint64_t slowest;
  uint32_t reports;
} summary;

static void count_received(void* count) {
  *(uint32_t*)count += 1;
}

static void count_sent(void* context) {
  (void)context;
  grid.sent += 1;
}

/// `tag` is the step, and the face of the sender's that this is.
static transfer_place_t arrival(uint32_t source, uint32_t tag, uint32_t length) {
  face_t* face = &grid.faces[tag % FACES ^ 1u];  // what it sends up has come from below
  const uint32_t parity = tag / FACES % AHEAD;
  if (face->peer != source || length != grid.size) {
    fprintf(stderr, "bt_pattern: rank %u: %u bytes from rank %u; expected %u from rank %u\n", bglml_rank(), length,
            source, grid.size, face->peer);
    exit(PROGRAM_EXIT_MISMATCH);
  }
  slot_t* slot = &face->slots[parity];
  return (transfer_place_t){&slot->state, slot->buffer, grid.room, count_received, &grid.received[parity]};
}

static void take_report(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)source, (void)argument;
  uint64_t cycles;
  if (length != sizeof cycles) return;
  memcpy(&cycles, buffer, sizeof cycles);
  if (cycles > summary.slowest) summary.slowest = cycles;
  summary.reports += 1;
}

static uint32_t square_root(uint32_t number) {
  uint32_t root = 0;
  while ((root + 1) * (root + 1) <= number) ++root;
  return root;
}

static void connect(uint32_t side) {
  const uint32_t i = bglml_rank() % side, j = bglml_rank() / side;
  grid.room = (grid.size + 31u) / 32u * 32u;  // whole lines, which the coprocessor may fill
  for (unsigned number = 0; number < FACES; ++number) {
    face_t* face = &grid.faces[number];
    face->peer =
        (i + side + (uint32_t)steps_to[number][0]) % side + side * ((j + side + (uint32_t)steps_to[number][1]) % side);
    face->outgoing = aligned_alloc(32, grid.room);
    program_fill(face->outgoing, grid.size, program_hash(bglml_rank(), number));
    for (unsigned parity = 0; parity < AHEAD; ++parity) {
      face->slots[parity].buffer = aligned_alloc(32, grid.room);
      memset(face->slots[parity].buffer, 0, grid.size);
    }
  }
}

/// `updates` points of a relaxation along the cells.
static void work(uint32_t updates) {
  uint32_t* const cells = grid.cells;
  for (uint32_t at = 1; updates > 0; --updates) {
    cells[at] = (cells[at - 1] + 2 * cells[at] + cells[at + 1]) >> 2;
    at = at == CELLS - 2 ? 1 : at + 1;
  }
}

static void exchange_faces(uint32_t step) {
  volatile uint32_t* const received = &grid.received[step % AHEAD];
  grid.sent = 0;
  for (unsigned number = 0; number < FACES; ++number) {
    face_t* face = &grid.faces[number];
    transfer_post(&face->send, face->peer, step * FACES + number, face->outgoing, grid.size, count_sent, NULL);
  }
  while (*(volatile uint32_t*)&grid.sent < FACES || *received < FACES) bglml_advance();
  *received = 0;
}

/// Returns whether the faces of the last steps came as they were sent.
static bool check_faces(void) {
  for (unsigned number = 0; number < FACES; ++number) {
    const face_t* face = &grid.faces[number];
    const uint32_t key = program_hash(face->peer, number ^ 1u);
    for (unsigned parity = 0; parity < AHEAD; ++parity) {
      const uint32_t wrong = program_check(face->slots[parity].buffer, grid.size, key);
      if (wrong == grid.size) continue;
      fprintf(stderr, "bt_pattern: rank %u: byte %u of %u from rank %u is wrong\n", bglml_rank(), wrong, grid.size,
              face->peer);
      return false;
    }
  }
  return true;
}

/// Hundredths of the mean distance between neighbours, over the whole grid.
static uint32_t mean_hops(uint32_t side) {
  uint64_t hops = 0;
  for (uint32_t rank = 0; rank < bglml_size(); ++rank) {
    for (unsigned number = 0; number < FACES; ++number) {
      const uint32_t i = (rank + side + (uint32_t)steps_to[number][0]) % side;
      const uint32_t j = (rank / side + side + (uint32_t)steps_to[number][1]) % side;
      hops += bglml_hops(rank, i + side * j);
    }
  }
  return (uint32_t)(hops * 100 / (FACES * (uint64_t)bglml_size()));
}

int main(int argc, char** argv) {
  uint32_t updates = 40000, steps = 4;
  const char* protocol = "eager";
  const char* second_core = "used";
  grid.size = 9600;
  const program_option_t options[] = {
      {"--protocol", TRANSFER_PROTOCOLS "; default eager", NULL, &protocol, 0, 0},
      {"--second-core", PROGRAM_SECOND_CORE_HELP, NULL, &second_core, 0, 0},
      {"--size", "bytes a face; default 9600", &grid.size, NULL, 1, 1u << 26},
      {"--work", "updates a process and step; default 40000", &updates, NULL, 0, 1u << 30},
      {"--steps", "measured time steps; default 4", &steps, NULL, 1, 1000000},
  };
  const bool speak = program_is_first();
  program_options(argc, argv, options, sizeof options / sizeof *options, speak);
  bglml_options_t layer = {0};
  if (!program_second_core(second_core, &layer)) {
    if (speak) fprintf(stderr, "bt_pattern: --second-core %s: " PROGRAM_SECOND_CORE_HELP "\n", second_core);
    return PROGRAM_EXIT_USAGE;
  }
  bglml_init(&layer);
  const uint32_t side = square_root(bglml_size());
  if (side * side != bglml_size() || side < 3) {
    if (speak) fprintf(stderr, "bt_pattern: %u ranks; a square of 3 or more is wanted: 9, 16, 25...\n", bglml_size());
    return PROGRAM_EXIT_USAGE;
  }
  if (!transfer_open(protocol, arrival)) {
    if (speak) fprintf(stderr, "bt_pattern: --protocol %s: " TRANSFER_PROTOCOLS " is wanted\n", protocol);
    return PROGRAM_EXIT_USAGE;
  }
  const bglml_port_t report_port = bglml_one_packet_register(take_report, NULL);
  connect(side);
  for (uint32_t i = 0; i < CELLS; ++i) grid.cells[i] = program_hash(bglml_rank(), i);
  bglml_barrier();

  uint64_t start = 0, working = 0;
  for (uint32_t step = 0; step < WARM_UP + steps; ++step) {
    const uint64_t now = bgl_timebase();
    if (step == WARM_UP) {
      start = now;
      working = 0;
    }
    work(updates);
    working += bgl_timebase() - now;
    exchange_faces(step);
  }
  const uint64_t cycles = bgl_timebase() - start;

  bglml_one_packet_t message;
  bglml_one_packet_init(&message, report_port, 0, 0, &cycles, sizeof cycles, NULL, NULL);
  bglml_one_packet_post(&message);
  const bool right = check_faces();
  bglml_barrier();
  while (speak && *(volatile uint32_t*)&summary.reports < bglml_size()) bglml_advance();
  if (speak) {
    const uint64_t slowest = summary.slowest * 100 / steps, alone = working * 100 / steps;
    const uint32_t hops = mean_hops(side);
    printf("bt-pattern ranks=%u size=%u work=%u steps=%u cycles=%llu.%02u work_cycles=%llu.%02u hops=%u.%02u\n",
           bglml_size(), grid.size, updates, steps, (unsigned long long)(slowest / 100), (unsigned)(slowest % 100),
           (unsigned long long)(alone / 100), (unsigned)(alone % 100), hops / 100, hops % 100);
  }
  bglml_barrier();
  return right ? 0 : PROGRAM_EXIT_MISMATCH;
}
