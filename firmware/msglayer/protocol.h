// SPDX-License-Identifier: Apache-2.0
/// What a protocol is made of: the interface between the base of the message layer and the protocols on top of it.
/// One-packet and eager use nothing else, and a new protocol needs nothing else.
///
/// Sending: a protocol derives its message from bglml_message_t, fills it with bglml_message_init() and hands it to
/// bglml_message_post(); the base calls the protocol's `push` for each packet when the FIFO has room for it.
/// Receiving: a protocol registers a handler; the base calls it for each packet of that handler's number with the
/// header read and the payload still in the FIFO; the handler reads what it wants to where it wants it.
#ifndef TOROID_FIRMWARE_MSGLAYER_PROTOCOL_H
#define TOROID_FIRMWARE_MSGLAYER_PROTOCOL_H

#include "firmware/msglayer/msglayer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BGLML_QUAD_BYTES = 16, BGLML_MAX_HANDLERS = 64 };

/// 16 bytes, the unit of every access to a FIFO.
typedef struct {
  uint8_t bytes[BGLML_QUAD_BYTES] __attribute__((aligned(16)));
} bglml_quad_t;

typedef struct bglml_connection bglml_connection_t;

/// A packet whose payload has not been read yet. Quads are read in order; the base throws away those that are left.
typedef struct {
  uint32_t source;        ///< rank of the sender
  uint32_t argument;      ///< the protocol's own word of the header
  uint32_t quads;         ///< payload quads still to be read
  const uint8_t* memory;  ///< where they lie in a packet to the own rank; NULL: in the FIFO
  uint8_t group, fifo;    ///< reception FIFO
} bglml_packet_t;

struct bglml_binding;
typedef void (*bglml_handler_t)(const struct bglml_binding* binding, bglml_packet_t* packet);

/// An entry of the handler table: a protocol's handler, and the user's callback and context for the port it serves.
typedef struct bglml_binding {
  bglml_handler_t handler;
  void (*callback)(void);  ///< of the protocol's own callback type
  void* context;
} bglml_binding_t;

/// Numbers are given in the order of registration, which must be the same on all ranks.
uint8_t bglml_register_handler(bglml_handler_t handler, void (*callback)(void), void* context);

/// Read the next `bytes` of the payload to `destination` (any alignment): straight from the FIFO when it is aligned to
/// 16 bytes. Takes whole quads out of the FIFO, writes no byte more than asked for.
void bglml_packet_read(bglml_packet_t* packet, void* destination, uint32_t bytes);

/// Same, for all the payload that is left, with its padding. `destination` is aligned to 16 bytes.
void bglml_packet_read_all(bglml_packet_t* packet, void* destination);

typedef struct bglml_protocol {
  /// Send exactly one packet of message->chunks chunks, for which there is room, and set message->chunks for the next.
  /// Returns true when it was the last. May call handlers (a packet to the own rank is delivered at once).
  bool (*push)(bglml_connection_t* connection, bglml_message_t* message);
} bglml_protocol_t;

/// Fill the base of a message. Ends the process when the peer or the handler does not exist.
void bglml_message_init(bglml_message_t* message, const bglml_protocol_t* protocol, uint8_t handler, uint32_t peer,
                        bglml_done_t senddone, void* context);

/// Queue a message at its peer's connection. message->chunks is the size of its first packet.
void bglml_message_post(bglml_message_t* message);

/// Send one packet on a connection: an optional quad, then `bytes` of payload, padded with zeros to whole chunks.
/// There must be room for bglml_packet_chunks(bytes, lead ? 1 : 0) chunks.
void bglml_inject(bglml_connection_t* connection, uint8_t handler, uint32_t argument, const bglml_quad_t* lead,
                  const void* payload, uint32_t bytes);

/// Size in chunks of a packet with `lead_quads` quads and `bytes` of payload behind its header.
static inline uint8_t bglml_packet_chunks(uint32_t bytes, uint32_t lead_quads) {
  return (uint8_t)((BGLML_QUAD_BYTES + lead_quads * BGLML_QUAD_BYTES + bytes + 31u) / 32u);
}

/// End the process: "message layer: rank R: " and the message on standard error.
void bglml_fatal(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
