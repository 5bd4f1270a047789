// SPDX-License-Identifier: Apache-2.0
/// The Blue Gene/L message layer: active messages of any length between the processes of a job.
///
/// The terms and the shape are those of the message-layer paper (Almasi et al., "MPI on BlueGene/L", sections 5 and 6):
/// a user posts a message, the layer splits it into packets, and callbacks report events.
///
/// Progress. Messages progress only while bglml_advance() is called; there are no interrupts and no threads. Callbacks
/// are called only from within bglml_advance(), never from within a post function.
///
/// In a callback you may post messages and start work units, but not call bglml_advance(), bglml_wait(),
/// bglml_barrier() or bglml_co_join().
///
/// Ownership. A message's state and its buffer belong to the layer from the post until senddone is called, and a
/// receive's state and buffer from recvnew's return until recvdone is called: the user must neither access nor move
/// them in between. Inside senddone or recvdone they belong to the user again (the state may be posted again at once).
///
/// Completion is local. senddone says that the send buffer may be used again, not that the message was received.
///
/// Order. recvnew is called at the receiver in the order in which messages to it were posted by one sender, whatever
/// their protocols. This is the order in which messages begin, not in which they complete: recvdone of a rendezvous or
/// adaptive message may be called after that of a later message. Messages from different senders have no order. Cost of
/// the order: one-packet, eager and rendezvous messages (the scout) follow each other without waiting, through one
/// injection FIFO and over one route. A message of any protocol that is posted after an adaptive one starts when the
/// receiver has confirmed a packet of the adaptive message: at least a round trip after that began. An adaptive message
/// after one of another protocol starts after a fence: a packet that follows the earlier ones and is confirmed, which
/// also takes a round trip. While messages to one peer wait, those to other peers continue, and so does the data of
/// rendezvous messages.
///
/// Memory. The layer allocates nothing after bglml_init(). Waiting messages are kept in the message and receive states,
/// which the user provides. Therefore the user stores unexpected messages and determines how many there may be.
///
/// Errors of the user (a rank that does not exist, a message that is too long) and invalid packets end the process: one
/// line on standard error names the rank and the error and says what would be right, and the exit status is
/// BGLML_EXIT_FATAL. There are no error codes to check.
#ifndef TOROID_FIRMWARE_MSGLAYER_MSGLAYER_H
#define TOROID_FIRMWARE_MSGLAYER_MSGLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  BGLML_ONE_PACKET_MAX = 240,         ///< bytes: a 256-byte packet without its 16 bytes of header
  BGLML_EAGER_MAX = 0x7FFFFFFF,       ///< bytes
  BGLML_ADAPTIVE_MAX = 0x7FFFFFFF,    ///< bytes
  BGLML_RENDEZVOUS_MAX = 0x7FFFFFFF,  ///< bytes
  BGLML_METADATA_BYTES = 16,          ///< with every eager, adaptive or rendezvous message
  BGLML_ARGUMENT_MAX = 0xFFFFFF,      ///< the number sent with a one-packet message: 24 bits
  BGLML_EXIT_FATAL = 112              ///< exit status after an error found by the layer
};

// ---------------------------------------------------------------------------------------------------------------
// Initialisation and mapping

/// Use of the node's second core in coprocessor mode. In virtual node mode it runs its own process.
typedef enum {
  BGLML_SECOND_CORE_COMMUNICATES,  ///< runs work units, and receives rendezvous data where possible
  BGLML_SECOND_CORE_UNUSED         ///< "heater mode": it is never started
} bglml_second_core_t;

typedef struct {
  uint32_t max_ranks;               ///< how many processes take part; 0: as many as the job has
  bglml_second_core_t second_core;  ///< the same on all ranks
} bglml_options_t;

/// Takes possession of the node's torus FIFOs and sets up the layer. A process has one instance: a second call is an
/// error. In a process whose rank is max_ranks or more, it does not return: the process exits with status 0. All
/// processes must pass the same options. `options` may be NULL for the defaults.
void bglml_init(const bglml_options_t* options);

