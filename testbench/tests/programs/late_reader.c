// SPDX-License-Identifier: Apache-2.0
// Rank 1 sends more than the FIFOs hold while rank 0 is away for longer than a stuck network is given: back-pressure,
// no fault.
#include <stdio.h>
#include <unistd.h>

#include "firmware/bgl/msglayer/msglayer.h"

static uint8_t buffer[20000];
static volatile uint32_t done;
static bglml_eager_receive_t receive;

static void finish(void* context) {
  (void)context;
  done = 1;
}

static bglml_eager_receive_t* recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                      uint32_t length) {
  (void)context, (void)source, (void)metadata, (void)length;
  bglml_eager_receive_init(&receive, buffer, finish, NULL);
  return &receive;
}

int main(void) {
  bglml_init(NULL);
  const bglml_port_t port = bglml_eager_register(recvnew, NULL);
  bglml_barrier();
  if (bglml_rank() == 1) {
    static bglml_eager_t message;
    bglml_eager_init(&message, port, 0, NULL, buffer, sizeof buffer, finish, NULL);
    bglml_eager_post(&message);
  } else if (bglml_rank() == 0) {
    usleep(20000);
  }
  if (bglml_rank() < 2) bglml_wait(&done);
  if (bglml_rank() == 0) printf("received\n");
  return 0;
}
