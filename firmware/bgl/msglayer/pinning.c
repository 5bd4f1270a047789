// SPDX-License-Identifier: Apache-2.0
// FIFO pinning: all packets to a peer go through one injection FIFO, chosen by the direction in which they leave. This
// preserves the order to the peer, and a FIFO full of packets for a busy link does not block packets for another link.
//
// X, Y and Z each have one FIFO in a group. A process that is alone on its node assigns one group to plus and one to
// minus directions. In virtual node mode each process has the group of its own number, and sends to the group of its
// peer's number. If a coprocessor receives, it has group 1, and packets that it has not requested go to group 0.
#include "firmware/bgl/msglayer/state.h"

void bglml_pin(bglml_connection_t* connection, unsigned direction, bglml_coordinates_t to) {
  const bglml_state_t* state = bglml_instance;
  connection->fifo = (uint8_t)(direction / 2);
  connection->group = state->virtual_node ? state->mapping.self.t : (uint8_t)(direction % 2);
  connection->reception_group = state->virtual_node ? to.t : connection->group;
  if (state->coprocessor.present) connection->reception_group = 0;
  connection->queue = (uint8_t)(connection->group * BGLML_PINNED_FIFOS + connection->fifo);
}