/// Ranks are 0 .. size-1, the same as MPI_COMM_WORLD's. The kernel's mapping table gives the place of each rank.
uint32_t bglml_rank(void);
uint32_t bglml_size(void);

/// A place in the torus: node coordinates and t, the processor in the node (0 in coprocessor mode).
typedef struct {
  uint8_t x, y, z, t;
} bglml_coordinates_t;

bglml_coordinates_t bglml_coordinates(uint32_t rank);

/// Nodes along each dimension; t is the number of processes on each node.
bglml_coordinates_t bglml_shape(void);

/// The rank at a place, or BGLML_NO_RANK if there is no process of the job. Searches the table, so do not call it in
/// inner loops.
#define BGLML_NO_RANK 0xFFFFFFFFu
uint32_t bglml_rank_at(bglml_coordinates_t place);

/// Links on a shortest path between two ranks (the Manhattan distance on the torus).
unsigned bglml_hops(uint32_t from, uint32_t to);

// ---------------------------------------------------------------------------------------------------------------
// Progress

/// One iteration of the advance loop: passes every packet that has arrived to its protocol, then sends as many packets
/// as the FIFOs have room for. Returns whether anything was received or sent. An iteration in which nothing happens
/// changes no memory except the stack.
bool bglml_advance(void);

/// Sends as bglml_advance() does, and receives nothing from other processes: it has nothing to do some time, however
/// much others send.
bool bglml_advance_sending(void);

/// Advances until *flag is not zero.
void bglml_wait(const volatile uint32_t* flag);

/// Whether anything waits to be sent.
bool bglml_sending(void);

/// The groups of reception FIFOs that bglml_advance() drains, bit g for group g: for programs that let them cause
/// interrupts (drivers/bgl/interrupt.h).
uint32_t bglml_reception_groups(void);

/// Returns when every rank has called it, and the packets that this rank had to send are in the FIFOs. Messages
/// progress meanwhile. Uses the global interrupts if the kernel permits them and every process of the job is a rank,
/// otherwise works as bglml_barrier_by_messages().
void bglml_barrier(void);

/// The same, always by one-packet messages (dissemination).
void bglml_barrier_by_messages(void);

/// Whether bglml_barrier() uses the global interrupts.
bool bglml_barrier_is_wired(void);

// ---------------------------------------------------------------------------------------------------------------
// The second core as a coprocessor
//
// In coprocessor mode the node's second core runs work units: functions of the process. Transient units run once, one
// after the other in the order of their start; permanent units are called repeatedly while no transient unit waits.
//
// A work unit shares the process's memory, but not its caches, and not the state of the C library: no malloc, no stdio,
// no errno. It must not call the message layer. Its stack has 256 KB.
//
// The user is responsible for the coherence of memory that both cores use. The layer contributes:
//   bglml_co_start    writes back and invalidates the first core's data cache: the unit sees all earlier writes.
//   a unit's end      writes back and invalidates the second core's data cache: bglml_co_join() returns after that, and
//                     the first core sees everything that the unit wrote.
// The user must do the rest. From co_start to co_join the first core
//   - must not access data that the unit writes: it would see stale copies after the join,
//   - must not write data that the unit reads,
// and both in whole cache lines of 32 bytes: data that the cores use at the same time must not share a line. This
// includes the buffers of messages in progress.
//
// While a unit runs, it communicates with the first core through the scratchpad, the 16 KB of uncached SRAM
// (drivers/bgl/scratchpad.h), of which a part belongs to the program in coprocessor mode. The locks
// (drivers/bgl/lockbox.h) from BGLML_USER_LOCK on belong to the program in both modes.
enum {
  BGLML_USER_SCRATCHPAD = 0x1000,        ///< offset of the program's part
  BGLML_USER_SCRATCHPAD_BYTES = 0x3000,  ///< its size
  BGLML_USER_LOCK = 16                   ///< the first of the program's locks
};

