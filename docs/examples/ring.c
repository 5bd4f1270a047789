// SPDX-License-Identifier: Apache-2.0
//
// Passes a number once around all nodes; each adds its rank.
#include <stdio.h>

#include "firmware/bgl/msglayer/msglayer.h"

static volatile uint32_t arrived;
static uint32_t sum;

// A number has come: a one-packet message's buffer is temporary, so take it out at once.
static void recvnew(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)source, (void)argument, (void)length;
  sum = *(const uint32_t*)buffer;
  arrived = 1;
}

static void pass_on(bglml_port_t port, uint32_t peer) {
  static bglml_one_packet_t message;
  bglml_one_packet_init(&message, port, peer, 0, &sum, sizeof sum, NULL, NULL);
  bglml_one_packet_post(&message);
}

int main(void) {
  bglml_init(NULL);
  const uint32_t rank = bglml_rank(), size = bglml_size();
  const bglml_port_t port = bglml_one_packet_register(recvnew, NULL);
  bglml_barrier();  // everybody listens

  if (rank == 0) pass_on(port, 1 % size);
  bglml_wait(&arrived);
  if (rank == 0) {
    printf("the sum of the ranks 0 to %u is %u\n", size - 1, sum);
  } else {
    sum += rank;
    pass_on(port, (rank + 1) % size);
  }
  bglml_barrier();  // no rank leaves with the message still in its queue
  return 0;
}
