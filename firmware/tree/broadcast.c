// SPDX-License-Identifier: Apache-2.0
// Broadcast over the tree: the root's node sends, the network copies.
#include "firmware/tree/operation.h"

static bool send(tree_stream_t* stream) {
  const tree_broadcast_t* broadcast = (const tree_broadcast_t*)stream;
  const uint32_t header = stream->due | tree_tag(stream, stream->sent) << TREE_HEADER_INJECTION_TAG_SHIFT;
  tree_give(header, broadcast->buffer + stream->sent * TREE_PAYLOAD_BYTES,
            tree_packet_bytes(broadcast->bytes, stream->sent));
  return true;
}

static uint32_t receive(tree_stream_t* stream) {
  const tree_broadcast_t* broadcast = (const tree_broadcast_t*)stream;
  return tree_take(broadcast->buffer + stream->received * TREE_PAYLOAD_BYTES,
                   tree_packet_bytes(broadcast->bytes, stream->received));
}

void tree_begin_broadcast(tree_work_t* work, uint32_t route_class, uint8_t* buffer, uint32_t bytes, bool sends) {
  const uint32_t packets = tree_packets(bytes);
  const uint32_t header = tree_collective_header(route_class, TREE_NONE, 1, 0);
  work->broadcast = (tree_broadcast_t){
      .base = {.send = send, .receive = receive, .due = header, .route_class = route_class},
      .buffer = buffer,
      .bytes = bytes,
  };
  if (sends) {
    work->stream.to_send = packets;
  } else {
    work->stream.to_receive = packets;
  }
}