/// A work unit.
typedef void (*bglml_co_function_t)(void* argument);
typedef uint32_t bglml_co_handle_t;

/// Lets the second core run function(argument) once, after the messages that it is already receiving. Advances while 16
/// units are already waiting (in a callback that is an error). Flushes the data cache, which takes some thousands of
/// cycles: not suitable for short work.
bglml_co_handle_t bglml_co_start(bglml_co_function_t function, void* argument);

/// Whether a unit has ended. A loop that waits with this function must advance.
bool bglml_co_finished(bglml_co_handle_t handle);

/// Advances until a unit has ended. Joining a unit again returns at once.
void bglml_co_join(bglml_co_handle_t handle);

/// Lets the second core call function(argument) whenever no transient unit waits, until the process ends. At most 15
/// such units. Each call must be short, because messages that the second core receives wait for its end. No cache is
/// flushed after a call.
void bglml_co_add_permanent(bglml_co_function_t function, void* argument);

// ---------------------------------------------------------------------------------------------------------------
// Counters of the layer's work since bglml_init(). They always cost a few instructions for each packet.

typedef enum {
  BGLML_COUNT_ONE_PACKET,
  BGLML_COUNT_EAGER,
  BGLML_COUNT_ADAPTIVE,
  BGLML_COUNT_RENDEZVOUS,  ///< scouts and data
  BGLML_COUNT_CONTROL,     ///< acknowledgements, confirmations, fences; no messages
  BGLML_COUNT_COLLECTIVE,  ///< packets that are not part of a message between two ranks (collectives.h); no messages
  BGLML_COUNTED
} bglml_counted_t;

/// Counters of one direction. Each byte of the users' buffers is counted in one of the three.
typedef struct {
  uint64_t direct;     ///< bytes transferred between buffer and FIFO without a copy
  uint64_t realigned;  ///< bytes also transferred directly, but shifted on the way
  uint64_t copied;     ///< bytes that were assembled or split in a buffer in between
  uint32_t packets[BGLML_COUNTED];
  uint32_t messages[BGLML_COUNTED];  ///< begun: first packet sent, recvnew called
} bglml_traffic_t;

typedef struct {
  bglml_traffic_t sent;
  bglml_traffic_t received;
  uint32_t early_packets;         ///< adaptively routed packets that arrived before an earlier one
  uint32_t disordered_messages;   ///< complete messages with at least one early packet
  uint32_t coprocessor_messages;  ///< rendezvous messages whose data the coprocessor received
} bglml_counters_t;

const bglml_counters_t* bglml_counters(void);

// ---------------------------------------------------------------------------------------------------------------
// Layouts: data that is not contiguous.
//
// A message is a string of bytes; a layout gives their positions relative to a buffer's address. Sender and receiver
// have separate layouts: data sent as columns may be received as rows. Blocks may have any size and alignment. Blocks
// that are aligned to 16 bytes are transferred without a copy, as in contiguous buffers. A layout, and the list of an
// indexed layout, must not change until senddone or recvdone.

/// A block of an indexed layout: its offset in the buffer, and its size.
typedef struct {
  int32_t offset;
  uint32_t bytes;
} bglml_block_t;

/// Set by the functions below.
typedef struct {
  uint32_t bytes;               ///< of all blocks
  uint32_t count;               ///< blocks
  uint32_t block;               ///< bytes of each; in an indexed layout, the mean
  int32_t stride;               ///< bytes from the beginning of one block to the next, in a vector
  const bglml_block_t* blocks;  ///< of an indexed layout; NULL: a vector
} bglml_layout_t;

/// One block at the buffer's own address.
bglml_layout_t bglml_layout_contiguous(uint32_t bytes);

