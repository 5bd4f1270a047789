// SPDX-License-Identifier: Apache-2.0
//
// Rank 1 keeps rank 0's offer of a rendezvous message and accepts it in a callback of a message that it sends itself:
// the second core's first reception begins in the middle of a turn that has not looked for ends of such. Prints, on
// rank 1, whether the bytes are right: late_accept bytes=4096 coprocessor=1 wrong=0
#include <stdio.h>
#include <string.h>

#include "firmware/bgl/msglayer/msglayer.h"

enum { LINE = 32, BYTES = 4096 };

static uint8_t sent[BYTES] __attribute__((aligned(LINE)));
static uint8_t received[BYTES] __attribute__((aligned(LINE)));
static bglml_rendezvous_offer_t offer;
static bglml_rendezvous_receive_t receive;
static bool offered, told, done;

static void recvdone(void* context) {
  (void)context;
  done = true;
}

static bglml_rendezvous_receive_t* keep(void* context, const bglml_rendezvous_offer_t* from) {
  (void)context;
  offer = *from;
  offered = true;
  return NULL;
}

static void accept_now(void* context) {
  (void)context;
  bglml_rendezvous_receive_init(&receive, received, BYTES, recvdone, NULL);
  bglml_rendezvous_accept(&offer, &receive);
}

static bglml_eager_receive_t* hear(void* context, uint32_t source, const bglml_metadata_t* metadata, uint32_t length) {
  static bglml_eager_receive_t heard;
  static uint8_t byte[16];
  (void)source, (void)metadata, (void)length;
  bglml_eager_receive_init(&heard, byte, NULL, context);
  told = true;
  return &heard;
}

int main(void) {
  bglml_init(&(bglml_options_t){.second_core = BGLML_SECOND_CORE_COMMUNICATES});
  const bglml_port_t data = bglml_rendezvous_register(keep, NULL), word = bglml_eager_register(hear, NULL);
  for (unsigned i = 0; i < BYTES; ++i) sent[i] = (uint8_t)(i * 7 + i / 256);
  bglml_barrier();
  if (bglml_rank() == 0) {
    static bglml_rendezvous_t message;
    bglml_rendezvous_init(&message, data, 1, NULL, sent, BYTES, recvdone, NULL);
    bglml_rendezvous_post(&message);
    while (!done || !told) bglml_advance();
  } else if (bglml_rank() == 1) {
    while (!offered) bglml_advance();
    static bglml_eager_t message;
    bglml_eager_init(&message, word, 0, NULL, "", 1, accept_now, NULL);
    bglml_eager_post(&message);
    while (!done) bglml_advance();
    unsigned wrong = 0;
    for (unsigned i = 0; i < BYTES; ++i) wrong += received[i] != sent[i];
    printf("late_accept bytes=%d coprocessor=%u wrong=%u\n", BYTES, (unsigned)bglml_counters()->coprocessor_messages,
           wrong);
  }
  bglml_barrier();
  return 0;
}
