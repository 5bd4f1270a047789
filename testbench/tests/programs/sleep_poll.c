// SPDX-License-Identifier: Apache-2.0
// Rank 0 sleeps, then sends one packet to each other rank; the others poll for it all the time.
//   sleep_poll [milliseconds]: default 1000, of simulated time
#define _POSIX_C_SOURCE 199309L  // nanosleep

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "firmware/bgl/msglayer/msglayer.h"

static volatile uint32_t received;

static void recvnew(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)source, (void)argument, (void)buffer, (void)length;
  received = 1;
}

static void set(void* flag) {
  *(volatile uint32_t*)flag = 1;
}

int main(int argc, char** argv) {
  const int milliseconds = argc > 1 ? atoi(argv[1]) : 1000;
  bglml_init(NULL);
  const bglml_port_t port = bglml_one_packet_register(recvnew, NULL);
  if (bglml_rank() != 0) {
    bglml_wait(&received);
    return 0;
  }
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&time, NULL);
  for (uint32_t peer = 1; peer < bglml_size(); ++peer) {
    bglml_one_packet_t message;
    volatile uint32_t sent = 0;
    bglml_one_packet_init(&message, port, peer, 0, NULL, 0, set, (void*)&sent);
    bglml_one_packet_post(&message);
    bglml_wait(&sent);
  }
  printf("sleep_poll ranks=%u milliseconds=%d\n", bglml_size(), milliseconds);
  return 0;
}
