// SPDX-License-Identifier: Apache-2.0
// Broadcast over the tree.
#include "firmware/bgl/msglayer/state.h"
#include "firmware/bgl/msglayer/tree.h"

/// Among nodes: `sends` is true at the root's. Part of its caller, which reports of those who wait name.
__attribute__((always_inline)) static inline void run(uint8_t* buffer, uint32_t bytes, bool sends) {
  tree_work_t work;
  tree_begin_broadcast(&work, TOROID_TREE_CLASS_BROADCAST, buffer, bytes, sends);
  bglml_tree_run(&work.stream);
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
