// SPDX-License-Identifier: Apache-2.0
// FIFO pinning: all packets to a peer go through one injection FIFO, chosen by the direction in which they leave. Order
// to the peer is kept, and a FIFO full of packets for a busy link holds up no packet for another link.
#include "firmware/msglayer/state.h"

void bglml_pin(bglml_connection_t* connection, unsigned direction) {
  connection->fifo = (uint8_t)(direction / 2);
  connection->group = (uint8_t)(direction % 2);
  connection->queue = (uint8_t)(connection->group * BGLML_PINNED_FIFOS + connection->fifo);
}
