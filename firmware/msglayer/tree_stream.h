// SPDX-License-Identifier: Apache-2.0
/// One operation on the tree as a sequence of packets that all nodes send or receive in the same order. For the layer's
/// own files only.
#ifndef TOROID_FIRMWARE_MSGLAYER_TREE_STREAM_H
#define TOROID_FIRMWARE_MSGLAYER_TREE_STREAM_H

#include "drivers/bgl/tree.h"
#include "firmware/msglayer/msglayer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  BGLML_TREE_VC = 0,        ///< applications'; the other is the operating system's
  BGLML_TREE_INPUTS = 2,    ///< a node's processes
  BGLML_TREE_CHUNK = 4096,  ///< bytes that go between the processes of a node at a time
};

typedef struct bglml_tree_stream {
  uint32_t to_send;     ///< packets of this node
  uint32_t to_receive;  ///< packets that come to this node
  uint32_t sent;
  uint32_t received;
  /// Inject packet number `sent`. False: not before more has been received.
  bool (*send)(struct bglml_tree_stream* stream);
  /// Take packet number `received` out of the FIFO and return its header.
  uint32_t (*receive)(struct bglml_tree_stream* stream);
} bglml_tree_stream_t;

/// Send and receive all of it.
void bglml_tree_run(bglml_tree_stream_t* stream);

/// The tag of a packet, by which a lost or foreign one would be noticed.
static inline uint32_t bglml_tree_tag(uint32_t number) {
  return number & BGL_TREE_TAG_MASK;
}

/// What a node's representative knows of the node's other process, and the bytes under way between them.
typedef struct {
  bool available;  ///< see tree.h
  bool leads;      ///< this process stands for its node
  bool shared;     ///< two processes a node: all operations go in chunks, on all nodes
  uint32_t other;  ///< rank of the node's other process; BGLML_NO_RANK: none
  bglml_port_t port;
  uint32_t arrived;  ///< messages of the other process so far
  uint32_t taken;    ///< of them used
  uint32_t sent;     ///< a flag of the message under way
  bglml_eager_t message;
  bglml_eager_receive_t receive;
  uint8_t in[BGLML_TREE_CHUNK] __attribute__((aligned(16)));
  uint8_t out[BGLML_TREE_CHUNK] __attribute__((aligned(16)));
} bglml_tree_t;

void bglml_tree_init(bglml_tree_t* tree, bool available);

/// Between the two processes of a node, which take turns: send `bytes` bytes to the other; wait for its message, whose
/// bytes are in tree->in until the next call of bglml_tree_tell().
void bglml_tree_tell(bglml_tree_t* tree, const void* buffer, uint32_t bytes);
void bglml_tree_hear(bglml_tree_t* tree);

/// One chunk of an operation for the node: `inputs` of its processes combined, the result to `out` (NULL: not wanted).
typedef struct bglml_tree_operation {
  void (*run)(const struct bglml_tree_operation* operation, const uint8_t* const* inputs, uint32_t input_count,
              uint8_t* out, uint32_t count);
  uint32_t bytes;  ///< of an element
  uint32_t chunk;  ///< elements between the processes of a node at a time
  unsigned opcode, words;
  uint32_t mask[2];  ///< even and odd words of elements are changed so, before and after
} bglml_tree_operation_t;

/// The operation on whole buffers, for this process. `wanted`: the result is to be stored.
void bglml_tree_operate(const bglml_tree_operation_t* operation, const void* in, void* out, uint32_t count,
                        bool wanted);

/// Ends the process where the tree cannot be used.
void bglml_tree_require(const char* what, uint64_t bytes);

#ifdef __cplusplus
}
#endif

#endif
