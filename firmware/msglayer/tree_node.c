// SPDX-License-Identifier: Apache-2.0
// The two processes of a node and the tree, which knows nodes only: one process stands for both, and their bytes go
// back and forth in chunks. Each waits for the other's message before it sends the next, so that a place for one is
// enough.
#include "firmware/msglayer/state.h"
#include "firmware/msglayer/tree.h"

static void set_flag(void* flag) {
  *(uint32_t*)flag = 1;
}

static void count_one(void* context) {
  ((bglml_tree_t*)context)->arrived += 1;
}

static bglml_eager_receive_t* recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                      uint32_t length) {
  (void)metadata;
  bglml_tree_t* tree = context;
  if (source != tree->other || length > sizeof tree->in) {
    bglml_fatal("%u bytes from rank %u for the tree; the other process of the node is rank %u, with at most %u", length,
                source, tree->other, (unsigned)sizeof tree->in);
  }
  bglml_eager_receive_init(&tree->receive, tree->in, count_one, tree);
  return &tree->receive;
}

void bglml_tree_init(bglml_tree_t* tree, bool available) {
  const bglml_state_t* state = bglml_instance;
  bglml_coordinates_t other = state->mapping.self;
  tree->available = available;
  tree->shared = state->mapping.shape.t > 1;
  other.t = 1 - other.t;
  tree->other = tree->shared ? bglml_rank_at(other) : BGLML_NO_RANK;
  tree->leads = tree->other == BGLML_NO_RANK || state->mapping.self.t == 0;
  tree->port = bglml_eager_register(recvnew, tree);
}

bool bglml_tree_available(void) {
  return bglml_instance->tree.available;
}

void bglml_tree_require(const char* what, uint64_t bytes) {
  bglml_require_outside(what);
  if (bytes > BGLML_TREE_MAX) {
    bglml_fatal("%s of %llu bytes over the tree; at most %d can be sent", what, (unsigned long long)bytes,
                BGLML_TREE_MAX);
  }
  if (!bglml_instance->tree.available) {
    bglml_fatal("%s over the tree, in which all ranks of the job must take part; bglml_init() was told of fewer", what);
  }
}

void bglml_tree_tell(bglml_tree_t* tree, const void* buffer, uint32_t bytes) {
  tree->sent = 0;
  bglml_eager_init(&tree->message, tree->port, tree->other, NULL, buffer, bytes, set_flag, &tree->sent);
  bglml_eager_post(&tree->message);
  bglml_wait(&tree->sent);
}

void bglml_tree_hear(bglml_tree_t* tree) {
  const volatile uint32_t* arrived = &tree->arrived;
  while (*arrived == tree->taken) bglml_advance();
  tree->taken += 1;
}

void bglml_tree_operate(const bglml_tree_operation_t* operation, const void* in, void* out, uint32_t count,
                        bool wanted) {
  bglml_tree_t* tree = &bglml_instance->tree;
  const uint32_t chunk = tree->shared ? operation->chunk : count;
  for (uint32_t done = 0; done < count; done += chunk) {
    const uint32_t elements = count - done < chunk ? count - done : chunk;
    const uint32_t bytes = elements * operation->bytes;
    const uint8_t* const from = (const uint8_t*)in + done * operation->bytes;
    uint8_t* const to = wanted ? (uint8_t*)out + done * operation->bytes : NULL;
    if (tree->other == BGLML_NO_RANK) {
      operation->run(operation, &from, 1, to, elements);
    } else if (tree->leads) {
      bglml_tree_hear(tree);
      const uint8_t* const inputs[BGLML_TREE_INPUTS] = {from, tree->in};
      operation->run(operation, inputs, BGLML_TREE_INPUTS, tree->out, elements);
      if (wanted) memcpy(to, tree->out, bytes);
      bglml_tree_tell(tree, tree->out, bytes);
    } else {
      bglml_tree_tell(tree, from, bytes);
      bglml_tree_hear(tree);
      if (wanted) memcpy(to, tree->in, bytes);
    }
  }
}
