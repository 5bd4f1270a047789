// SPDX-License-Identifier: Apache-2.0
// Reception by interrupts against polling: rank 0 sends packets at intervals to rank 1, which computes meanwhile and
// takes them either between two pieces of its work, or when an interrupt comes. Every byte is checked. Prints, on
// rank 1:
//   reception by=interrupts packets=64 gap=8000 work=4000 latency=1700.50 lost=1234.56
// latency: from the sender's injection to the packet's end in the receiver's memory, mean; lost: what a packet has cost
// the receiver's computing, mean; both in cycles.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/interrupt.h"
#include "drivers/bgl/torus.h"
#include "firmware/programs/bgl/program.h"

enum { CHUNKS = TORUS_MAX_CHUNKS, QUADS = CHUNKS * TORUS_CHUNK_QUADS, STACK = 4096 };

static volatile uint32_t received;
static uint64_t latencies;
static volatile uint32_t wrong;

/// Receives all packets in the reception FIFOs of group 0.
static void drain(void) {
  static _Alignas(16) uint8_t payload[(QUADS - 1) * 16];
  bgl_torus_status_t status;
  bgl_torus_read_status(0, &status);
  for (unsigned fifo = BGL_TORUS_R0; fifo < BGL_TORUS_RH; ++fifo) {
    for (unsigned chunks = bgl_torus_reception_chunks(&status, fifo); chunks >= CHUNKS; chunks -= CHUNKS) {
      torus_header_t header;
      bgl_torus_peek(0, fifo, &header);
      bgl_torus_read_rest(0, fifo, payload, QUADS - 1);
      latencies += (uint32_t)bgl_timebase() - bgl_torus_software(&header, 3);
      const uint32_t number = bgl_torus_software(&header, 2);
      if (number != received || program_check(payload, sizeof payload, number) != sizeof payload) wrong += 1;
      received += 1;
    }
  }
}

static void handler(uint32_t groups) {
  if (groups != TOROID_INTERRUPT_TORUS) wrong += 1;
  drain();
}

/// A piece of work: the same instructions each time.
static void work(uint32_t turns) {
  uint32_t left = turns;
  while (left != 0) {
    __asm__ volatile("addi %0,%0,-1" : "+r"(left));
  }
}

static uint64_t cycles_of_work(uint32_t turns) {
  enum { TIMES = 16 };
  work(turns);  // its code comes into the cache
  const uint64_t start = bgl_timebase();
  for (unsigned i = 0; i < TIMES; ++i) work(turns);
  return (bgl_timebase() - start) / TIMES;
}

static void send(uint32_t packets, uint32_t gap) {
  static _Alignas(16) uint8_t payload[(QUADS - 1) * 16];
  const bglml_coordinates_t to = bglml_coordinates(1), from = bglml_coordinates(0), shape = bglml_shape();
  const bgl_torus_shape_t torus = {{shape.x, shape.y, shape.z}, {0, 0, 0}};
  const uint8_t here[] = {from.x, from.y, from.z}, there[] = {to.x, to.y, to.z};
  torus_header_t header;
  memset(&header, 0, sizeof header);
  bgl_torus_deterministic_header(&header, there, bgl_torus_minimal_hints(&torus, here, there), 0, CHUNKS);
  uint64_t next = bgl_timebase() + gap;
  for (uint32_t number = 0; number < packets; ++number) {
    program_fill(payload, sizeof payload, number);
    while (bgl_timebase() < next) {
    }
    bgl_torus_status_t status;
    do {
      bgl_torus_read_status(0, &status);
    } while (!bgl_torus_can_inject(&status, BGL_TORUS_I0, CHUNKS));
    bgl_torus_set_software(&header, number, (uint32_t)bgl_timebase());
    bgl_torus_inject_full(0, BGL_TORUS_I0, &header, payload);
    next += gap;
  }
}

static void start_interrupts(void) {
  static _Alignas(16) uint8_t stack[STACK];
  if (bgl_torus_reception_watermark(0, 0) != 0 ||
      bgl_interrupt_start(handler, TOROID_INTERRUPT_TORUS, stack, sizeof stack) != 0) {
    fprintf(stderr, "interrupt_reception: no interrupts\n");
    exit(PROGRAM_EXIT_MISMATCH);
  }
}

static void receive(bool interrupts, uint32_t packets, uint32_t gap, uint32_t turns, uint64_t piece) {
  uint64_t pieces = 0;
  const uint64_t start = bgl_timebase();
  while (received < packets) {
    work(turns);
    pieces += 1;
    if (!interrupts) drain();
  }
  const uint64_t cycles = bgl_timebase() - start;
  if (interrupts) (void)bgl_interrupt_stop();
  printf("reception by=%s packets=%u gap=%u work=%u latency=%.2f lost=%.2f\n", interrupts ? "interrupts" : "polling",
         packets, gap, (uint32_t)piece, (double)latencies / packets,
         ((double)cycles - (double)(pieces * piece)) / packets);
}

int main(int argc, char** argv) {
  const char* by = "interrupts";
  uint32_t packets = 64, gap = 8000, turns = 500;
  const program_option_t options[] = {
      {"--by", "interrupts (default) or polling", NULL, &by, 0, 0},
      {"--packets", "packets of 256 bytes; default 64", &packets, NULL, 1, 100000},
      {"--gap", "cycles from packet to packet; default 8000", &gap, NULL, 1, 10000000},
      {"--turns", "of a piece of work between polls; default 500", &turns, NULL, 1, 10000000},
  };
  program_options(argc, argv, options, sizeof options / sizeof *options, program_is_first());
  const bool interrupts = strcmp(by, "interrupts") == 0;
  if (!interrupts && strcmp(by, "polling") != 0) {
    if (program_is_first()) fprintf(stderr, "interrupt_reception: --by %s; it is interrupts or polling\n", by);
    return PROGRAM_EXIT_USAGE;
  }
  bglml_init(NULL);
  if (bglml_size() < 2) {
    fprintf(stderr, "interrupt_reception: needs 2 ranks\n");
    return PROGRAM_EXIT_USAGE;
  }
  const uint64_t piece = cycles_of_work(turns);
  if (bglml_rank() == 1 && interrupts) start_interrupts();
  bglml_barrier();
  if (bglml_rank() == 0) send(packets, gap);
  if (bglml_rank() == 1) receive(interrupts, packets, gap, turns, piece);
  bglml_barrier();
  if (wrong != 0) fprintf(stderr, "interrupt_reception: rank %u: %u wrong packets\n", bglml_rank(), wrong);
  return wrong == 0 ? 0 : PROGRAM_EXIT_MISMATCH;
}
