// SPDX-License-Identifier: Apache-2.0
// Broadcasts and reductions of all processes over the collective network (firmware/tree).
//
// A process that is alone on its node sends from the program's buffers and receives into them. If the node has several,
// the operation goes through shared memory in chunks: each process copies its contribution there (of a broadcast, the
// root alone), the first of the node combines them on their way into the network and leaves the result there, and all
// copy it from there. While a chunk is in the network the next ones are copied.
#include "firmware/bgp/dcmf/collective/networks.h"

enum {
  MOST = 0x7FFFFFFF,  // bytes of an operation
  TURNS = 8,          // through the network's FIFOs in one call
  WIDE_MOST = 4,      // doubles whose sum goes in one pass
  NO_ROOT = 0xFFFFFFFF,
};

static inline dcmf_tree_t* the_tree(void) {
  return &dcmf_instance->networks->tree;
}
static inline const dcmf_node_t* the_node(void) {
  return &dcmf_instance->networks->node;
}

// The network's name of a type and of an operation.
static tree_element_t element_of(uint32_t dt) {
  switch (dt) {
    case DCMF_SIGNED_INT:
      return TREE_INT32;
    case DCMF_UNSIGNED_INT:
      return TREE_UINT32;
    case DCMF_SIGNED_LONG_LONG:
      return TREE_INT64;
    case DCMF_UNSIGNED_LONG_LONG:
      return TREE_UINT64;
    case DCMF_DOUBLE:
      return TREE_DOUBLE;
    default:
      return TREE_ELEMENTS;
  }
}

static tree_reduction_t reduction_of(uint32_t op) {
  switch (op) {
    case DCMF_SUM:
      return TREE_REDUCE_SUM;
    case DCMF_MAX:
      return TREE_REDUCE_MAX;
    case DCMF_MIN:
      return TREE_REDUCE_MIN;
    case DCMF_BAND:
      return TREE_REDUCE_AND;
    case DCMF_BOR:
      return TREE_REDUCE_OR;
    case DCMF_BXOR:
      return TREE_REDUCE_XOR;
    default:
      return TREE_REDUCTIONS;
  }
}

bool dcmf_tree_serves(const dcmf_geometry_t* geometry) {
  const struct dcmf_networks* networks = dcmf_instance->networks;
  return geometry->global && networks->node.complete;
}

bool dcmf_tree_reduces(const dcmf_geometry_t* geometry, DCMF_Dt dt, DCMF_Op op, uint32_t count) {
  const tree_element_t element = element_of((uint32_t)dt);
  const tree_reduction_t how = reduction_of((uint32_t)op);
  if (!dcmf_tree_serves(geometry) || element == TREE_ELEMENTS || how == TREE_REDUCTIONS) return false;
  if (element == TREE_DOUBLE && how > TREE_REDUCE_MIN) return false;
  if (element == TREE_DOUBLE && how == TREE_REDUCE_SUM && geometry->count > 1u << TREE_SUM_HEADROOM) return false;
  return count <= MOST / sizeof(double);
}

// The operation under way -----------------------------------------------------------------------------------------

static void begin(dcmf_tree_t* tree, const dcmf_collective_t* collective) {
  const bool alone = the_node()->processes == 1;
  const bool broadcast = collective->is_broadcast;
  if (broadcast) {
    tree->bytes = alone ? collective->bytes : DCMF_NODE_CHUNK;
  } else {
    const tree_element_t element = element_of(collective->dt);
    if (element != TREE_DOUBLE || collective->op != DCMF_SUM) {
      tree->operation =
          tree_reduction(element, reduction_of(collective->op), TOROID_TREE_CLASS_REDUCTION, DCMF_NODE_CHUNK);
    } else if (collective->count <= WIDE_MOST) {
      tree->operation = tree_wide_sum(TOROID_TREE_CLASS_REDUCTION, DCMF_NODE_CHUNK);
    } else {
      tree->operation = tree_two_pass_sum(TOROID_TREE_CLASS_REDUCTION, DCMF_NODE_CHUNK);
    }
    tree->bytes = alone ? collective->bytes : tree->operation.chunk * tree->operation.bytes;
  }
  tree->chunks = collective->bytes == 0 ? 0 : (collective->bytes - 1) / tree->bytes + 1;
  const bool all = collective->root == collective->geometry->count;
  const uint32_t root = all ? NO_ROOT : dcmf_member(collective->geometry, collective->root);
  const uint32_t kind = broadcast ? 0 : (uint32_t)collective->dt << 8 | collective->op;
  tree->tag = tree_first_tag(tree->operations++, collective->bytes, root, kind);
  tree->given = tree->run = tree->taken = tree->packets = 0;
  tree->begun = true;
}

