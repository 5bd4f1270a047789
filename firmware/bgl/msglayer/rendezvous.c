// SPDX-License-Identifier: Apache-2.0
// Rendezvous protocol. The scout is routed like other deterministic packets, so messages are offered in posting order.
// The acknowledgement contains the address of the receive buffer, the id of the slot that counts the received data, and
// the reception group; the data packets are routed adaptively, each with its own address (rendezvous_data.h).
//
// A receiver has a limited number of slots. Further accepted messages wait for a slot, in their own memory, and are not
// acknowledged yet.
#include <stddef.h>
#include <string.h>

#include "firmware/bgl/msglayer/state.h"

typedef struct {
  bglml_metadata_t metadata;
  uintptr_t message;
  uint8_t unused[BGLML_QUAD_BYTES - sizeof(uintptr_t)];
} scout_lead_t;

typedef struct {
  uintptr_t message;
  uint32_t address;
  uint32_t id;  // of 24 bits, the reception group above
} acknowledgement_t;

enum { SCOUT_QUADS = 2, GROUP_SHIFT = 24 };

_Static_assert(sizeof(scout_lead_t) == SCOUT_QUADS * BGLML_QUAD_BYTES, "what a scout carries");
_Static_assert(sizeof(((bglml_rendezvous_t*)NULL)->lead) == sizeof(scout_lead_t), "the message's copy of it");
_Static_assert(sizeof(acknowledgement_t) <= BGLML_QUAD_BYTES, "what an acknowledgement carries");

// ---------------------------------------------------------------------------------------------------------------
// Sending

static bglml_push_t push_scout(bglml_connection_t* connection, bglml_message_t* base) {
  bglml_rendezvous_t* message = (bglml_rendezvous_t*)base;
  const bglml_head_t head = {
      .word2 = bglml_word2(base->handler, bglml_instance->rank),
      .argument = message->length,
      .lead = (const bglml_quad_t*)&message->lead,
      .lead_quads = SCOUT_QUADS,
      .routing = BGLML_DETERMINISTIC,
      .group = connection->reception_group,
  };
  connection->unfenced = true;
  bglml_instance->counters.sent.packets[BGLML_COUNT_RENDEZVOUS] += 1;
  bglml_instance->counters.sent.messages[BGLML_COUNT_RENDEZVOUS] += 1;
  bglml_inject_packet(connection, &head, NULL, 0);
  return BGLML_LEAVE;
}

static bglml_data_place_t next_place(const bglml_rendezvous_t* message) {
  return bglml_data_place(message->offset, message->address + message->offset, message->length);
}

static bglml_push_t push_data(bglml_connection_t* connection, bglml_message_t* base) {
  bglml_rendezvous_t* message = (bglml_rendezvous_t*)base;
  const bool first = message->offset == 0;
  bglml_data_place_t place = next_place(message);
  bglml_head_t head = {
      .word2 = bglml_word2(BGLML_HANDLER_DATA, message->receive_id),
      .argument = message->address + place.offset,
      .routing = BGLML_ADAPTIVE,
      .group = message->group,
  };
  bglml_instance->counters.sent.packets[BGLML_COUNT_RENDEZVOUS] += 1;
  bglml_inject_view(connection, &head, &message->view, place.offset, place.bytes);
  message->offset += place.bytes;
  if (message->offset == message->length) return BGLML_DONE;
  if (first) {  // all further packets begin aligned at the receiver
    head.argument = message->address + message->offset;
    message->offset += bglml_send_full(&connection->data, &head, &message->view, message->offset,
                                       message->length - message->offset, BGLML_COUNT_RENDEZVOUS);
  }
  place = next_place(message);
  base->chunks = bglml_packet_chunks(place.bytes, 0);
  return BGLML_MORE;
}

static const bglml_protocol_t scout_protocol = {push_scout, "rendezvous"};
static const bglml_protocol_t data_protocol = {push_data, NULL};

