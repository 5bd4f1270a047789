// SPDX-License-Identifier: Apache-2.0
// Broadcast over the tree: the root's node sends, the network copies.
#include "firmware/bgl/msglayer/state.h"
#include "firmware/bgl/msglayer/tree.h"

typedef struct {
  bglml_tree_stream_t base;
  uint8_t* buffer;
  uint32_t bytes;
} broadcast_t;

static uint32_t bytes_of(const broadcast_t* broadcast, uint32_t number) {
  const uint32_t left = broadcast->bytes - number * TREE_PAYLOAD_BYTES;
  return left < TREE_PAYLOAD_BYTES ? left : TREE_PAYLOAD_BYTES;
}

static bool send(bglml_tree_stream_t* stream) {
  const broadcast_t* broadcast = (const broadcast_t*)stream;
  const uint32_t header = stream->due | bglml_tree_tag(stream, stream->sent) << TREE_HEADER_INJECTION_TAG_SHIFT;
  bglml_tree_give(header, broadcast->buffer + stream->sent * TREE_PAYLOAD_BYTES, bytes_of(broadcast, stream->sent));
  return true;
}

static uint32_t receive(bglml_tree_stream_t* stream) {
  const broadcast_t* broadcast = (const broadcast_t*)stream;
  return bglml_tree_take(broadcast->buffer + stream->received * TREE_PAYLOAD_BYTES,
                         bytes_of(broadcast, stream->received));
}

/// Among nodes: `sends` is true at the root's.
static void run(uint8_t* buffer, uint32_t bytes, bool sends) {
  const uint32_t packets = (bytes + TREE_PAYLOAD_BYTES - 1) / TREE_PAYLOAD_BYTES;
  const uint32_t header = tree_collective_header(TOROID_TREE_CLASS_BROADCAST, TREE_NONE, 1, 0);
  broadcast_t broadcast = {.base = {.send = send, .receive = receive, .due = header}, .buffer = buffer, .bytes = bytes};
  if (sends) {
    broadcast.base.to_send = packets;
  } else {
    broadcast.base.to_receive = packets;
  }
  bglml_tree_run(&broadcast.base);
}

/// In chunks between the processes of a node, of which one stands for both.
static void run_shared(bglml_tree_t* tree, uint8_t* buffer, uint32_t bytes, uint32_t root) {
  const uint32_t self = bglml_instance->rank;
  for (uint32_t done = 0; done < bytes; done += BGLML_TREE_CHUNK) {
    uint8_t* const part = buffer + done;
    const uint32_t length = bytes - done < BGLML_TREE_CHUNK ? bytes - done : BGLML_TREE_CHUNK;
    if (tree->other == BGLML_NO_RANK) {
      run(part, length, self == root);
    } else if (tree->leads) {
      bglml_tree_hear(tree);  // it takes part and, as the root, has sent its bytes
      if (tree->other == root) memcpy(part, tree->in, length);
      run(part, length, self == root || tree->other == root);
      bglml_tree_tell(tree, part, tree->other == root ? 0 : length);
    } else {
      bglml_tree_tell(tree, part, self == root ? length : 0);
      bglml_tree_hear(tree);
      if (self != root) memcpy(part, tree->in, length);
    }
  }
}

void bglml_tree_broadcast(void* buffer, uint32_t bytes, uint32_t root) {
  bglml_tree_t* tree = &bglml_instance->tree;
  bglml_tree_require("bglml_tree_broadcast() called");
  if (root >= bglml_instance->size) {
    bglml_fatal("broadcast from rank %u; the job has ranks 0..%u", root, bglml_instance->size - 1);
  }
  bglml_tree_begin("broadcast", bytes, root, 0);
  if (!tree->available) {
    bglml_tree_broadcast_by_messages(buffer, bytes, root);
  } else if (tree->shared) {
    run_shared(tree, buffer, bytes, root);
  } else {
    run(buffer, bytes, bglml_instance->rank == root);
  }
}
