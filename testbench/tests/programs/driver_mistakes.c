// SPDX-License-Identifier: Apache-2.0
// What people do wrong who write a driver from the register tables. The argument names the mistake. Meant for two nodes
// in a row: rank 0 sends to rank 1, which waits for packets; both run for ever where nothing stops them.
// docs/guide/driver_mistakes.md shows what is reported of each.
#include <stdio.h>
#include <string.h>

#include "drivers/bgl/global_interrupt.h"
#include "drivers/bgl/interrupt.h"
#include "drivers/bgl/lockbox.h"
#include "drivers/bgl/second_core.h"
#include "drivers/bgl/torus.h"
#include "drivers/bgl/tree.h"

enum { GROUP = 0, VC = 0, CHANNEL = 0, LOCK = 16, BARRIER = 24, CHUNKS = 1, NO_CLASS = 7 };

static struct toroid_personality self;
static _Alignas(16) uint8_t data[TREE_PAYLOAD_BYTES];

// What is done right. -----------------------------------------------------------------------------------------------

// A packet of one chunk to the node at (x,0,0).
static torus_header_t header_to(unsigned x, unsigned hints) {
  const uint8_t destination[3] = {(uint8_t)x, 0, 0};
  torus_header_t header = {{0}};
  bgl_torus_deterministic_header(&header, destination, hints, GROUP, CHUNKS);
  return header;
}

static void send(const torus_header_t* header) {
  bgl_torus_status_t status;
  do {
    bgl_torus_read_status(GROUP, &status);
  } while (!bgl_torus_can_inject(&status, BGL_TORUS_I0, bgl_torus_header_chunks(header)));
  bgl_torus_inject_gather(GROUP, BGL_TORUS_I0, header, data, 1, 2 * bgl_torus_header_chunks(header));
}

static void wait_for_packet(unsigned group, unsigned first, unsigned last) {
  for (;;) {
    bgl_torus_status_t status;
    bgl_torus_read_status(group, &status);
    for (unsigned fifo = first; fifo <= last; ++fifo) {
      if (bgl_torus_reception_chunks(&status, fifo) != 0) return;
    }
  }
}

static void receive(void) {
  for (;;) {
    wait_for_packet(GROUP, BGL_TORUS_R0, BGL_TORUS_RH);
    bgl_torus_status_t status;
    bgl_torus_read_status(GROUP, &status);
    for (unsigned fifo = BGL_TORUS_R0; fifo <= BGL_TORUS_RH; ++fifo) {
      if (bgl_torus_reception_chunks(&status, fifo) == 0) continue;
      torus_header_t header;
      bgl_torus_peek(GROUP, fifo, &header);
      bgl_torus_discard(GROUP, fifo, bgl_torus_rest_quads(&header));
    }
  }
}

static void tree_receive(void) {
  for (;;) {
    while (bgl_tree_arrived(bgl_tree_status(VC)) == 0) {
    }
    bgl_tree_receive(VC, data);
  }
}

static uint32_t tree_sum(unsigned words) {
  return tree_collective_header(TOROID_TREE_CLASS_REDUCTION, TREE_ADD, words, 0);
}

// What is done wrong: the torus. ------------------------------------------------------------------------------------

// The header is written, the payload forgotten.
static void header_alone(void) {
  const torus_header_t header = header_to(1, TORUS_HINT_X_PLUS);
  if (self.rank == 0) bgl_torus_write(GROUP, BGL_TORUS_I0, &header, 1);
  receive();
}

// The header's size is that of a larger packet: the next packets' headers become payload.
static void size_too_large(void) {
  torus_header_t header = header_to(1, TORUS_HINT_X_PLUS);
  bgl_torus_set_chunks(&header, 2);
  for (unsigned i = 0; self.rank == 0 && i < 3; ++i) {
    bgl_torus_inject_gather(GROUP, BGL_TORUS_I0, &header, data, 1, 2);
  }
  receive();
}

// The header's size is that of a smaller packet: what goes beyond becomes the next packet's header.
static void size_too_small(void) {
  const torus_header_t header = header_to(1, TORUS_HINT_X_PLUS);
  if (self.rank == 0) bgl_torus_inject_gather(GROUP, BGL_TORUS_I0, &header, data, 3, 4);
  receive();
}