static uint32_t chunk_bytes(const dcmf_tree_t* tree, const dcmf_collective_t* collective, uint32_t chunk) {
  const uint32_t left = collective->bytes - chunk * tree->bytes;
  return left < tree->bytes ? left : tree->bytes;
}

/// Whether the process of this place of the node contributes.
static bool contributes(const dcmf_collective_t* collective, uint32_t place) {
  return !collective->is_broadcast || place == collective->root_process;
}

/// Where the result of a chunk goes in the program's memory; NULL: nowhere.
static uint8_t* target(const dcmf_tree_t* tree, const dcmf_collective_t* collective, uint32_t chunk) {
  const dcmf_geometry_t* geometry = collective->geometry;
  const bool root = collective->root == geometry->self;
  const bool wanted = collective->is_broadcast ? !root : root || collective->root == geometry->count;
  return wanted ? (uint8_t*)collective->to + (size_t)chunk * tree->bytes : NULL;
}

/// The same of what it contributes.
static const uint8_t* source(const dcmf_tree_t* tree, const dcmf_collective_t* collective, uint32_t chunk) {
  const char* from = collective->is_broadcast ? collective->to : collective->from;
  return (const uint8_t*)from + (size_t)chunk * tree->bytes;
}

static dcmf_slot_t* slot_of(const dcmf_tree_t* tree, uint32_t chunk) {
  return &the_node()->slots[(tree->sequence + chunk) % DCMF_NODE_SLOTS];
}

/// The first process of the node: whether the others have done what a chunk needs. Fills in `inputs`.
static bool are_ready(dcmf_tree_t* tree, const dcmf_collective_t* collective, uint32_t chunk, uint32_t* inputs) {
  const dcmf_node_t* node = the_node();
  const uint32_t sequence = tree->sequence + chunk;
  *inputs = 0;
  if (contributes(collective, 0)) tree->inputs[(*inputs)++] = source(tree, collective, chunk);
  for (uint32_t place = 1; place < node->processes; ++place) {
    // Who has not copied an earlier result may still need the slot.
    if (!dcmf_node_reached(node, DCMF_LOCK_TAKEN + place, &tree->known_taken[place], sequence - DCMF_NODE_SLOTS + 1)) {
      return false;
    }
    if (!contributes(collective, place)) continue;
    if (!dcmf_node_reached(node, DCMF_LOCK_GIVEN + place, &tree->known_given[place], tree->expected[place] + 1)) {
      return false;
    }
    tree->inputs[(*inputs)++] = slot_of(tree, chunk)->given[place];
  }
  for (uint32_t place = 1; place < node->processes; ++place) tree->expected[place] += contributes(collective, place);
  return true;
}

static void begin_chunk(dcmf_tree_t* tree, const dcmf_collective_t* collective, uint32_t inputs) {
  const uint32_t chunk = tree->run, bytes = chunk_bytes(tree, collective, chunk);
  uint8_t* out = the_node()->processes > 1 ? slot_of(tree, chunk)->result : target(tree, collective, chunk);
  if (collective->is_broadcast) {
    uint8_t* buffer = inputs != 0 ? (uint8_t*)(uintptr_t)tree->inputs[0] : out;
    tree_begin_broadcast(&tree->work, TOROID_TREE_CLASS_BROADCAST, buffer, bytes, inputs != 0);
  } else {
    tree->operation.begin(&tree->operation, &tree->work, tree->inputs, inputs, out, bytes / tree->operation.bytes);
  }
  tree->work.stream.tag = tree->tag + tree->packets;
  tree->streaming = true;
}