/// `count` blocks of `block` bytes, each `stride` bytes after the previous one.
bglml_layout_t bglml_layout_vector(uint32_t count, uint32_t block, int32_t stride);

/// `count` blocks, in the order of the list. Empty blocks are allowed. The blocks of a receiver's layout must not
/// overlap.
bglml_layout_t bglml_layout_indexed(const bglml_block_t* blocks, uint32_t count);

/// A buffer and its layout, in a message's or receive's state. Private.
typedef struct {
  uint8_t* buffer;
  const bglml_layout_t* layout;  ///< NULL: contiguous
  uint32_t bytes;                ///< room
  uint32_t block, start;         ///< the block last used, and the byte of the message at which it begins
} bglml_view_t;

// ---------------------------------------------------------------------------------------------------------------
// Messages

typedef void (*bglml_done_t)(void* context);

/// The first part of every protocol's message. Private: set by the init and post functions.
typedef struct bglml_message {
  struct bglml_message* next;
  const struct bglml_protocol* protocol;
  bglml_done_t senddone;
  void* context;
  uint32_t peer;
  uint8_t chunks;  ///< size of the next packet, in 32-byte chunks
  uint8_t handler;
  bool posted;
} bglml_message_t;

/// 16 bytes, the unit of every access to a FIFO.
enum { BGLML_QUAD_BYTES = 16 };
typedef struct {
  uint8_t bytes[BGLML_QUAD_BYTES] __attribute__((aligned(16)));
} bglml_quad_t;

/// A control packet that waits for its injection: a confirmation or an acknowledgement. Private.
typedef struct bglml_control {
  struct bglml_control* next;
  struct bglml_connection* connection;
  void (*sent)(struct bglml_control* control);  ///< called when the packet is in the FIFO; NULL: no call
  const bglml_quad_t* lead;                     ///< NULL: none
  uint32_t argument;
  uint8_t handler;
  uint8_t routing;
} bglml_control_t;

/// A port: a use of a protocol, with the callback for its messages. All processes must register the same ports in the
/// same order before they communicate.
typedef uint8_t bglml_port_t;

// ---------------------------------------------------------------------------------------------------------------
// One-packet protocol: up to 240 bytes in one packet. The lowest latency.

typedef struct {
  bglml_message_t base;
  bglml_view_t view;
  uint32_t argument;
  uint32_t length;
} bglml_one_packet_t;

/// Called when a message has arrived. `buffer` (aligned to 16 bytes) is temporary: copy the data before you return.
/// There is no recvdone.
typedef void (*bglml_one_packet_recvnew_t)(void* context, uint32_t source, uint32_t argument, const void* buffer,
                                           uint32_t length);

bglml_port_t bglml_one_packet_register(bglml_one_packet_recvnew_t recvnew, void* context);

/// Prepares a message: `length` bytes (0..240) at `buffer`, any alignment, and a 24-bit number `argument` for the
/// receiver. `senddone` may be NULL.
void bglml_one_packet_init(bglml_one_packet_t* message, bglml_port_t port, uint32_t peer, uint32_t argument,
                           const void* buffer, uint32_t length, bglml_done_t senddone, void* context);

/// The same for the bytes of a layout.
void bglml_one_packet_init_layout(bglml_one_packet_t* message, bglml_port_t port, uint32_t peer, uint32_t argument,
                                  const void* buffer, const bglml_layout_t* layout, bglml_done_t senddone,
                                  void* context);

/// Queues a prepared message. The same state may be posted again after its senddone has been called.
void bglml_one_packet_post(bglml_one_packet_t* message);

// ---------------------------------------------------------------------------------------------------------------
// Eager protocol: any length, sent without a handshake; metadata for matching comes first.

typedef struct {
  uint8_t bytes[BGLML_METADATA_BYTES] __attribute__((aligned(16)));
} bglml_metadata_t;

typedef struct {
  bglml_message_t base;
  bglml_view_t view;
  uint32_t length;
  uint32_t offset;  ///< bytes sent so far
  bglml_metadata_t metadata;
} bglml_eager_t;

