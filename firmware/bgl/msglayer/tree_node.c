// SPDX-License-Identifier: Apache-2.0
// The two processes of a node and the tree, which addresses only nodes: one process acts for both, and the bytes are
// exchanged between them in chunks. Each waits for the other's message before it sends the next, so a buffer for one
// message is enough.
#include <stdio.h>

#include "firmware/bgl/msglayer/state.h"
#include "firmware/bgl/msglayer/tree.h"

static void set_flag(void* flag) {
  *(uint32_t*)flag = 1;
}

static void count_one(void* context) {
  ((bglml_tree_t*)context)->heard += 1;
}

static bglml_eager_receive_t* recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                      uint32_t length) {
  bglml_tree_t* tree = context;
  if (source != tree->other || length > sizeof tree->in) {
    bglml_fatal("%u bytes from rank %u for the tree; the other process of the node is rank %u, with at most %u", length,
                source, tree->other, (unsigned)sizeof tree->in);
  }
  tree->theirs = *metadata;
  bglml_eager_receive_init(&tree->receive, tree->in, count_one, tree);
  return &tree->receive;
}

void bglml_tree_init(bglml_tree_t* tree, bool available) {
  const bglml_state_t* state = bglml_instance;
  bglml_coordinates_t other = state->mapping.self;
  tree->available = available;
  // A tree of messages has ranks for nodes.
  tree->shared = available && state->mapping.shape.t > 1;
  other.t = 1 - other.t;
  tree->other = tree->shared ? bglml_rank_at(other) : BGLML_NO_RANK;
  tree->leads = tree->other == BGLML_NO_RANK || state->mapping.self.t == 0;
  tree->messages = available ? NULL : bglml_tree_messages_new();
  tree->port = bglml_eager_register(available ? recvnew : bglml_tree_messages_recvnew, tree);
}

bool bglml_tree_available(void) {
  return bglml_instance->tree.available;
}

void bglml_tree_begin(const char* name, uint64_t bytes, uint32_t root, uint32_t kind) {
  bglml_tree_t* tree = &bglml_instance->tree;
  if (bytes > BGLML_TREE_MAX) {
    bglml_fatal("%s of %llu bytes over the tree; at most %d can be sent", name, (unsigned long long)bytes,
                BGLML_TREE_MAX);
  }
  tree->call = (bglml_tree_call_t){.name = name, .bytes = (uint32_t)bytes, .root = root, .kind = kind};
  tree->tag = tree_first_tag(tree->operations, (uint32_t)bytes, root, kind);
  tree->operations += 1;
  tree->packets = 0;
}

void bglml_tree_no_place(const char* function) {
  bglml_fatal(
      "%s called with nowhere to put its result: out is NULL, which only bglml_tree_reduce() takes, at ranks other "
      "than "
      "its root",
      function);
}

void bglml_tree_describe(char* text, uint32_t size) {
  const bglml_tree_t* tree = &bglml_instance->tree;
  const bglml_tree_call_t* call = &tree->call;
  char root[24] = "";
  if (call->root != BGLML_NO_RANK) snprintf(root, sizeof root, ", root %u", call->root);
  snprintf(text, size, "operation %u over the tree, %s of %u bytes%s", tree->operations - 1, call->name, call->bytes,
           root);
}

void bglml_tree_refuse(uint32_t number, uint32_t due, uint32_t header, uint32_t source) {
  char operation[96], wanted[64], got[64], from[24] = "";
  if (source != BGLML_NO_RANK) snprintf(from, sizeof from, " from rank %u", source);
  bglml_tree_describe(operation, sizeof operation);
  tree_describe_header(wanted, sizeof wanted, due);
  tree_describe_header(got, sizeof got, header);
  bglml_fatal(
      "%s: packet %u must be %s, but %s arrived%s; all ranks must call the same operations in the same order, with "
      "the same sizes and roots",
      operation, number, wanted, got, from);
}

/// What a message between a node's processes says of its operation.
static bglml_metadata_t own_metadata(const bglml_tree_t* tree) {
  const uint32_t words[2] = {tree->operations, tree->tag};
  bglml_metadata_t metadata = {{0}};
  memcpy(metadata.bytes, words, sizeof words);
  return metadata;
}

void bglml_tree_tell(bglml_tree_t* tree, const void* buffer, uint32_t bytes) {
  const bglml_metadata_t metadata = own_metadata(tree);
  tree->sent = 0;
  bglml_eager_init(&tree->message, tree->port, tree->other, &metadata, buffer, bytes, set_flag, &tree->sent);
  bglml_eager_post(&tree->message);
  bglml_wait(&tree->sent);
}

void bglml_tree_hear(bglml_tree_t* tree) {
  const volatile uint32_t* heard = &tree->heard;
  while (*heard == tree->taken) bglml_advance();
  tree->taken += 1;
  const bglml_metadata_t own = own_metadata(tree);
  if (memcmp(tree->theirs.bytes, own.bytes, sizeof own.bytes) != 0) {
    char operation[96];
    bglml_tree_describe(operation, sizeof operation);
    bglml_fatal(
        "%s: the node's other process, rank %u, is at another one, or calls it with other arguments; all ranks "
        "must call the same operations in the same order, with the same sizes and roots",
        operation, tree->other);
  }
}
