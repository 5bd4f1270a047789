// SPDX-License-Identifier: Apache-2.0
/// Operations on the tree (firmware/tree) as this layer performs them: one at a time, in the call. For the layer's own
/// files only.
#ifndef TOROID_FIRMWARE_MSGLAYER_TREE_STREAM_H
#define TOROID_FIRMWARE_MSGLAYER_TREE_STREAM_H

#include "drivers/bgl/tree.h"
#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/tree/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  BGLML_TREE_VC = 0,        ///< applications'; the other is the operating system's
  BGLML_TREE_INPUTS = 2,    ///< a node's processes
  BGLML_TREE_CHUNK = 4096,  ///< bytes transferred between the processes of a node at a time
};

/// Sends and receives the whole stream.
void bglml_tree_run(tree_stream_t* stream);

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

/// Between the two processes of a node, which take turns: send `bytes` bytes to the other; wait for its message, whose
/// bytes are in tree->in until the next call of bglml_tree_tell().
void bglml_tree_tell(bglml_tree_t* tree, const void* buffer, uint32_t bytes);
void bglml_tree_hear(bglml_tree_t* tree);

/// Begin an operation, of a name that goes on to live, after bglml_tree_require(). `kind` and `root` (BGLML_NO_RANK:
/// none) are what all ranks must agree on besides `bytes`.
/// Header and tag of each packet are checked on arrival (tree_first_tag()).
void bglml_tree_begin(const char* name, uint64_t bytes, uint32_t root, uint32_t kind);

/// End the process: `function` has a result, and `out` is NULL.
void bglml_tree_no_place(const char* function) __attribute__((noreturn));

/// "operation 3 over the tree, broadcast of 400 bytes, root 5".
void bglml_tree_describe(char* text, uint32_t size);

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