static void destination_outside(void) {
  const torus_header_t header = header_to(2, TORUS_HINT_X_PLUS);
  if (self.rank == 0) send(&header);
  receive();
}

// What travels around a ring back to its sender needs a hint which way.
static void own_node(void) {
  const torus_header_t header = header_to(self.rank, 0);
  send(&header);
}

// To a node on which no process runs; meant for --ranks 1.
static void nobody_there(void) {
  const torus_header_t header = header_to(1, TORUS_HINT_X_PLUS);
  send(&header);
  receive();
}

// Rank 1 waits for something else and never reads its reception FIFO.
static void never_drained(void) {
  const torus_header_t header = header_to(1, TORUS_HINT_X_PLUS);
  while (self.rank == 0) send(&header);
  tree_receive();
}

// The packet is for group 1, the receiver looks at group 0.
static void wrong_group(void) {
  torus_header_t header = header_to(1, TORUS_HINT_X_PLUS);
  bgl_torus_set_group(&header, 1 - GROUP);
  if (self.rank == 0) send(&header);
  receive();
}

// The packet comes from X-, so into R1; the receiver looks at R0 alone.
static void wrong_fifo(void) {
  const torus_header_t header = header_to(1, TORUS_HINT_X_PLUS);
  if (self.rank == 0) send(&header);
  wait_for_packet(GROUP, BGL_TORUS_R0, BGL_TORUS_R0);
}

// The receiver reads each packet's header alone, and so takes payload for the next one.
static void half_read(void) {
  const torus_header_t header = header_to(1, TORUS_HINT_X_PLUS);
  for (unsigned i = 0; self.rank == 0 && i < 3; ++i) send(&header);
  for (unsigned i = 0; self.rank == 1 && i < 3; ++i) {
    torus_header_t got;
    wait_for_packet(GROUP, BGL_TORUS_R1, BGL_TORUS_R1);
    bgl_torus_peek(GROUP, BGL_TORUS_R1, &got);
  }
  tree_receive();
}

// The receiver takes every packet to be two chunks long.
static void read_beyond(void) {
  const torus_header_t header = header_to(1, TORUS_HINT_X_PLUS);
  if (self.rank == 0) {
    send(&header);
    receive();
  }
  wait_for_packet(GROUP, BGL_TORUS_R1, BGL_TORUS_R1);
  bgl_torus_discard(GROUP, BGL_TORUS_R1, 4);
}

static void read_empty(void) {
  torus_header_t got;
  bgl_torus_peek(GROUP, BGL_TORUS_R1, &got);
}

static void write_full(void) {
  const torus_header_t header = header_to(1, TORUS_HINT_X_PLUS);
  for (;;) bgl_torus_inject_gather(GROUP, BGL_TORUS_I0, &header, data, 1, 2);
}

// Words where the FIFO takes quads.
static void word_access(void) {
  bgl_access_write_word(bgl_torus_injection_window(GROUP, BGL_TORUS_I0), 0);
}

static void write_read_only(void) {
  bgl_access_write(BGL_TORUS_BASE + BGL_TORUS_STATUS_OFFSET, bgl_quad_load(data));
}

// Control registers that there are not, or that cannot be written; the error number is not looked at.
static void wrong_dcr(void) {
  uint32_t value;
  bgl_torus_dcr_read(0x7F, &value);
  bgl_torus_dcr_write(TORUS_DCR_INTERRUPT_WATERMARK_OFFSET, 1);
  receive();
}

// The tree. ---------------------------------------------------------------------------------------------------------

static void tree_header_alone(void) {
  bgl_access_write_word(bgl_tree_register(VC, TREE_HEADER_INJECTION_OFFSET), tree_sum(2));
  for (unsigned i = 0; i < 3; ++i) {
    bgl_access_write(bgl_tree_register(VC, TREE_PAYLOAD_INJECTION_OFFSET), bgl_quad_load(data));
  }
  tree_receive();
}

