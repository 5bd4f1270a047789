// SPDX-License-Identifier: Apache-2.0
// Confirmations: a sender requests them where the network does not preserve the order, and the receiver answers. The
// requests of a sender to one receiver are numbered, and a new request is made only after the previous one was
// answered; so each side of a connection has at most one confirmation in flight, in the memory of the connection.
//
// A fence requests a confirmation for earlier messages: it follows them through the same FIFO and route, so a receiver
// that has seen the fence has seen the messages.
#include "firmware/bgl/msglayer/state.h"

uint32_t bglml_ask_confirmation(bglml_connection_t* connection) {
  connection->unconfirmed = true;
  return ++connection->asked;
}

bool bglml_fence(bglml_connection_t* connection) {
  if (!connection->unfenced) return false;
  connection->unfenced = false;
  const bglml_head_t head = {
      .word2 = bglml_word2(BGLML_HANDLER_FENCE, bglml_instance->rank),
      .argument = bglml_ask_confirmation(connection),
      .routing = BGLML_DETERMINISTIC,
      .group = connection->reception_group,
  };
  bglml_instance->counters.sent.packets[BGLML_COUNT_CONTROL] += 1;
  bglml_inject_packet(connection, &head, NULL, 0);
  return true;
}

void bglml_confirm(bglml_connection_t* connection, uint32_t source, uint32_t number) {
  if (number != connection->confirmed + 1) {
    bglml_fatal("rank %u asks for confirmation %u, where %u was to follow: messages out of order", source, number,
                connection->confirmed + 1);
  }
  connection->confirmed = number;
  bglml_control_queue(&connection->confirmation, connection, BGLML_HANDLER_CONFIRMATION, BGLML_ADAPTIVE, number);
}

static void handle_fence(const bglml_binding_t* binding, bglml_packet_t* packet) {
  (void)binding;
  bglml_instance->counters.received.packets[BGLML_COUNT_CONTROL] += 1;
  bglml_confirm(bglml_connect(packet->source), packet->source, packet->argument);
}

static void handle_confirmation(const bglml_binding_t* binding, bglml_packet_t* packet) {
  (void)binding;
  bglml_instance->counters.received.packets[BGLML_COUNT_CONTROL] += 1;
  bglml_connection_t* connection = bglml_connect(packet->source);
  if (!connection->unconfirmed || packet->argument != connection->asked) {
    bglml_fatal("confirmation %u from rank %u; %u were asked for", packet->argument, packet->source, connection->asked);
  }
  connection->unconfirmed = false;
  if (connection->ordered.waiting) bglml_resume(connection);
}

void bglml_confirmation_init(void) {
  bglml_expect_handler(bglml_register_handler(handle_confirmation, NULL, NULL), BGLML_HANDLER_CONFIRMATION);
  bglml_expect_handler(bglml_register_handler(handle_fence, NULL, NULL), BGLML_HANDLER_FENCE);
}
