// SPDX-License-Identifier: Apache-2.0
// Eager protocol. The first packet carries the metadata quad and says the message's length; the others follow in order,
// which one FIFO, one route and one message at a time to a peer guarantee. So unpacking needs only a running counter on
// each side. Word 3 of the header: bit 31 set and the length in the first packet, the offset of its first byte in the
// others, so that a packet out of order is detected, not delivered.
#include <string.h>

#include "firmware/bgl/msglayer/state.h"

#define FIRST_PACKET 0x80000000u

enum {
  FIRST_PAYLOAD = BGLML_ONE_PACKET_MAX - BGLML_METADATA_BYTES,  // a multiple of 16: alignment holds in all packets
  PAYLOAD = BGLML_ONE_PACKET_MAX,
};

static inline uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static bglml_push_t push(bglml_connection_t* connection, bglml_message_t* base) {
  bglml_eager_t* message = (bglml_eager_t*)base;
  const bool first = message->offset == 0;
  const uint32_t bytes = smaller(message->length - message->offset, first ? FIRST_PAYLOAD : PAYLOAD);
  bglml_head_t head = {
      .word2 = bglml_word2(base->handler, bglml_instance->rank),
      .argument = first ? FIRST_PACKET | message->length : message->offset,
      .lead = (const bglml_quad_t*)&message->metadata,
      .lead_quads = first,
      .routing = BGLML_DETERMINISTIC,
      .group = connection->reception_group,
  };
  connection->unfenced = true;
  bglml_traffic_t* traffic = &bglml_instance->counters.sent;
  traffic->packets[BGLML_COUNT_EAGER] += 1;
  traffic->messages[BGLML_COUNT_EAGER] += first;
  bglml_inject_view(connection, &head, &message->view, message->offset, bytes);
  uint32_t offset = message->offset + bytes;
  uint32_t left = message->length - offset;
  if (left == 0) return BGLML_DONE;
  if (first && left > PAYLOAD) {
    head.argument = offset;
    head.lead_quads = 0;
    const uint32_t sent = bglml_send_full(&connection->ordered, &head, &message->view, offset, left, BGLML_COUNT_EAGER);
    offset += sent;
    left -= sent;
  }
  message->offset = offset;
  base->chunks = bglml_packet_chunks(smaller(left, PAYLOAD), 0);
  return BGLML_MORE;
}

static const bglml_protocol_t protocol = {push, "eager"};

static inline uint32_t received(const bglml_eager_receive_t* receive) {
  return receive->length - receive->remaining;
}

/// Handles a first packet: asks the user for the destination of the message.
static bglml_eager_receive_t* begin(const bglml_binding_t* binding, bglml_packet_t* packet,
                                    const bglml_connection_t* connection) {
  const uint32_t length = packet->argument & ~FIRST_PACKET;
  if (connection->receive != NULL) {
    bglml_fatal("eager message from rank %u begins at byte %u of another that has %u", packet->source,
                received(connection->receive), connection->receive->length);
  }
  bglml_instance->counters.received.messages[BGLML_COUNT_EAGER] += 1;
  bglml_metadata_t metadata;
  bglml_packet_read(packet, &metadata, sizeof metadata);
  bglml_eager_receive_t* receive =
      ((bglml_eager_recvnew_t)binding->callback)(binding->context, packet->source, &metadata, length);
  if (receive == NULL) bglml_fatal("recvnew gave no state for an eager message from rank %u", packet->source);
  if (length > receive->view.bytes) {
    bglml_fatal("eager message of %u bytes from rank %u; its receive has room for %u", length, packet->source,
                receive->view.bytes);
  }
  receive->length = receive->remaining = length;
  return receive;
}

static void follow(const bglml_binding_t* binding, const bglml_packet_t* packet, bglml_eager_receive_t* receive) {
  const bglml_follow_t follow = {
      .word2 = bglml_word2(bglml_binding_number(binding), packet->source),
      .view = &receive->view,
      .length = receive->length,
      .offset = FIRST_PAYLOAD,
      .remaining = &receive->remaining,
      .kind = BGLML_COUNT_EAGER,
  };
  bglml_packet_follow(packet, &follow);
}

static void handle(const bglml_binding_t* binding, bglml_packet_t* packet) {
  bglml_connection_t* connection = bglml_connect(packet->source);
  bglml_eager_receive_t* receive = connection->receive;
  bglml_instance->counters.received.packets[BGLML_COUNT_EAGER] += 1;
  const bool first = (packet->argument & FIRST_PACKET) != 0;
  if (first) {
    receive = connection->receive = begin(binding, packet, connection);
  } else if (receive == NULL || packet->argument != received(receive)) {
    bglml_fatal("eager packet for byte %u from rank %u, where byte %u was to follow", packet->argument, packet->source,
                receive ? received(receive) : 0);
  }
  const uint32_t offset = received(receive);
  const uint32_t bytes = smaller(receive->remaining, packet->quads * BGLML_QUAD_BYTES);
  bglml_packet_scatter(packet, &receive->view, offset, bytes);
  receive->remaining -= bytes;
  if (receive->remaining != 0) {
    if (first) follow(binding, packet, receive);
    return;
  }
  bglml_packet_unfollow(packet);
  connection->receive = NULL;
  if (receive->recvdone != NULL) receive->recvdone(receive->context);
}

bglml_port_t bglml_eager_register(bglml_eager_recvnew_t recvnew, void* context) {
  return bglml_register_port(&protocol, handle, (void (*)(void))recvnew, context);
}

static void init(bglml_eager_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* metadata,
                 uint32_t length, bglml_done_t senddone, void* context) {
  if (length > BGLML_EAGER_MAX) {
    bglml_fatal("eager message of %u bytes to rank %u; at most %u can be sent", length, peer, BGLML_EAGER_MAX);
  }
  bglml_message_init(&message->base, &protocol, port, peer, senddone, context);
  message->length = length;
  if (metadata != NULL) {
    message->metadata = *metadata;
  } else {
    memset(&message->metadata, 0, sizeof message->metadata);
  }
}

void bglml_eager_init(bglml_eager_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* metadata,
                      const void* buffer, uint32_t length, bglml_done_t senddone, void* context) {
  init(message, port, peer, metadata, length, senddone, context);
  bglml_view_init(&message->view, buffer);
}

void bglml_eager_init_layout(bglml_eager_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* metadata,
                             const void* buffer, const bglml_layout_t* layout, bglml_done_t senddone, void* context) {
  init(message, port, peer, metadata, layout->bytes, senddone, context);
  bglml_view_init_layout(&message->view, buffer, layout);
}

void bglml_eager_post(bglml_eager_t* message) {
  message->offset = 0;
  message->base.chunks = bglml_packet_chunks(smaller(message->length, FIRST_PAYLOAD), 1);
  bglml_message_post(&message->base);
}

void bglml_eager_receive_init(bglml_eager_receive_t* receive, void* buffer, bglml_done_t recvdone, void* context) {
  bglml_view_init(&receive->view, buffer);
  receive->recvdone = recvdone;
  receive->context = context;
}

void bglml_eager_receive_init_layout(bglml_eager_receive_t* receive, void* buffer, const bglml_layout_t* layout,
                                     bglml_done_t recvdone, void* context) {
  bglml_eager_receive_init(receive, buffer, recvdone, context);
  bglml_view_init_layout(&receive->view, buffer, layout);
}
