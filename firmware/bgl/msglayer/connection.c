// SPDX-License-Identifier: Apache-2.0
// Connections: a peer's lanes, its hardware headers, which are created once, and the posting of messages.
#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/state.h"

// The headers of all packets to the peer: deterministic ones, which keep their order, and adaptive ones.
void bglml_prepare(bglml_connection_t* connection, uint32_t peer) {
  const bglml_mapping_t* mapping = &bglml_instance->mapping;
  connection->prepared = true;
  connection->ordered.connection = connection->data.connection = connection;
  const bglml_coordinates_t to = bglml_place(mapping, peer);
  if (to.x == mapping->self.x && to.y == mapping->self.y && to.z == mapping->self.z) {
    const bool self = to.t == mapping->self.t;
    connection->path = self ? BGLML_PATH_SELF : BGLML_PATH_VIRTUAL;
    connection->queue = self ? BGLML_SELF_QUEUE : BGLML_VIRTUAL_QUEUE;
    return;
  }
  const bglml_route_t route = bglml_route(mapping, to);
  bglml_pin(connection, route.direction, to);
  const uint8_t destination[] = {to.x, to.y, to.z};
  const unsigned group = connection->reception_group;
  bgl_torus_deterministic_header(&connection->headers[BGLML_DETERMINISTIC], destination, route.hints, group, 1);
  bgl_torus_dynamic_header(&connection->headers[BGLML_ADAPTIVE], destination, route.hints, group, 1);
}

uint8_t bglml_connection_group(const bglml_connection_t* connection) {
  return connection->reception_group;
}

void bglml_message_init(bglml_message_t* message, const bglml_protocol_t* protocol, uint8_t handler, uint32_t peer,
                        bglml_done_t senddone, void* context) {
  bglml_require("a message initialised");
  if (peer >= bglml_instance->size) {
    bglml_fatal("message to rank %u; the job has ranks 0..%u", peer, bglml_instance->size - 1);
  }
  if (handler >= bglml_instance->handler_count) {
    bglml_fatal("message through port %u; %u ports are registered", handler, bglml_instance->handler_count);
  }
  const bglml_binding_t* binding = &bglml_instance->handlers[handler];
  if (protocol->port != NULL && (binding->protocol != protocol || binding->own)) {
    bglml_fatal("%s message through port %u, which is %s%s", protocol->port, handler,
                binding->own || binding->protocol == NULL ? "the layer's own" : "one of another protocol: ",
                binding->own || binding->protocol == NULL ? "" : binding->protocol->port);
  }
  message->protocol = protocol;
  message->senddone = senddone;
  message->context = context;
  message->peer = peer;
  message->handler = handler;
  message->posted = false;
}

void bglml_lane_enqueue(bglml_lane_t* lane) {
  if (lane->queued || lane->waiting || lane->head == NULL) return;
  bglml_state_t* state = bglml_instance;
  const unsigned number = lane->connection->queue;
  bglml_send_queue_t* queue = &state->queues[number];
  lane->queued = true;
  lane->next = NULL;
  if (queue->head != NULL) {
    queue->tail->next = lane;
  } else {
    queue->head = lane;
    state->busy |= UINT32_C(1) << number;
  }
  queue->tail = lane;
}

static void append(bglml_lane_t* lane, bglml_message_t* message) {
  message->next = NULL;
  if (lane->head != NULL) {
    lane->tail->next = message;
  } else {
    lane->head = message;
  }
  lane->tail = message;
  bglml_lane_enqueue(lane);
}

void bglml_message_post(bglml_message_t* message) {
  bglml_lane_t* lane = &bglml_connect(message->peer)->ordered;
  // Also if it was initialised again in between, as far as that can be detected.
  if (message->posted || (lane->head != NULL && lane->tail == message)) {
    bglml_fatal("message to rank %u posted again before its senddone", message->peer);
  }
  message->posted = true;
  append(lane, message);
}

void bglml_message_queue_data(bglml_connection_t* connection, bglml_message_t* message) {
  append(&connection->data, message);
}

void bglml_message_done(bglml_message_t* message) {
  message->posted = false;
  if (message->senddone != NULL) message->senddone(message->context);
}

void bglml_resume(bglml_connection_t* connection) {
  connection->ordered.waiting = false;
  bglml_lane_enqueue(&connection->ordered);
}

void bglml_control_queue(bglml_control_t* control, bglml_connection_t* connection, uint8_t handler,
                         bglml_routing_t routing, uint32_t argument) {
  control->next = NULL;
  control->connection = connection;
  control->handler = handler;
  control->routing = (uint8_t)routing;
  control->argument = argument;
  bglml_state_t* state = bglml_instance;
  bglml_send_queue_t* queue = &state->queues[connection->queue];
  if (queue->control_head != NULL) {
    queue->control_tail->next = control;
  } else {
    queue->control_head = control;
    state->busy |= UINT32_C(1) << connection->queue;
  }
  queue->control_tail = control;
}
