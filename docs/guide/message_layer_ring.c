// SPDX-License-Identifier: Apache-2.0
//
// A halo exchange around a ring: every process has a row of numbers and, at each step, needs the last numbers of its
// left neighbour and the first of its right one. docs/guide/message_layer.md explains it; the parts it shows stand
// between the bracketed marks.
#include <stdio.h>
#include <string.h>

#include "firmware/bgl/msglayer/msglayer.h"

enum { HALO = 512, ROW = 4 * HALO, STEPS = 8, LINE = 32 };
enum { FROM_LEFT, FROM_RIGHT, SIDES };

// Whole cache lines, so that a coprocessor may receive into them.
typedef struct {
  double halo[HALO];
} __attribute__((aligned(LINE))) halo_t;

static halo_t outgoing[SIDES], incoming[SIDES];
static double row[ROW];

// [receive]
static bglml_rendezvous_receive_t receives[SIDES];
static volatile uint32_t arrived[SIDES];

static void recvdone(void* side) {
  arrived[(uintptr_t)side] += 1;
}

// A neighbour offers its halo. The metadata says from which side it comes; the data goes straight to its place.
static bglml_rendezvous_receive_t* recvnew(void* context, const bglml_rendezvous_offer_t* offer) {
  (void)context;
  const uintptr_t side = offer->metadata.bytes[0];
  bglml_rendezvous_receive_init(&receives[side], incoming[side].halo, sizeof(halo_t), recvdone, (void*)side);
  return &receives[side];
}
// [end]

// [send]
static volatile uint32_t sent;

static void senddone(void* nothing) {
  (void)nothing;
  sent += 1;
}

// Offers this process's halo to a neighbour, for whom it comes from `side`. The message's state and the halo belong to
// the layer until senddone.
static void send_halo(bglml_rendezvous_t* message, bglml_port_t port, uint32_t neighbour, unsigned side) {
  const bglml_metadata_t metadata = {{(uint8_t)side}};
  bglml_rendezvous_init(message, port, neighbour, &metadata, outgoing[side].halo, sizeof(halo_t), senddone, NULL);
  bglml_rendezvous_post(message);
}
// [end]

// [step]
static void step(bglml_port_t port, uint32_t number) {
  static bglml_rendezvous_t messages[SIDES];
  const uint32_t size = bglml_size(), rank = bglml_rank();
  memcpy(outgoing[FROM_LEFT].halo, &row[ROW - HALO], sizeof(halo_t));  // my right end comes from my neighbour's left
  memcpy(outgoing[FROM_RIGHT].halo, &row[0], sizeof(halo_t));
  send_halo(&messages[FROM_LEFT], port, (rank + 1) % size, FROM_LEFT);
  send_halo(&messages[FROM_RIGHT], port, (rank + size - 1) % size, FROM_RIGHT);
  while (arrived[FROM_LEFT] <= number || arrived[FROM_RIGHT] <= number || sent < SIDES * (number + 1)) bglml_advance();
  for (unsigned i = 0; i < HALO; ++i) {
    row[i] = (row[i] + incoming[FROM_LEFT].halo[i]) / 2;
    row[ROW - HALO + i] = (row[ROW - HALO + i] + incoming[FROM_RIGHT].halo[i]) / 2;
  }
  bglml_barrier();  // no rank sends the next halo before this one was read
}
// [end]

int main(void) {
  bglml_init(NULL);
  const bglml_port_t port = bglml_rendezvous_register(recvnew, NULL);
  for (unsigned i = 0; i < ROW; ++i) row[i] = bglml_rank();
  bglml_barrier();
  for (uint32_t number = 0; number < STEPS; ++number) step(port, number);
  // What one side of a border loses the other gains: the mean over all ranks stays what it was.
  double sum = 0;
  for (unsigned i = 0; i < ROW; ++i) sum += row[i];
  printf("rank %u: %.3f, %u halos received by the coprocessor\n", bglml_rank(), sum / ROW,
         bglml_counters()->coprocessor_messages);
  return 0;
}
