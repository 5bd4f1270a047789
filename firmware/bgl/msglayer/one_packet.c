// SPDX-License-Identifier: Apache-2.0
// One-packet protocol: word 3 of the header holds the 24-bit argument and the length, the payload is the message.
#include "firmware/bgl/msglayer/state.h"

static bglml_push_t push(bglml_connection_t* connection, bglml_message_t* base) {
  bglml_one_packet_t* message = (bglml_one_packet_t*)base;
  const bglml_head_t head = {
      .word2 = bglml_word2(base->handler, bglml_instance->rank),
      .argument = message->argument << 8 | message->length,
      .routing = BGLML_DETERMINISTIC,
      .group = connection->reception_group,
  };
  connection->unfenced = true;
  bglml_traffic_t* traffic = &bglml_instance->counters.sent;
  traffic->packets[BGLML_COUNT_ONE_PACKET] += 1;
  traffic->messages[BGLML_COUNT_ONE_PACKET] += 1;
  bglml_inject_view(connection, &head, &message->view, 0, message->length);
  return BGLML_DONE;
}

static const bglml_protocol_t protocol = {push, "one-packet"};

static void handle(const bglml_binding_t* binding, bglml_packet_t* packet) {
  bglml_quad_t buffer[BGLML_ONE_PACKET_MAX / BGLML_QUAD_BYTES];
  const uint32_t length = packet->argument & 0xFFu;
  if (length > packet->quads * BGLML_QUAD_BYTES) {
    bglml_fatal("one-packet message of %u bytes from rank %u in a packet of %u", length, packet->source,
                packet->quads * BGLML_QUAD_BYTES);
  }
  bglml_traffic_t* traffic = &bglml_instance->counters.received;
  traffic->packets[BGLML_COUNT_ONE_PACKET] += 1;
  traffic->messages[BGLML_COUNT_ONE_PACKET] += 1;
  traffic->copied += length;  // by the user, who has to
  bglml_packet_read_all(packet, buffer);
  ((bglml_one_packet_recvnew_t)binding->callback)(binding->context, packet->source, packet->argument >> 8, buffer,
                                                  length);
}

bglml_port_t bglml_one_packet_register(bglml_one_packet_recvnew_t recvnew, void* context) {
  return bglml_register_port(&protocol, handle, (void (*)(void))recvnew, context);
}

static void init(bglml_one_packet_t* message, bglml_port_t port, uint32_t peer, uint32_t argument, uint32_t length,
                 bglml_done_t senddone, void* context) {
  if (length > BGLML_ONE_PACKET_MAX) {
    bglml_fatal("one-packet message of %u bytes to rank %u; a packet holds %d", length, peer, BGLML_ONE_PACKET_MAX);
  }
  if (argument > BGLML_ARGUMENT_MAX) {
    bglml_fatal("one-packet message to rank %u with argument 0x%x; 24 bits are sent", peer, argument);
  }
  bglml_message_init(&message->base, &protocol, port, peer, senddone, context);
  message->argument = argument;
  message->length = length;
  message->base.chunks = bglml_packet_chunks(length, 0);
}

void bglml_one_packet_init(bglml_one_packet_t* message, bglml_port_t port, uint32_t peer, uint32_t argument,
                           const void* buffer, uint32_t length, bglml_done_t senddone, void* context) {
  init(message, port, peer, argument, length, senddone, context);
  bglml_view_init(&message->view, buffer);
}

void bglml_one_packet_init_layout(bglml_one_packet_t* message, bglml_port_t port, uint32_t peer, uint32_t argument,
                                  const void* buffer, const bglml_layout_t* layout, bglml_done_t senddone,
                                  void* context) {
  init(message, port, peer, argument, layout->bytes, senddone, context);
  bglml_view_init_layout(&message->view, buffer, layout);
}

void bglml_one_packet_post(bglml_one_packet_t* message) {
  bglml_message_post(&message->base);
}
