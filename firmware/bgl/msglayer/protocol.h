// SPDX-License-Identifier: Apache-2.0
/// The interface between the base of the message layer and the protocols on top of it. The protocols use nothing else
/// of the base, and a new protocol needs nothing else.
///
/// Sending: a protocol derives its message from bglml_message_t, initialises it with bglml_message_init() and passes it
/// to bglml_message_post(); the base calls the protocol's `push` for each packet when the FIFO has room for it.
/// Receiving: a protocol registers a handler; the base calls it for each packet of that handler's number with the
/// header read and the payload still in the FIFO; the handler reads the parts that it needs to any destination.
/// Answering: a handler runs inside the advance loop and cannot send, but it may queue control packets, whose memory is
/// part of a state that exists long enough.
///
/// Order. A connection has two lanes. In the ordered lane, messages start one after the other in posting order; the
/// lane can be made to wait for a confirmation by the receiver. The data lane is for packets that carry their own
/// destination; they bypass a waiting ordered lane. Control packets are sent before both.
#ifndef TOROID_FIRMWARE_MSGLAYER_PROTOCOL_H
#define TOROID_FIRMWARE_MSGLAYER_PROTOCOL_H

#include "firmware/bgl/msglayer/msglayer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  BGLML_MAX_HANDLERS = 64,
  BGLML_LEAD_QUADS_MAX = 2,       ///< quads of the protocol before the payload of a packet
  BGLML_WORD2_ID_MAX = 0xFFFFFF,  ///< range of the id in word 2, next to the handler's number: 24 bits
};

typedef struct bglml_connection bglml_connection_t;

// ---------------------------------------------------------------------------------------------------------------
// Views: a buffer and its layout

/// A view of contiguous bytes, of any number.
static inline void bglml_view_init(bglml_view_t* view, const void* buffer) {
  view->buffer = (uint8_t*)(uintptr_t)buffer;  // a sender's is only read
  view->layout = NULL;
  view->bytes = UINT32_MAX;
}

void bglml_view_init_layout(bglml_view_t* view, const void* buffer, const bglml_layout_t* layout);

/// A contiguous piece of bytes.
typedef struct {
  uint8_t* at;
  uint32_t bytes;
} bglml_run_t;

/// The piece that begins with byte `offset` of the message, in a view that has a layout and contains that byte. Fast if
/// `offset` is near that of the previous call.
bglml_run_t bglml_view_run(bglml_view_t* view, uint32_t offset);

// ---------------------------------------------------------------------------------------------------------------
// Receiving

/// A packet whose payload has not been read yet. Quads are read in order; the base discards those that are left.
typedef struct {
  uint32_t source;        ///< rank of the sender; for a handler registered for ids, the id that the sender put there
  uint32_t argument;      ///< the word of the header that belongs to the protocol
  uint32_t quads;         ///< payload quads still to be read
  const uint8_t* memory;  ///< their address, for a packet to the process's own rank; otherwise NULL
  uint32_t scratchpad;    ///< their offset, for a packet from the node's other process; 0: in the FIFO
  uint8_t group, fifo;    ///< reception FIFO
  struct bglml_inflow* flow;  ///< what the FIFO is expected to hold next, for bglml_packet_follow(); NULL: no FIFO
  uint8_t held_quads;         ///< number of quads that were read ahead with the header
  const bglml_quad_t* held;   ///< these quads
} bglml_packet_t;

struct bglml_binding;
typedef void (*bglml_handler_t)(const struct bglml_binding* binding, bglml_packet_t* packet);

/// An entry of the handler table: a protocol's handler, and the user's callback and context for the port it serves.
typedef struct bglml_binding {
  bglml_handler_t handler;
  void (*callback)(void);  ///< of the protocol's own callback type
  void* context;
  uint32_t sources;                       ///< packets whose `source` is not below this are invalid
  const struct bglml_protocol* protocol;  ///< whose port it is; NULL: no port
  bool own;                               ///< a port of the layer itself, closed to programs
} bglml_binding_t;

/// Numbers are assigned in the order of registration, which must be the same on all ranks.
uint8_t bglml_register_handler(bglml_handler_t handler, void (*callback)(void), void* context);

/// The same for a port that accepts only messages of this protocol.
uint8_t bglml_register_port(const struct bglml_protocol* protocol, bglml_handler_t handler, void (*callback)(void),
                            void* context);

/// The same for packets that carry an id of 24 bits instead of their sender's rank. The handler checks the id.
uint8_t bglml_register_id_handler(bglml_handler_t handler, void (*callback)(void), void* context);

/// Reads the next `bytes` of the payload to `destination` (any alignment): directly from the FIFO if it is aligned to
/// 16 bytes, otherwise realigned on the way. Removes whole quads from the FIFO, but writes only `bytes` bytes.
void bglml_packet_read(bglml_packet_t* packet, void* destination, uint32_t bytes);

/// The same for the rest of the payload, including padding. `destination` is aligned to 16 bytes.
void bglml_packet_read_all(bglml_packet_t* packet, void* destination);

/// Reads the next `bytes` of the payload to bytes `offset`... of a view, and counts them.
void bglml_packet_scatter(bglml_packet_t* packet, bglml_view_t* view, uint32_t offset, uint32_t bytes);

