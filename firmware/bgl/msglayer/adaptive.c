// SPDX-License-Identifier: Apache-2.0
// Adaptive eager protocol. Packets arrive in any order, so each one carries everything that is needed from the first to
// arrive: the metadata, the message's length and its number, and in word 3 of the header the offset of its first byte.
// The receiver confirms a message when it sees the first of its packets, and the sender's lane waits for that before it
// starts the next message: so messages begin in order, whatever the routes of their packets.
#include <stddef.h>
#include <string.h>

#include "firmware/bgl/msglayer/state.h"

typedef struct {
  bglml_metadata_t metadata;
  uint32_t length;
  uint32_t sequence;
  uint32_t unused[2];
} lead_t;

enum {
  LEAD_QUADS = sizeof(lead_t) / BGLML_QUAD_BYTES,
  PAYLOAD = BGLML_ONE_PACKET_MAX - sizeof(lead_t),  // a multiple of 16: alignment holds in all packets
};

_Static_assert((int)LEAD_QUADS <= (int)BGLML_LEAD_QUADS_MAX, "what goes before the payload");
_Static_assert(sizeof(((bglml_adaptive_t*)NULL)->lead) == sizeof(lead_t), "the message's copy of what is sent");

static inline uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static bglml_push_t push(bglml_connection_t* connection, bglml_message_t* base) {
  bglml_adaptive_t* message = (bglml_adaptive_t*)base;
  const uint32_t offset = message->offset;
  if (offset == 0) {
    if (bglml_fence(connection)) return BGLML_WAIT;
    message->lead.sequence = bglml_ask_confirmation(connection);
    bglml_instance->counters.sent.messages[BGLML_COUNT_ADAPTIVE] += 1;
  }
  bglml_instance->counters.sent.packets[BGLML_COUNT_ADAPTIVE] += 1;
  const uint32_t left = message->lead.length - offset;
  const uint32_t bytes = smaller(left, PAYLOAD);
  const bglml_head_t head = {
      .word2 = bglml_word2(base->handler, bglml_instance->rank),
      .argument = offset,
      .lead = (const bglml_quad_t*)&message->lead,
      .lead_quads = LEAD_QUADS,
      .routing = BGLML_ADAPTIVE,
      .group = connection->reception_group,
  };
  bglml_inject_view(connection, &head, &message->view, offset, bytes);
  if (bytes == left) return connection->unconfirmed ? BGLML_DONE | BGLML_WAIT : BGLML_DONE;
  message->offset = offset + bytes;
  base->chunks = bglml_packet_chunks(smaller(left - bytes, PAYLOAD), LEAD_QUADS);
  return BGLML_MORE;
}

static const bglml_protocol_t protocol = {push, "adaptive eager"};

/// Handles the first packet of a message: asks the user for the destination of the message.
static bglml_adaptive_receive_t* begin(const bglml_binding_t* binding, bglml_connection_t* connection, uint32_t source,
                                       const lead_t* lead) {
  bglml_confirm(connection, source, lead->sequence);
  bglml_instance->counters.received.messages[BGLML_COUNT_ADAPTIVE] += 1;
  bglml_adaptive_receive_t* receive =
      ((bglml_adaptive_recvnew_t)binding->callback)(binding->context, source, &lead->metadata, lead->length);
  if (receive == NULL) bglml_fatal("recvnew gave no state for an adaptive message from rank %u", source);
  if (lead->length > receive->view.bytes) {
    bglml_fatal("adaptive message of %u bytes from rank %u; its receive has room for %u", lead->length, source,
                receive->view.bytes);
  }
  receive->length = lead->length;
  receive->received = 0;
  receive->sequence = lead->sequence;
  receive->disordered = false;
  receive->next = connection->adaptive;
  connection->adaptive = receive;
  return receive;
}

static void end(bglml_connection_t* connection, bglml_adaptive_receive_t* receive) {
  bglml_adaptive_receive_t** at = &connection->adaptive;
  while (*at != receive) at = &(*at)->next;
  *at = receive->next;
  bglml_instance->counters.disordered_messages += receive->disordered;
  if (receive->recvdone != NULL) receive->recvdone(receive->context);
}

static void handle(const bglml_binding_t* binding, bglml_packet_t* packet) {
  const uint32_t source = packet->source;
  const uint32_t offset = packet->argument;
  bglml_connection_t* connection = bglml_connect(source);
  lead_t lead;
  bglml_packet_read(packet, &lead, sizeof lead);
  bglml_adaptive_receive_t* receive = connection->adaptive;
  while (receive != NULL && receive->sequence != lead.sequence) receive = receive->next;
  if (receive == NULL) receive = begin(binding, connection, source, &lead);
  if (offset > receive->length || lead.length != receive->length) {
    bglml_fatal("adaptive packet for byte %u of %u from rank %u, of a message that has %u", offset, lead.length, source,
                receive->length);
  }
  const uint32_t bytes = smaller(receive->length - offset, PAYLOAD);
  bglml_counters_t* counters = &bglml_instance->counters;
  counters->received.packets[BGLML_COUNT_ADAPTIVE] += 1;
  if (offset > receive->received) {
    receive->disordered = true;
    counters->early_packets += 1;
  }
  bglml_packet_scatter(packet, &receive->view, offset, bytes);
  receive->received += bytes;
  if (receive->received == receive->length) end(connection, receive);
}

bglml_port_t bglml_adaptive_register(bglml_adaptive_recvnew_t recvnew, void* context) {
  return bglml_register_port(&protocol, handle, (void (*)(void))recvnew, context);
}

static void init(bglml_adaptive_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* metadata,
                 uint32_t length, bglml_done_t senddone, void* context) {
  if (length > BGLML_ADAPTIVE_MAX) {
    bglml_fatal("adaptive message of %u bytes to rank %u; at most %u can be sent", length, peer, BGLML_ADAPTIVE_MAX);
  }
  bglml_message_init(&message->base, &protocol, port, peer, senddone, context);
  memset(&message->lead, 0, sizeof message->lead);
  if (metadata != NULL) message->lead.metadata = *metadata;
  message->lead.length = length;
}

void bglml_adaptive_init(bglml_adaptive_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* metadata,
                         const void* buffer, uint32_t length, bglml_done_t senddone, void* context) {
  init(message, port, peer, metadata, length, senddone, context);
  bglml_view_init(&message->view, buffer);
}

void bglml_adaptive_init_layout(bglml_adaptive_t* message, bglml_port_t port, uint32_t peer,
                                const bglml_metadata_t* metadata, const void* buffer, const bglml_layout_t* layout,
                                bglml_done_t senddone, void* context) {
  init(message, port, peer, metadata, layout->bytes, senddone, context);
  bglml_view_init_layout(&message->view, buffer, layout);
}

void bglml_adaptive_post(bglml_adaptive_t* message) {
  message->offset = 0;
  message->base.chunks = bglml_packet_chunks(smaller(message->lead.length, PAYLOAD), LEAD_QUADS);
  bglml_message_post(&message->base);
}

void bglml_adaptive_receive_init(bglml_adaptive_receive_t* receive, void* buffer, bglml_done_t recvdone,
                                 void* context) {
  bglml_view_init(&receive->view, buffer);
  receive->recvdone = recvdone;
  receive->context = context;
}

void bglml_adaptive_receive_init_layout(bglml_adaptive_receive_t* receive, void* buffer, const bglml_layout_t* layout,
                                        bglml_done_t recvdone, void* context) {
  bglml_adaptive_receive_init(receive, buffer, recvdone, context);
  bglml_view_init_layout(&receive->view, buffer, layout);
}