/// State of one message being received.
typedef struct {
  bglml_view_t view;
  uint32_t length;
  uint32_t remaining;  ///< bytes that have not arrived yet
  bglml_done_t recvdone;
  void* context;
} bglml_eager_receive_t;

/// Called when a message has arrived, with its `metadata` (temporary) and `length`. Returns the state of its reception,
/// prepared with bglml_eager_receive_init() and a buffer of at least `length` bytes; the user handles unexpected
/// messages. A message of length 0 needs a state too.
typedef bglml_eager_receive_t* (*bglml_eager_recvnew_t)(void* context, uint32_t source,
                                                        const bglml_metadata_t* metadata, uint32_t length);

bglml_port_t bglml_eager_register(bglml_eager_recvnew_t recvnew, void* context);

/// Prepares a message: `length` bytes (0..2^31-1) at `buffer`. `metadata` is copied; NULL sends zeros. Buffers aligned
/// to 16 bytes are sent without a copy. `senddone` may be NULL.
void bglml_eager_init(bglml_eager_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* metadata,
                      const void* buffer, uint32_t length, bglml_done_t senddone, void* context);

void bglml_eager_init_layout(bglml_eager_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* metadata,
                             const void* buffer, const bglml_layout_t* layout, bglml_done_t senddone, void* context);

void bglml_eager_post(bglml_eager_t* message);

/// Prepares a reception, in recvnew. Buffers aligned to 16 bytes are filled without a copy. `recvdone` may be NULL. The
/// layout must have room for the message.
void bglml_eager_receive_init(bglml_eager_receive_t* receive, void* buffer, bglml_done_t recvdone, void* context);
void bglml_eager_receive_init_layout(bglml_eager_receive_t* receive, void* buffer, const bglml_layout_t* layout,
                                     bglml_done_t recvdone, void* context);

// ---------------------------------------------------------------------------------------------------------------
// Adaptive eager protocol: like eager, but all packets are routed adaptively, around busy links, and may arrive in any
// order. The next message to the same peer starts after the receiver has confirmed that it has seen a packet of this
// one. recvnew is called at the first packet that arrives, whichever it is. Several messages of one sender may be in
// progress at the receiver at the same time; each has its own state.

typedef struct {
  bglml_message_t base;
  bglml_view_t view;
  uint32_t offset;  ///< bytes sent so far
  /// Precedes the payload of every packet.
  struct {
    bglml_metadata_t metadata;
    uint32_t length;
    uint32_t sequence;
    uint32_t unused[2];
  } lead;
} bglml_adaptive_t;

typedef struct bglml_adaptive_receive {
  struct bglml_adaptive_receive* next;  ///< of the same sender
  bglml_view_t view;
  uint32_t length;
  uint32_t received;  ///< bytes so far
  uint32_t sequence;
  bool disordered;  ///< a packet came before its predecessor
  bglml_done_t recvdone;
  void* context;
} bglml_adaptive_receive_t;

typedef bglml_adaptive_receive_t* (*bglml_adaptive_recvnew_t)(void* context, uint32_t source,
                                                              const bglml_metadata_t* metadata, uint32_t length);

bglml_port_t bglml_adaptive_register(bglml_adaptive_recvnew_t recvnew, void* context);

void bglml_adaptive_init(bglml_adaptive_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* metadata,
                         const void* buffer, uint32_t length, bglml_done_t senddone, void* context);
void bglml_adaptive_init_layout(bglml_adaptive_t* message, bglml_port_t port, uint32_t peer,
                                const bglml_metadata_t* metadata, const void* buffer, const bglml_layout_t* layout,
                                bglml_done_t senddone, void* context);

void bglml_adaptive_post(bglml_adaptive_t* message);