/// A chunk is through the network.
static void end_chunk(dcmf_tree_t* tree, const dcmf_collective_t* collective) {
  const dcmf_node_t* node = the_node();
  const tree_stream_t* stream = &tree->work.stream;
  tree->packets += stream->to_send > stream->to_receive ? stream->to_send : stream->to_receive;
  tree->streaming = false;
  if (node->processes > 1) {
    const uint32_t bytes = chunk_bytes(tree, collective, tree->run);
    uint8_t* result = slot_of(tree, tree->run)->result;
    uint8_t* to = target(tree, collective, tree->run);
    if (collective->is_broadcast && stream->to_send != 0) memcpy(result, tree->inputs[0], bytes);
    dcmf_node_count(node, DCMF_LOCK_DONE);
    if (to != NULL) memcpy(to, result, bytes);
  }
  ++tree->run;
}

/// The first process of a node. Returns whether something has happened.
static bool lead(dcmf_tree_t* tree, const dcmf_collective_t* collective) {
  uint32_t inputs;
  if (!tree->streaming) {
    if (tree->run == tree->chunks || !are_ready(tree, collective, tree->run, &inputs)) return false;
    begin_chunk(tree, collective, inputs);
  }
  tree_stream_t* stream = &tree->work.stream;
  bool moved = tree_turn(stream, &tree->room, &tree->ready);
  if (!tree_is_done(stream)) {
    dcmf_tree_look(tree);
    moved |= tree_turn(stream, &tree->room, &tree->ready);
  }
  if (tree_is_done(stream)) end_chunk(tree, collective);
  return moved;
}

/// Another process of a node.
static bool follow(dcmf_tree_t* tree, const dcmf_collective_t* collective) {
  const dcmf_node_t* node = the_node();
  const uint32_t given = tree->given, taken = tree->taken;
  for (; tree->given < tree->chunks && contributes(collective, node->self); ++tree->given) {
    const uint32_t sequence = tree->sequence + tree->given;
    if (!dcmf_node_reached(node, DCMF_LOCK_DONE, &tree->known_done, sequence - DCMF_NODE_SLOTS + 1)) break;
    memcpy(slot_of(tree, tree->given)->given[node->self], source(tree, collective, tree->given),
           chunk_bytes(tree, collective, tree->given));
    dcmf_node_count(node, DCMF_LOCK_GIVEN + node->self);
  }
  for (; tree->taken < tree->chunks; ++tree->taken) {
    if (!dcmf_node_reached(node, DCMF_LOCK_DONE, &tree->known_done, tree->sequence + tree->taken + 1)) break;
    uint8_t* to = target(tree, collective, tree->taken);
    if (to != NULL) memcpy(to, slot_of(tree, tree->taken)->result, chunk_bytes(tree, collective, tree->taken));
    dcmf_node_count(node, DCMF_LOCK_TAKEN + node->self);
  }
  return tree->given != given || tree->taken != taken;
}

unsigned dcmf_tree_settle(void) {
  dcmf_tree_t* tree = the_tree();
  const bool leads = the_node()->self == 0;
  unsigned events = 0;
  for (unsigned turn = 0; turn < TURNS && tree->queue.first != NULL; ++turn) {
    const dcmf_collective_t* collective = tree->queue.first;
    if (!tree->begun) begin(tree, collective);
    const bool moved = leads ? lead(tree, collective) : follow(tree, collective);
    if ((leads ? tree->run : tree->taken) == tree->chunks) {
      tree->sequence += tree->chunks;
      tree->begun = false;
      dcmf_queue_finish(&tree->queue);
    } else if (!moved) {
      break;
    }
    ++events;
  }
  return events;
}

bool dcmf_step_tree(dcmf_collective_t* collective) {
  dcmf_tree_t* tree = the_tree();
  if (collective->phase++ != 0) return true;
  ++collective->pending;
  if (collective->is_broadcast) {
    const uint32_t root = dcmf_member(collective->geometry, collective->root);
    collective->root_process = (uint8_t)dcmf_node_place(the_node(), root);
  }
  dcmf_queue_append(&tree->queue, collective);
  if (tree->queue.first == collective) (void)dcmf_tree_settle();
  return false;
}