/// The part of a message that consists of full packets.
typedef struct {
  uint32_t word2;            ///< of their headers
  uint32_t address;          ///< word 3 of one that begins with byte 0 of the message
  const bglml_view_t* view;  ///< where the message goes
  uint32_t length;           ///< the message's
  uint32_t offset;           ///< bytes of the message before the first such packet
  uint32_t* remaining;       ///< the message's bytes that have not arrived
  bool* disordered;          ///< set if a packet arrives before an earlier one; NULL: that is an error
  bglml_counted_t kind;
} bglml_follow_t;

/// In a handler: the base receives further full packets of this message from the same FIFO without calling the handler.
/// It stores them at their destination and subtracts them from *remaining; the handler is called for the packet that
/// arrives last, whichever it is. *remaining must exist longer than that, or the handler of the last packet must call
/// bglml_packet_unfollow().
void bglml_packet_follow(const bglml_packet_t* packet, const bglml_follow_t* follow);
void bglml_packet_unfollow(const bglml_packet_t* packet);

// ---------------------------------------------------------------------------------------------------------------
// Sending

/// Result of push after it has sent a packet of a message.
typedef enum {
  BGLML_MORE = 0,   ///< more packets follow
  BGLML_LEAVE = 1,  ///< the message leaves its lane; the protocol queues it again, or calls senddone itself
  BGLML_DONE = 3,   ///< the message leaves and is done: senddone
  BGLML_WAIT = 4,   ///< with any of the others: the lane waits until bglml_resume()
} bglml_push_t;

typedef struct bglml_protocol {
  /// Sends exactly one packet of at most message->chunks chunks, for which there is room, and sets message->chunks for
  /// the next. May call handlers (a packet to the process's own rank is delivered at once).
  bglml_push_t (*push)(bglml_connection_t* connection, bglml_message_t* message);
  const char* port;  ///< name of its ports; NULL: its messages go to any handler
} bglml_protocol_t;

/// Initialises the base of a message. Ends the process if the peer or the handler does not exist, if the handler is not
/// a port of the protocol, before bglml_init() and on the coprocessor.
void bglml_message_init(bglml_message_t* message, const bglml_protocol_t* protocol, uint8_t handler, uint32_t peer,
                        bglml_done_t senddone, void* context);

/// Queues a message in its peer's ordered lane. message->chunks is the size of its first packet.
void bglml_message_post(bglml_message_t* message);

/// Queues a message that has left the ordered lane in the peer's data lane.
void bglml_message_queue_data(bglml_connection_t* connection, bglml_message_t* message);

/// Marks the message as done: it may be posted again, which senddone may do at once.
void bglml_message_done(bglml_message_t* message);

/// Ends the wait of a connection's ordered lane.
void bglml_resume(bglml_connection_t* connection);

typedef enum { BGLML_DETERMINISTIC, BGLML_ADAPTIVE } bglml_routing_t;

/// A packet without its payload.
typedef struct {
  uint32_t word2, argument;  ///< the software words of the header: bglml_word2() and the protocol's own
  const bglml_quad_t* lead;  ///< quads before the payload
  uint8_t lead_quads;        ///< 0..BGLML_LEAD_QUADS_MAX
  uint8_t routing;           ///< bglml_routing_t
  uint8_t group;             ///< reception group; bglml_connection_group() if the protocol has no preference
} bglml_head_t;

/// Word 2: handler number, and the process's own rank or an id that the receiver has assigned.
static inline uint32_t bglml_word2(uint32_t handler, uint32_t id) {
  return handler << 24 | id;
}

uint8_t bglml_connection_group(const bglml_connection_t* connection);

/// Sends one packet on a connection: the lead quads, then `bytes` of payload, padded with zeros to whole chunks. There
/// must be room for bglml_packet_chunks(bytes, lead_quads) chunks.
void bglml_inject_packet(bglml_connection_t* connection, const bglml_head_t* head, const void* payload, uint32_t bytes);

/// The same for bytes `offset`... of a view.
void bglml_inject_view(bglml_connection_t* connection, const bglml_head_t* head, bglml_view_t* view, uint32_t offset,
                       uint32_t bytes);

/// The same for the simple case: deterministic, with the process's own rank, and one lead quad or none (NULL).
void bglml_inject(bglml_connection_t* connection, uint8_t handler, uint32_t argument, const bglml_quad_t* lead,
                  const void* payload, uint32_t bytes);

/// Size in chunks of a packet with `lead_quads` quads and `bytes` of payload behind its header.
static inline uint8_t bglml_packet_chunks(uint32_t bytes, uint32_t lead_quads) {
  return (uint8_t)((BGLML_QUAD_BYTES + lead_quads * BGLML_QUAD_BYTES + bytes + 31u) / 32u);
}

/// Queues a control packet: one chunk with the process's own rank, the argument and a lead quad (NULL: none). It is
/// sent before all messages of its FIFO. `control` belongs to the base until `sent` is called or, without `sent`, until
/// it is no longer queued. The caller sets `lead` and `sent`, and must ensure that it is not queued already.
void bglml_control_queue(bglml_control_t* control, bglml_connection_t* connection, uint8_t handler,
                         bglml_routing_t routing, uint32_t argument);

/// Ends the process with "message layer: rank R: " and the message on standard error.
void bglml_fatal(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/// Whether bglml_fatal() ends the process: for functions that run at exit.
bool bglml_is_failing(void);

#ifdef __cplusplus
}
#endif

#endif