void bglml_adaptive_receive_init(bglml_adaptive_receive_t* receive, void* buffer, bglml_done_t recvdone, void* context);
void bglml_adaptive_receive_init_layout(bglml_adaptive_receive_t* receive, void* buffer, const bglml_layout_t* layout,
                                        bglml_done_t recvdone, void* context);

// ---------------------------------------------------------------------------------------------------------------
// Rendezvous protocol: first a scout asks the receiver; its acknowledgement says where the data goes; then the data is
// routed adaptively, each packet directly to its destination. For long messages: the handshake triples the network
// latency, but links are used best and the data needs no order. Several messages between the same two ranks may be in
// progress at the same time. senddone also says that the receiver has accepted the message; a message of length 0 is
// offered and accepted too.

typedef struct {
  bglml_message_t base;
  bglml_view_t view;
  uint32_t length;
  uint32_t offset;      ///< bytes sent so far
  uint32_t address;     ///< the receiver's address for byte 0
  uint32_t receive_id;  ///< the receiver's id, carried by each packet
  uint8_t group;        ///< the reception group of the packets
  /// Payload of the scout.
  struct {
    bglml_metadata_t metadata;
    uintptr_t message;
    uint8_t unused[BGLML_QUAD_BYTES - sizeof(uintptr_t)];
  } lead;
} bglml_rendezvous_t;

/// Contents of a scout. The user may keep a copy of it without limit.
typedef struct {
  uint32_t source;  ///< rank
  uint32_t length;
  bglml_metadata_t metadata;
  uintptr_t message;  ///< the sender's own identifier
} bglml_rendezvous_offer_t;

typedef struct bglml_rendezvous_receive {
  struct bglml_rendezvous_receive* next;  ///< in the list of those that wait for a slot
  bglml_view_t view;
  uint32_t length;
  bool disordered;  ///< a packet came before its predecessor
  bglml_done_t recvdone;
  void* context;
  bglml_control_t acknowledgement;
  bglml_quad_t lead;  ///< of the acknowledgement
} bglml_rendezvous_receive_t;

/// Called when a message is offered. Returns the state of its reception, prepared with bglml_rendezvous_receive_init(),
/// or NULL to accept it later from a copy of the offer. The sender waits until then.
typedef bglml_rendezvous_receive_t* (*bglml_rendezvous_recvnew_t)(void* context, const bglml_rendezvous_offer_t* offer);

bglml_port_t bglml_rendezvous_register(bglml_rendezvous_recvnew_t recvnew, void* context);

void bglml_rendezvous_init(bglml_rendezvous_t* message, bglml_port_t port, uint32_t peer,
                           const bglml_metadata_t* metadata, const void* buffer, uint32_t length, bglml_done_t senddone,
                           void* context);
void bglml_rendezvous_init_layout(bglml_rendezvous_t* message, bglml_port_t port, uint32_t peer,
                                  const bglml_metadata_t* metadata, const void* buffer, const bglml_layout_t* layout,
                                  bglml_done_t senddone, void* context);

void bglml_rendezvous_post(bglml_rendezvous_t* message);

/// Prepares a reception. `capacity` is the size of `buffer` in bytes: all of it belongs to the layer until recvdone,
/// and a longer message ends the process. If buffer and capacity are whole lines of 32 bytes, the coprocessor may
/// receive the data.
void bglml_rendezvous_receive_init(bglml_rendezvous_receive_t* receive, void* buffer, uint32_t capacity,
                                   bglml_done_t recvdone, void* context);
void bglml_rendezvous_receive_init_layout(bglml_rendezvous_receive_t* receive, void* buffer,
                                          const bglml_layout_t* layout, bglml_done_t recvdone, void* context);

/// Accepts an offer that recvnew did not accept, in a callback or outside. Only bglml_advance() calls recvdone.
void bglml_rendezvous_accept(const bglml_rendezvous_offer_t* offer, bglml_rendezvous_receive_t* receive);

#ifdef __cplusplus
}
#endif

#endif