static void tree_payload_alone(void) {
  for (unsigned i = 0; i < TREE_PAYLOAD_QUADS; ++i) {
    bgl_access_write(bgl_tree_register(VC, TREE_PAYLOAD_INJECTION_OFFSET), bgl_quad_load(data));
  }
  tree_receive();
}

static void tree_one_node(void) {
  if (self.rank == 0) bgl_tree_inject(VC, tree_sum(2), data);
  tree_receive();
}

static void tree_operand_size(void) {
  bgl_tree_inject(VC, tree_sum(self.rank == 0 ? 2 : 4), data);
  tree_receive();
}

static void tree_class(void) {
  bgl_tree_inject(VC, tree_collective_header(NO_CLASS, TREE_ADD, 2, 0), data);
  tree_receive();
}

// The payload of the first packet is left in its FIFO.
static void tree_half_read(void) {
  bgl_tree_inject(VC, tree_sum(2), data);
  while (bgl_tree_arrived(bgl_tree_status(VC)) == 0) {
  }
  bgl_access_read_word(bgl_tree_register(VC, TREE_HEADER_RECEPTION_OFFSET));
  receive();
}

// Global interrupts, locks, interrupts. -----------------------------------------------------------------------------

static void barrier_one_node(void) {
  if (self.rank == 0) bgl_gi_fire(CHANNEL);
  while (!bgl_gi_interrupted(bgl_gi_status(), CHANNEL)) {
  }
}

// Fired before it has been given a type.
static void barrier_unarmed(void) {
  bgl_gi_set_direct(CHANNEL, 1);
  bgl_gi_fire(CHANNEL);
}

static void handler(uint32_t groups) {
  (void)groups;  // does not clear the interrupt
}

static void interrupt_stays(void) {
  static _Alignas(16) uint8_t stack[4096];
  bgl_interrupt_start(handler, TOROID_INTERRUPT_GLOBAL, stack, sizeof stack);
  bgl_gi_fire(CHANNEL);
  tree_receive();
}

static void lock_twice(void) {
  bgl_lockbox_lock(LOCK);
  bgl_lockbox_lock(LOCK);
}

static void other_core(void* argument) {
  (void)argument;
  bgl_lockbox_lock(LOCK);
}

// Core 0 keeps the lock for which core 1 waits.
static void lock_kept(void) {
  static _Alignas(32) uint8_t stack[16384];
  bgl_lockbox_lock(LOCK);
  bgl_second_core_start(other_core, NULL, stack, sizeof stack);
  receive();
}

static void core_barrier(void) {
  bgl_lockbox_barrier(BARRIER);
}

// -------------------------------------------------------------------------------------------------------------------

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*make)(void);
  } mistakes[] = {
      {"header_alone", header_alone},
      {"size_too_large", size_too_large},
      {"size_too_small", size_too_small},
      {"destination_outside", destination_outside},
      {"own_node", own_node},
      {"nobody_there", nobody_there},
      {"never_drained", never_drained},
      {"wrong_group", wrong_group},
      {"wrong_fifo", wrong_fifo},
      {"half_read", half_read},
      {"nothing_sent", receive},
      {"read_empty", read_empty},
      {"read_beyond", read_beyond},
      {"write_full", write_full},
      {"word_access", word_access},
      {"write_read_only", write_read_only},
      {"wrong_dcr", wrong_dcr},
      {"tree_header_alone", tree_header_alone},
      {"tree_payload_alone", tree_payload_alone},
      {"tree_one_node", tree_one_node},
      {"tree_operand_size", tree_operand_size},
      {"tree_class", tree_class},
      {"tree_half_read", tree_half_read},
      {"barrier_one_node", barrier_one_node},
      {"barrier_unarmed", barrier_unarmed},
      {"interrupt_stays", interrupt_stays},
      {"lock_twice", lock_twice},
      {"lock_kept", lock_kept},
      {"core_barrier", core_barrier},
  };
  bgl_get_personality(&self);
  for (unsigned i = 0; argc > 1 && i < sizeof mistakes / sizeof *mistakes; ++i) {
    if (strcmp(argv[1], mistakes[i].name) != 0) continue;
    mistakes[i].make();
    return 0;
  }
  fprintf(stderr, "driver_mistakes: which mistake?\n");
  return 2;
}
