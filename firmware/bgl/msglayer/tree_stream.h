// SPDX-License-Identifier: Apache-2.0
/// One operation on the tree as a sequence of packets that all nodes send or receive in the same order. For the layer's
/// own files only.
#ifndef TOROID_FIRMWARE_MSGLAYER_TREE_STREAM_H
#define TOROID_FIRMWARE_MSGLAYER_TREE_STREAM_H

#include "drivers/bgl/tree.h"
#include "firmware/bgl/msglayer/msglayer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  BGLML_TREE_VC = 0,        ///< applications'; the other is the operating system's
  BGLML_TREE_INPUTS = 2,    ///< a node's processes
  BGLML_TREE_CHUNK = 4096,  ///< bytes transferred between the processes of a node at a time
};

typedef struct bglml_tree_stream {
  uint32_t to_send;     ///< packets of this node
  uint32_t to_receive;  ///< packets that come to this node
  uint32_t sent;
  uint32_t received;
  uint32_t tag;  ///< of its first packet; bglml_tree_run() sets it
  uint32_t due;  ///< expected header of the packet received last, without a tag; receive() may change it
  /// Sends packet number `sent` to the tree. Returns false if more must be received first.
  bool (*send)(struct bglml_tree_stream* stream);
  /// Reads packet number `received` from the tree and returns its header.
  uint32_t (*receive)(struct bglml_tree_stream* stream);
} bglml_tree_stream_t;

/// Sends and receives the whole stream.
void bglml_tree_run(bglml_tree_stream_t* stream);

/// The tag of a stream's packet: distinguishes operations, their arguments and their packets (bglml_tree_begin()).
static inline uint32_t bglml_tree_tag(const bglml_tree_stream_t* stream, uint32_t number) {
  return (stream->tag + number) & TREE_TAG_MASK;
}

/// Ends the process: packet `number` of the operation arrived with this header, from the rank `source` (BGLML_NO_RANK:
/// over the network).
void bglml_tree_refuse(uint32_t number, uint32_t due, uint32_t header, uint32_t source) __attribute__((noreturn));

/// A call of one process, which must be the same at all others: all arguments except buffers.
typedef struct {
  const char* name;
  uint32_t bytes;
  uint32_t root;  ///< BGLML_NO_RANK: none
  uint32_t kind;  ///< the other arguments
} bglml_tree_call_t;

/// The tree implemented with messages, if the network cannot be used (tree_messages.c).
typedef struct bglml_tree_messages bglml_tree_messages_t;

/// State of the process that acts for its node: the node's other process, and the bytes in transit between them.
typedef struct {
  bool available;           ///< the network: see tree.h
  bool leads;               ///< this process acts for its node
  bool shared;              ///< two processes on each node: all operations are split into chunks, on all nodes
  uint32_t room;            ///< packets that the tree has room for, at least
  uint32_t ready;           ///< packets that can be read from the tree, at least
  uint32_t other;           ///< rank of the node's other process; BGLML_NO_RANK: none
  uint32_t operations;      ///< begun so far
  bglml_tree_call_t call;   ///< the latest
  uint32_t tag;             ///< of its first packet
  uint32_t packets;         ///< packets of it, in the streams that have been run
  uint32_t heard;           ///< messages of the other process so far
  uint32_t taken;           ///< of them used
  bglml_metadata_t theirs;  ///< what the latest one belongs to: number and tag of an operation
  uint32_t sent;            ///< a flag of the message under way
  bglml_port_t port;
  bglml_tree_messages_t* messages;  ///< NULL: the network is used
  bglml_eager_t message;
  bglml_eager_receive_t receive;
  uint8_t in[BGLML_TREE_CHUNK] __attribute__((aligned(16)));
  uint8_t out[BGLML_TREE_CHUNK] __attribute__((aligned(16)));
} bglml_tree_t;

void bglml_tree_init(bglml_tree_t* tree, bool available);

/// Give a packet of `bytes` bytes (0..256) at any address to the tree, which has room; what is missing is zero. Take
/// one of which the first `bytes` go to `payload`; one is ready. To be called by a stream's functions.
void bglml_tree_give(uint32_t header, const void* payload, uint32_t bytes);
uint32_t bglml_tree_take(void* payload, uint32_t bytes);

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
  /// Elements are changed before and after; NULL: go as they are. `mask` is for even and odd words.
  void (*before)(const struct bglml_tree_operation* operation, uint32_t* packet);
  void (*after)(const struct bglml_tree_operation* operation, uint32_t* packet);
  uint32_t mask[2];
} bglml_tree_operation_t;

/// The operation on whole buffers, for this process. `wanted`: the result is to be stored.
void bglml_tree_operate(const bglml_tree_operation_t* operation, const void* in, void* out, uint32_t count,
                        bool wanted);

/// What the tree's ALU makes of two packets of 256 bytes, aligned to 4: into `into`. Operands have 1 or an even number
/// of 16-bit words.
void bglml_tree_combine(unsigned opcode, unsigned words, uint32_t* into, const uint32_t* from);

/// Begin an operation, of a name that goes on to live, after bglml_tree_require(). `kind` and `root` (BGLML_NO_RANK:
/// none) are what all ranks must agree on besides `bytes`.
///
/// Header and tag of each packet are checked on arrival. Its tag is worked out of the operation's number and
/// arguments, so that ranks which call different things do not take each other's packets for their own: if one of
/// these differs the tags always do, where several do all but one time in 16,384.
void bglml_tree_begin(const char* name, uint64_t bytes, uint32_t root, uint32_t kind);

/// End the process: `function` has a result, and `out` is NULL.
void bglml_tree_no_place(const char* function) __attribute__((noreturn));

/// "operation 3 over the tree, broadcast of 400 bytes, root 5".
void bglml_tree_describe(char* text, uint32_t size);

/// What is common to the ways to sum doubles: `how` is a bglml_double_sum_t. `wanted`: the result is to be stored.
void bglml_tree_sum(const void* in, void* out, uint32_t count, int how, bool wanted);

/// The tree made of messages between ranks. Its packets are given, combined and taken as those of the network.
bglml_tree_messages_t* bglml_tree_messages_new(void);
bglml_eager_receive_t* bglml_tree_messages_recvnew(void* tree, uint32_t source, const bglml_metadata_t* metadata,
                                                   uint32_t length);
/// Combine what has come, send what is due; sets room and ready.
void bglml_tree_messages_turn(bglml_tree_t* tree);
void bglml_tree_messages_give(bglml_tree_t* tree, uint32_t header, const void* payload, uint32_t bytes);
uint32_t bglml_tree_messages_take(bglml_tree_t* tree, void* payload, uint32_t bytes);
/// Wait until all packets have been sent: after the operation the layer does not advance for it.
void bglml_tree_messages_finish(bglml_tree_t* tree);

#ifdef __cplusplus
}
#endif

#endif
