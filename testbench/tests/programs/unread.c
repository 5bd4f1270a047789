// SPDX-License-Identifier: Apache-2.0
// Rank 0 sends to rank 1, which watches its FIFOs' status and reads nothing: soon no packet moves any more. Nobody does
// anything wrong at the device; the other ranks exit.
#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/msglayer.h"

static bglml_eager_receive_t* recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                      uint32_t length) {
  (void)context, (void)source, (void)metadata, (void)length;
  return NULL;
}

int main(void) {
  bglml_init(NULL);
  const bglml_port_t port = bglml_eager_register(recvnew, NULL);
  if (bglml_rank() == 0) {
    static uint8_t buffer[100000];
    bglml_eager_t message;
    bglml_eager_init(&message, port, 1, NULL, buffer, sizeof buffer, NULL, NULL);
    bglml_eager_post(&message);
    for (;;) bglml_advance();
  }
  if (bglml_rank() == 1) {
    for (;;) {
      bgl_torus_status_t status;
      bgl_torus_read_status(0, &status);
    }
  }
  return 0;
}