static void handle_acknowledgement(const bglml_binding_t* binding, bglml_packet_t* packet) {
  (void)binding;
  bglml_instance->counters.received.packets[BGLML_COUNT_CONTROL] += 1;
  bglml_quad_t quad;
  acknowledgement_t acknowledgement;
  bglml_packet_read(packet, &quad, sizeof quad);
  memcpy(&acknowledgement, &quad, sizeof acknowledgement);
  bglml_rendezvous_t* message = (bglml_rendezvous_t*)acknowledgement.message;
  if (!message->base.posted || message->base.protocol != &scout_protocol || message->base.peer != packet->source) {
    bglml_fatal("rank %u acknowledges a rendezvous message that it was not offered", packet->source);
  }
  if (message->length == 0) {
    bglml_message_done(&message->base);
    return;
  }
  message->address = acknowledgement.address;
  message->receive_id = acknowledgement.id & BGLML_WORD2_ID_MAX;
  message->group = (uint8_t)(acknowledgement.id >> GROUP_SHIFT);
  message->base.protocol = &data_protocol;
  message->base.chunks = bglml_packet_chunks(next_place(message).bytes, 0);
  bglml_message_queue_data(bglml_connect(packet->source), &message->base);
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

static void acknowledge(bglml_rendezvous_receive_t* receive, uint32_t address, uint32_t id, unsigned group) {
  acknowledgement_t acknowledgement;
  bglml_connection_t* connection = receive->acknowledgement.connection;
  memcpy(&acknowledgement, &receive->lead, sizeof acknowledgement);
  acknowledgement.address = address;
  acknowledgement.id = id | (uint32_t)group << GROUP_SHIFT;
  memcpy(&receive->lead, &acknowledgement, sizeof acknowledgement);
  bglml_control_queue(&receive->acknowledgement, connection, BGLML_HANDLER_ACKNOWLEDGEMENT, BGLML_DETERMINISTIC, 0);
}

/// The group in which this core receives data from a peer: its only one, or that of the peer's direction.
static unsigned data_group(const bglml_connection_t* connection) {
  const bglml_state_t* state = bglml_instance;
  return state->end_group - state->first_group == 1 ? state->first_group : connection->group;
}

/// Assigns the data to the coprocessor, if possible, and requests it.
static bool give_away(bglml_rendezvous_receive_t* receive) {
  uint32_t id;
  if (receive->acknowledgement.connection->path != BGLML_PATH_TORUS) return false;
  if (!bglml_coprocessor_accept(&bglml_instance->coprocessor, receive, &id)) return false;
  acknowledge(receive, (uint32_t)(uintptr_t)receive->view.buffer, id, BGLML_CO_GROUP);
  return true;
}

/// Assigns a free slot to the receive, and requests its data.
static void begin_data(bglml_receptions_t* receptions, bglml_rendezvous_receive_t* receive) {
  const uint32_t number = receptions->free;
  bglml_data_slot_t* slot = &receptions->slots[number];
  receptions->free = slot->remaining;
  receptions->receives[number] = receive;
  slot->buffer = receive->view.layout == NULL ? receive->view.buffer : NULL;
  slot->length = slot->remaining = receive->length;
  acknowledge(receive, (uint32_t)(uintptr_t)slot->buffer, slot->id, data_group(receive->acknowledgement.connection));
}

static void end_data(bglml_receptions_t* receptions, uint32_t number) {
  bglml_data_slot_t* slot = &receptions->slots[number];
  bglml_rendezvous_receive_t* receive = receptions->receives[number];
  receptions->receives[number] = NULL;
  bglml_instance->counters.disordered_messages += receive->disordered;
  slot->id = (slot->id + BGLML_GENERATION) & BGLML_WORD2_ID_MAX;
  slot->remaining = receptions->free;
  receptions->free = number;
  bglml_rendezvous_receive_t* waiting = receptions->head;
  if (waiting != NULL) {
    receptions->head = waiting->next;
    begin_data(receptions, waiting);
  }
  if (receive->recvdone != NULL) receive->recvdone(receive->context);
}

/// Called when the acknowledgement of an empty message has been sent, which completes it.
static void empty_sent(bglml_control_t* control) {
  bglml_rendezvous_receive_t* receive =
      (bglml_rendezvous_receive_t*)((char*)control - offsetof(bglml_rendezvous_receive_t, acknowledgement));
  if (receive->recvdone != NULL) receive->recvdone(receive->context);
}

void bglml_rendezvous_accept(const bglml_rendezvous_offer_t* offer, bglml_rendezvous_receive_t* receive) {
  if (offer->length > receive->view.bytes) {
    bglml_fatal("rendezvous message of %u bytes from rank %u; its receive has room for %u", offer->length,
                offer->source, receive->view.bytes);
  }
  receive->length = offer->length;
  receive->disordered = false;
  const acknowledgement_t acknowledgement = {.message = offer->message};
  memcpy(&receive->lead, &acknowledgement, sizeof acknowledgement);
  receive->acknowledgement.connection = bglml_connect(offer->source);
  receive->acknowledgement.lead = &receive->lead;
  receive->acknowledgement.sent = NULL;
  bglml_receptions_t* receptions = &bglml_instance->receptions;
  if (receive->length == 0) {
    receive->acknowledgement.sent = empty_sent;
    acknowledge(receive, 0, 0, 0);
  } else if (give_away(receive)) {
    return;
  } else if (receptions->free < BGLML_RECEPTIONS) {
    begin_data(receptions, receive);
  } else {
    receive->next = NULL;
    if (receptions->head != NULL) {
      receptions->tail->next = receive;
    } else {
      receptions->head = receive;
    }
    receptions->tail = receive;
  }
}

static void handle_scout(const bglml_binding_t* binding, bglml_packet_t* packet) {
  scout_lead_t lead;
  bglml_packet_read(packet, &lead, sizeof lead);
  bglml_instance->counters.received.packets[BGLML_COUNT_RENDEZVOUS] += 1;
  bglml_instance->counters.received.messages[BGLML_COUNT_RENDEZVOUS] += 1;
  const bglml_rendezvous_offer_t offer = {packet->source, packet->argument, lead.metadata, lead.message};
  bglml_rendezvous_receive_t* receive = ((bglml_rendezvous_recvnew_t)binding->callback)(binding->context, &offer);
  if (receive != NULL) bglml_rendezvous_accept(&offer, receive);
}

static void follow(const bglml_packet_t* packet, bglml_data_slot_t* slot, bglml_rendezvous_receive_t* receive) {
  const uint32_t address = (uint32_t)(uintptr_t)slot->buffer;
  const bglml_follow_t follow = {
      .word2 = bglml_word2(BGLML_HANDLER_DATA, slot->id),
      .address = address,
      .view = &receive->view,
      .length = slot->length,
      .offset = bglml_data_place(0, address, slot->length).bytes,
      .remaining = &slot->remaining,
      .disordered = &receive->disordered,
      .kind = BGLML_COUNT_RENDEZVOUS,
  };
  bglml_packet_follow(packet, &follow);
}

static void handle_data(const bglml_binding_t* binding, bglml_packet_t* packet) {
  bglml_receptions_t* receptions = binding->context;
  const uint32_t number = packet->source % BGLML_RECEPTIONS;
  bglml_data_slot_t* slot = &receptions->slots[number];
  bglml_rendezvous_receive_t* receive = receptions->receives[number];
  const bglml_data_place_t place = bglml_data_find(slot, packet->argument);
  if (receive == NULL || slot->id != packet->source || place.bytes == 0) {
    bglml_fatal("rendezvous packet for reception 0x%x, address 0x%x; no reception has it", packet->source,
                packet->argument);
  }
  bglml_counters_t* counters = &bglml_instance->counters;
  counters->received.packets[BGLML_COUNT_RENDEZVOUS] += 1;
  if (place.offset > slot->length - slot->remaining) {
    receive->disordered = true;
    counters->early_packets += 1;
  }
  bglml_packet_scatter(packet, &receive->view, place.offset, place.bytes);
  slot->remaining -= place.bytes;
  if (slot->remaining == 0) {
    end_data(receptions, number);
  } else {
    follow(packet, slot, receive);
  }
}

void bglml_rendezvous_start(bglml_receptions_t* receptions) {
  for (uint32_t i = 0; i < BGLML_RECEPTIONS; ++i) {
    receptions->slots[i].id = i;
    receptions->slots[i].remaining = i + 1;
  }
  bglml_expect_handler(bglml_register_handler(handle_acknowledgement, NULL, NULL), BGLML_HANDLER_ACKNOWLEDGEMENT);
  bglml_expect_handler(bglml_register_id_handler(handle_data, NULL, receptions), BGLML_HANDLER_DATA);
}

// ---------------------------------------------------------------------------------------------------------------
// What the user calls

bglml_port_t bglml_rendezvous_register(bglml_rendezvous_recvnew_t recvnew, void* context) {
  return bglml_register_port(&scout_protocol, handle_scout, (void (*)(void))recvnew, context);
}

static void init(bglml_rendezvous_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* metadata,
                 uint32_t length, bglml_done_t senddone, void* context) {
  if (length > BGLML_RENDEZVOUS_MAX) {
    bglml_fatal("rendezvous message of %u bytes to rank %u; at most %u can be sent", length, peer,
                BGLML_RENDEZVOUS_MAX);
  }
  bglml_message_init(&message->base, &scout_protocol, port, peer, senddone, context);
  memset(&message->lead, 0, sizeof message->lead);
  if (metadata != NULL) message->lead.metadata = *metadata;
  message->lead.message = (uintptr_t)message;
  message->length = length;
}

void bglml_rendezvous_init(bglml_rendezvous_t* message, bglml_port_t port, uint32_t peer,
                           const bglml_metadata_t* metadata, const void* buffer, uint32_t length, bglml_done_t senddone,
                           void* context) {
  init(message, port, peer, metadata, length, senddone, context);
  bglml_view_init(&message->view, buffer);
}

void bglml_rendezvous_init_layout(bglml_rendezvous_t* message, bglml_port_t port, uint32_t peer,
                                  const bglml_metadata_t* metadata, const void* buffer, const bglml_layout_t* layout,
                                  bglml_done_t senddone, void* context) {
  init(message, port, peer, metadata, layout->bytes, senddone, context);
  bglml_view_init_layout(&message->view, buffer, layout);
}

void bglml_rendezvous_post(bglml_rendezvous_t* message) {
  message->offset = 0;
  message->base.protocol = &scout_protocol;
  message->base.chunks = bglml_packet_chunks(0, SCOUT_QUADS);
  bglml_message_post(&message->base);
}

void bglml_rendezvous_receive_init(bglml_rendezvous_receive_t* receive, void* buffer, uint32_t capacity,
                                   bglml_done_t recvdone, void* context) {
  bglml_view_init(&receive->view, buffer);
  receive->view.bytes = capacity;
  receive->recvdone = recvdone;
  receive->context = context;
}

void bglml_rendezvous_receive_init_layout(bglml_rendezvous_receive_t* receive, void* buffer,
                                          const bglml_layout_t* layout, bglml_done_t recvdone, void* context) {
  bglml_view_init_layout(&receive->view, buffer, layout);
  receive->recvdone = recvdone;
  receive->context = context;
}
