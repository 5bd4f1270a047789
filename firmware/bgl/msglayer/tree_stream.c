// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgl/msglayer/tree_stream.h"

#include "firmware/bgl/msglayer/activity.h"
#include "firmware/bgl/msglayer/state.h"

static inline bool aligned(const void* memory) {
  return (uintptr_t)memory % BGLML_QUAD_BYTES == 0;
}

void tree_give(uint32_t header, const void* payload, uint32_t bytes) {
  bglml_tree_t* tree = &bglml_instance->tree;
  if (tree->messages != NULL) {
    bglml_tree_messages_give(tree, header, payload, bytes);
  } else if (bytes == TREE_PAYLOAD_BYTES && aligned(payload)) {
    bgl_tree_inject(BGLML_TREE_VC, header, payload);
  } else {
    bgl_tree_inject_bytes(BGLML_TREE_VC, header, payload, bytes);
  }
}

uint32_t tree_take(void* payload, uint32_t bytes) {
  bglml_tree_t* tree = &bglml_instance->tree;
  if (tree->messages != NULL) return bglml_tree_messages_take(tree, payload, bytes);
  if (bytes == TREE_PAYLOAD_BYTES && aligned(payload)) return bgl_tree_receive(BGLML_TREE_VC, payload);
  return bgl_tree_receive_bytes(BGLML_TREE_VC, payload, bytes);
}

void tree_refuse(uint32_t number, uint32_t due, uint32_t header) {
  bglml_tree_refuse(number, due, header, BGLML_NO_RANK);
}

/// Updates the number of packets that the tree holds for this process, and its room. No other process reads or writes
/// these FIFOs, so known values remain valid lower bounds: a read of the status is expensive, and one may suffice for
/// many operations.
static void look(bglml_tree_t* tree) {
  if (tree->messages != NULL) {
    bglml_tree_messages_turn(tree);
    return;
  }
  const uint32_t status = bgl_tree_status(BGLML_TREE_VC);
  tree->ready = bgl_tree_arrived(status);
  tree->room = bgl_tree_room(status);
}

void bglml_tree_run(tree_stream_t* stream) {
  bglml_tree_t* tree = &bglml_instance->tree;
  stream->tag = tree->tag + tree->packets;
  static const char* const formats[2][2] = {
      {"%s, operation %u, class %u of the tree", "%s, operation %u, class %u of the tree, root rank %u"},
      {"%s by messages, operation %u", "%s by messages, operation %u, root rank %u"},
  };
  const bool by_messages = tree->messages != NULL, has_root = tree->call.root != BGLML_NO_RANK;
  const uint32_t name = (uint32_t)(uintptr_t)tree->call.name, route_class = tree_header_class(stream->due);
  bglml_say_waiting(formats[by_messages][has_root], name, tree->operations - 1,
                    by_messages ? tree->call.root : route_class, tree->call.root);
  for (bool looked = false;; looked = true) {
    const bool moved = tree_turn(stream, &tree->room, &tree->ready);
    if (tree_is_done(stream)) break;
    if (looked && !moved) bglml_advance();
    look(tree);
  }
  bglml_say_done();
  tree->packets += stream->to_send > stream->to_receive ? stream->to_send : stream->to_receive;
  if (tree->messages != NULL) bglml_tree_messages_finish(tree);
}
