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
  uint32_t tag;  ///< of its first packet; bglml_tree_run() sets it
  uint32_t due;  ///< header of the packet received last as it should be, without a tag; receive() may change it
  /// Inject packet number `sent`. False: not before more has been received.
  bool (*send)(struct bglml_tree_stream* stream);
  /// Take packet number `received` out of the FIFO and return its header.
  uint32_t (*receive)(struct bglml_tree_stream* stream);
} bglml_tree_stream_t;

/// Send and receive all of it.
void bglml_tree_run(bglml_tree_stream_t* stream);

/// The tag of a stream's packet: tells operations, their arguments and their packets apart (bglml_tree_begin()).
static inline uint32_t bglml_tree_tag(const bglml_tree_stream_t* stream, uint32_t number) {
  return (stream->tag + number) & BGL_TREE_TAG_MASK;
}

/// What one process asks of the tree, as all others must at the same time; but for buffers, all that the call is given.
typedef struct {
  const char* name;
  uint32_t bytes;
  uint32_t root;  ///< BGLML_NO_RANK: none
  uint32_t kind;  ///< what else there is
} bglml_tree_call_t;

/// What a node's representative knows of the node's other process, and the bytes under way between them.
typedef struct {
  bool available;  ///< see tree.h
  bool leads;      ///< this process stands for its node
  bool shared;     ///< two processes a node: all operations go in chunks, on all nodes
  uint32_t other;  ///< rank of the node's other process; BGLML_NO_RANK: none
  bglml_port_t port;
  uint32_t operations;      ///< begun so far
  bglml_tree_call_t call;   ///< the latest
  uint32_t tag;             ///< of its first packet
  uint32_t packets;         ///< of it, in the streams that have been run
  uint32_t arrived;         ///< messages of the other process so far
  uint32_t taken;           ///< of them used
  bglml_metadata_t theirs;  ///< what the latest one belongs to: number and tag of an operation
  uint32_t sent;            ///< a flag of the message under way
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

/// Begin an operation, of a name that goes on to live. Ends the process where the tree cannot be used. `kind` and
/// `root` (BGLML_NO_RANK: none) are what all ranks must agree on besides `bytes`.
///
/// Header and tag of each packet are checked where it arrives. Its tag is worked out of the operation's number and
/// arguments, so that ranks which call different things do not take each other's packets for their own: where one of
/// these differs the tags always do, where several do all but one time in 16,384.
void bglml_tree_begin(const char* name, uint64_t bytes, uint32_t root, uint32_t kind);

/// "operation 3 over the tree, broadcast of 400 bytes, root 5".
void bglml_tree_describe(char* text, uint32_t size);

#ifdef __cplusplus
}
#endif

#endif
