// SPDX-License-Identifier: Apache-2.0
/// An operation on a collective network as a sequence of packets that all nodes send or receive in the same order: what
/// the message layers of machines have in common whose networks have the same packets and the same ALU. Nothing in this
/// folder waits: a layer gives and takes packets when its network has room, or one that has come.
#ifndef TOROID_FIRMWARE_TREE_STREAM_H
#define TOROID_FIRMWARE_TREE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "nic/collective/tree_packet.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TREE_PAYLOAD_WORDS32 = TREE_PAYLOAD_BYTES / 4 };

typedef struct tree_stream {
  uint32_t to_send;     ///< packets of this node
  uint32_t to_receive;  ///< packets that come to this node
  uint32_t sent;
  uint32_t received;
  uint32_t tag;          ///< of its first packet; the layer sets it
  uint32_t due;          ///< expected header of the packet received last, without a tag; receive() may change it
  uint32_t route_class;  ///< of its packets
  bool held;             ///< more must be received before send() has a packet
  /// Sends packet number `sent` to the tree. Returns false if more must be received first.
  bool (*send)(struct tree_stream* stream);
  /// Reads packet number `received` from the tree and returns its header.
  uint32_t (*receive)(struct tree_stream* stream);
} tree_stream_t;

// What a message layer provides. --------------------------------------------------------------------------------------

/// Give a packet of `bytes` bytes (0..256) at any address to the tree, which has room; what is missing is zero. Take
/// one of which the first `bytes` go to `payload`; one is ready.
void tree_give(uint32_t header, const void* payload, uint32_t bytes);
uint32_t tree_take(void* payload, uint32_t bytes);

/// Ends the process: packet `number` of the operation arrived with this header.
void tree_refuse(uint32_t number, uint32_t due, uint32_t header) __attribute__((noreturn));

// ---------------------------------------------------------------------------------------------------------------------

/// The tag of an operation's first packet, so that processes which call different things do not take each other's
/// packets for their own: if one of these differs the tags always do, where several do all but one time in 16,384.
/// `kind`: all other arguments. `root`: any value that stands for none.
///
/// Multiples by odd numbers: one to one in each of the four where the others are kept, so that a single difference is
/// never lost (of numbers below the tag's range; what is larger differs in its packets' count). Cheap: short operations
/// are as fast as this is.
static inline uint32_t tree_first_tag(uint32_t operation, uint32_t bytes, uint32_t root, uint32_t kind) {
  return (operation * 0x2D35u + (bytes ^ bytes >> 14 ^ bytes >> 28) * 0x1E3Bu + root * 0x35A7u + kind * 0x0F4Du) &
         TREE_TAG_MASK;
}

/// The tag of a stream's packet: distinguishes operations, their arguments and their packets.
static inline uint32_t tree_tag(const tree_stream_t* stream, uint32_t number) {
  return (stream->tag + number) & TREE_TAG_MASK;
}

/// The bytes of packet `number` of `bytes` bytes.
static inline uint32_t tree_packet_bytes(uint32_t bytes, uint32_t number) {
  const uint32_t left = bytes - number * TREE_PAYLOAD_BYTES;
  return left < TREE_PAYLOAD_BYTES ? left : TREE_PAYLOAD_BYTES;
}

static inline uint32_t tree_packets(uint32_t bytes) {
  return (bytes + TREE_PAYLOAD_BYTES - 1) / TREE_PAYLOAD_BYTES;
}

static inline bool tree_is_done(const tree_stream_t* stream) {
  return stream->sent >= stream->to_send && stream->received >= stream->to_receive;
}

/// "class 3, sum of 32 bits, tag 17".
void tree_describe_header(char* text, uint32_t size, uint32_t header);

/// What the tree's ALU makes of two packets of 256 bytes, aligned to 4: into `into`. Operands have 1 or an even number
/// of 16-bit words.
void tree_combine(unsigned opcode, unsigned words, uint32_t* into, const uint32_t* from);

static inline void tree_receive_one(tree_stream_t* stream) {
  // All but what asks for interrupts and checksums.
  const uint32_t checked = ~(TREE_HEADER_INJECTION_IRQ_MASK | TREE_HEADER_INJECTION_CHECKSUM_MASK);
  const uint32_t header = stream->receive(stream);
  const uint32_t due = stream->due | tree_tag(stream, stream->received) << TREE_HEADER_INJECTION_TAG_SHIFT;
  if (((header ^ due) & checked) != 0) tree_refuse(stream->received, due, header);
  stream->received += 1;
}

/// Sends and receives as far as the network has *room and packets *ready, which it counts down. Returns whether it did.
static inline bool tree_turn(tree_stream_t* stream, uint32_t* room, uint32_t* ready) {
  bool moved = false;
  // First send, because others may wait for it.
  for (; *room > 0 && !stream->held && stream->sent < stream->to_send; --*room) {
    if (!stream->send(stream)) {
      stream->held = true;
      break;
    }
    stream->sent += 1;
    moved = true;
  }
  for (; *ready > 0 && stream->received < stream->to_receive; --*ready) {
    tree_receive_one(stream);
    stream->held = false;
    moved = true;
  }
  return moved;
}

#ifdef __cplusplus
}
#endif

#endif
