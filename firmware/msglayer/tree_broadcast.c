// SPDX-License-Identifier: Apache-2.0
// Broadcast over the tree: the root's node sends, the network copies.
#include "firmware/msglayer/state.h"
#include "firmware/msglayer/tree.h"

typedef struct {
  bglml_tree_stream_t base;
  uint8_t* buffer;
  uint32_t bytes;
} broadcast_t;

static uint32_t bytes_of(const broadcast_t* broadcast, uint32_t number) {
  const uint32_t left = broadcast->bytes - number * BGL_TREE_PAYLOAD_BYTES;
  return left < BGL_TREE_PAYLOAD_BYTES ? left : BGL_TREE_PAYLOAD_BYTES;
}

static bool aligned(const void* memory) {
  return (uintptr_t)memory % BGLML_QUAD_BYTES == 0;
}

static bool send(bglml_tree_stream_t* stream) {
  const broadcast_t* broadcast = (const broadcast_t*)stream;
  const uint8_t* from = broadcast->buffer + stream->sent * BGL_TREE_PAYLOAD_BYTES;
  const uint32_t bytes = bytes_of(broadcast, stream->sent);
  const uint32_t header = stream->due | bglml_tree_tag(stream, stream->sent) << BGL_TREE_HEADER_INJECTION_TAG_SHIFT;
  if (bytes == BGL_TREE_PAYLOAD_BYTES && aligned(from)) {
    bgl_tree_inject(BGLML_TREE_VC, header, from);
  } else {
    bgl_tree_inject_bytes(BGLML_TREE_VC, header, from, bytes);
  }
  return true;
}

static uint32_t receive(bglml_tree_stream_t* stream) {
  const broadcast_t* broadcast = (const broadcast_t*)stream;
  uint8_t* to = broadcast->buffer + stream->received * BGL_TREE_PAYLOAD_BYTES;
  const uint32_t bytes = bytes_of(broadcast, stream->received);
  if (bytes == BGL_TREE_PAYLOAD_BYTES && aligned(to)) return bgl_tree_receive(BGLML_TREE_VC, to);
  return bgl_tree_receive_bytes(BGLML_TREE_VC, to, bytes);
}

/// Among nodes: `sends` is true at the root's.
static void run(uint8_t* buffer, uint32_t bytes, bool sends) {
  const uint32_t packets = (bytes + BGL_TREE_PAYLOAD_BYTES - 1) / BGL_TREE_PAYLOAD_BYTES;
  const uint32_t header = bgl_tree_collective_header(TOROID_TREE_CLASS_BROADCAST, BGL_TREE_NONE, 1, 0);
  broadcast_t broadcast = {.base = {.send = send, .receive = receive, .due = header}, .buffer = buffer, .bytes = bytes};
  if (sends) {
    broadcast.base.to_send = packets;
  } else {
    broadcast.base.to_receive = packets;
  }
  bglml_tree_run(&broadcast.base);
}

void bglml_tree_broadcast(void* buffer, uint32_t bytes, uint32_t root) {
  bglml_tree_t* tree = &bglml_instance->tree;
  const uint32_t size = bglml_size();
  const uint32_t self = bglml_rank();
  if (root >= size) bglml_fatal("broadcast from rank %u; the job has ranks 0..%u", root, size - 1);
  bglml_tree_begin("broadcast", bytes, root, 0);
  const bool here = self == root || tree->other == root;  // the root's node
  const uint32_t chunk = tree->shared ? BGLML_TREE_CHUNK : bytes;
  for (uint32_t done = 0; done < bytes; done += chunk) {
    uint8_t* const part = (uint8_t*)buffer + done;
    const uint32_t length = bytes - done < chunk ? bytes - done : chunk;
    if (tree->other == BGLML_NO_RANK) {
      run(part, length, here);
    } else if (tree->leads) {
      bglml_tree_hear(tree);  // it is there, and has sent its bytes where it is the root
      if (tree->other == root) memcpy(part, tree->in, length);
      run(part, length, here);
      bglml_tree_tell(tree, part, tree->other == root ? 0 : length);
    } else {
      bglml_tree_tell(tree, part, self == root ? length : 0);
      bglml_tree_hear(tree);
      if (self != root) memcpy(part, tree->in, length);
    }
  }
}
