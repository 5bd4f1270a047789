// SPDX-License-Identifier: Apache-2.0
// Where all processes wait for each other: by dissemination. In round k a process tells the one 2^k ranks above it that
// it has come as far.
#include "firmware/mpi/transport/bgp/bgp.h"

enum { ROUNDS_MAX = 32 };

static DCMF_Protocol_t port;
static volatile uint32_t heard[ROUNDS_MAX];  ///< control messages of each round, of all meetings so far

static void came(void* context, const DCMF_Control_t* control, size_t peer) {
  (void)context, (void)peer;
  heard[(*control)[0].w0] += 1;
}

void mpit_bgp_meet_init(void) {
  DCMF_Control_Configuration_t configuration = {DCMF_DEFAULT_CONTROL_PROTOCOL, DCMF_DEFAULT_NETWORK, came, NULL};
  mpit_bgp_check(DCMF_Control_register(&port, &configuration), "DCMF_Control_register");
}

static void turn(void) {
  DCMF_Messager_advance();
  mpii_give_way();
}

void mpit_meet(void) {
  static uint32_t meetings;
  const uint32_t size = mpit_size(), rank = mpit_rank();
  while (mpit_bgp_sending != 0) turn();
  meetings += 1;
  for (uint32_t round = 0; UINT32_C(1) << round < size; ++round) {
    DCMF_Control_t control = {{.w0 = round}};
    const uint32_t peer = (rank + (UINT32_C(1) << round)) % size;
    mpit_bgp_check(DCMF_Control(&port, DCMF_MATCH_CONSISTENCY, peer, &control), "DCMF_Control");
    while (heard[round] < meetings) turn();
  }
}
