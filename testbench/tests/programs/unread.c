// SPDX-License-Identifier: Apache-2.0
// Rank 0 sends more than the network holds to the last rank, which computes for ever and reads nothing: packets fill
// the reception FIFO, then the buffers on the way, and stop. The other ranks end at once.
#include <stddef.h>

#include "firmware/msglayer/msglayer.h"

static uint8_t message[1 << 20] __attribute__((aligned(16)));

static bglml_eager_receive_t* recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                      uint32_t length) {
  (void)context, (void)source, (void)metadata, (void)length;
  return NULL;
}

static void set(void* flag) {
  *(volatile uint32_t*)flag = 1;
}

int main(void) {
  bglml_init(NULL);
  const bglml_port_t port = bglml_eager_register(recvnew, NULL);
  const uint32_t last = bglml_size() - 1;
  if (bglml_rank() == last) {
    for (volatile unsigned turn = 0;; ++turn) {
    }
  }
  if (bglml_rank() != 0) return 0;
  bglml_eager_t send;
  volatile uint32_t sent = 0;
  bglml_eager_init(&send, port, last, NULL, message, sizeof message, set, (void*)&sent);
  bglml_eager_post(&send);
  bglml_wait(&sent);
  return 0;
}
