// SPDX-License-Identifier: Apache-2.0
// Connections: a peer's send queue, its hardware header made once, and the posting of messages.
#include "drivers/bgl/torus.h"
#include "firmware/msglayer/state.h"

/// Make the header of all packets to the peer: deterministic, in order, to the FIFO group that it leaves from.
static void prepare(bglml_connection_t* connection, uint32_t peer) {
  const bglml_mapping_t* mapping = &bglml_instance->mapping;
  if (peer == bglml_instance->rank) {
    connection->self = true;
    connection->fifo_queue = &bglml_instance->self_queue;
    return;
  }
  const bglml_coordinates_t to = bglml_place(mapping, peer);
  const bglml_route_t route = bglml_route(mapping, to);
  bglml_pin(connection, route.direction);
  const uint8_t destination[] = {to.x, to.y, to.z};
  bgl_torus_deterministic_header(&connection->header, destination, route.hints, connection->group, 1);
}

bglml_connection_t* bglml_connect(uint32_t peer) {
  bglml_connection_t* connection = &bglml_instance->connections[peer];
  if (connection->fifo_queue == NULL) prepare(connection, peer);
  return connection;
}

void bglml_message_init(bglml_message_t* message, const bglml_protocol_t* protocol, uint8_t handler, uint32_t peer,
                        bglml_done_t senddone, void* context) {
  if (peer >= bglml_instance->size) {
    bglml_fatal("message to rank %u; the job has ranks 0..%u", peer, bglml_instance->size - 1);
  }
  if (handler >= bglml_instance->handler_count) {
    bglml_fatal("message through port %u; %u ports are registered", handler, bglml_instance->handler_count);
  }
  message->protocol = protocol;
  message->senddone = senddone;
  message->context = context;
  message->peer = peer;
  message->handler = handler;
  message->posted = false;
}

void bglml_message_post(bglml_message_t* message) {
  if (message->posted) bglml_fatal("message to rank %u posted again before its senddone", message->peer);
  message->posted = true;
  bglml_instance->pending += 1;
  message->next = NULL;
  bglml_connection_t* connection = bglml_connect(message->peer);
  if (connection->head != NULL) {  // the connection has its place among those that send already
    connection->tail->next = message;
    connection->tail = message;
    return;
  }
  connection->head = connection->tail = message;
  connection->next = NULL;
  bglml_send_queue_t* queue = connection->fifo_queue;
  if (queue->head != NULL) {
    queue->tail->next = connection;
  } else {
    queue->head = connection;
  }
  queue->tail = connection;
}
