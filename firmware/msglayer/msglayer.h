// SPDX-License-Identifier: Apache-2.0
/// The Blue Gene/L message layer: active messages of any length between the processes of a job.
///
/// The terms and the shape are those of the message-layer paper (Almasi et al., "MPI on BlueGene/L", sections 5 and 6):
/// a user posts a message, the layer cuts it into packets, and what happens is told by callbacks.
///
/// Progress. Nothing moves unless bglml_advance() is called; there are no interrupts and no threads. Callbacks are
/// called from within bglml_advance() only, never from within a post function.
///
/// In a callback you may post messages, but not call bglml_advance(), bglml_wait() or bglml_barrier().
///
/// Ownership. A message's state and its buffer belong to the layer from the post until senddone is called, and a
/// receive's state and buffer from recvnew's return until recvdone is called: the user may neither touch nor move them
/// in between. Inside senddone or recvdone they are the user's again (the state may be posted again at once).
///
/// Completion is local. senddone says that the send buffer may be used again, not that anybody received anything.
///
/// Order. Messages to one peer are sent one at a time, in the order of their posting whatever their protocol, over one
/// injection FIFO and one route; so recvnew is called in that order at the receiver. Nothing is said of messages from
/// different peers.
///
/// Errors of the user (a rank that does not exist, a message that fits no packet) and packets that make no sense end
/// the process: one line on standard error says which rank, what and what would be right, and the exit status is
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
  BGLML_ONE_PACKET_MAX = 240,     ///< bytes: a 256-byte packet without its 16 bytes of header
  BGLML_EAGER_MAX = 0x7FFFFFFF,   ///< bytes
  BGLML_METADATA_BYTES = 16,      ///< of every eager message
  BGLML_ARGUMENT_MAX = 0xFFFFFF,  ///< the number that goes with a one-packet message: 24 bits
  BGLML_EXIT_FATAL = 112          ///< exit status after an error found by the layer
};

// ---------------------------------------------------------------------------------------------------------------
// Initialisation and mapping

/// What the node's second core does in coprocessor mode. In virtual node mode it runs a process of its own.
typedef enum {
  BGLML_SECOND_CORE_COMMUNICATES,  ///< runs work units, and receives what it can of rendezvous messages
  BGLML_SECOND_CORE_UNUSED         ///< "heater mode": it is never started
} bglml_second_core_t;

typedef struct {
  uint32_t max_ranks;               ///< how many processes take part; 0: as many as the job has
  bglml_second_core_t second_core;  ///< the same on all ranks
} bglml_options_t;

/// Take hold of the node's torus FIFOs and set the layer up. One instance a process: a second call is an error.
/// A process whose rank is max_ranks or more is not needed and exits with status 0 instead of returning.
/// All processes must pass the same options. `options` may be NULL for the defaults.
void bglml_init(const bglml_options_t* options);

/// Ranks are 0 .. size-1, the same as MPI_COMM_WORLD's. The kernel's mapping table says where each one lives.
uint32_t bglml_rank(void);
uint32_t bglml_size(void);

/// A place in the torus: node coordinates and t, the processor in the node (0 in coprocessor mode).
typedef struct {
  uint8_t x, y, z, t;
} bglml_coordinates_t;

bglml_coordinates_t bglml_coordinates(uint32_t rank);

/// Nodes along each dimension; t is the number of processes a node.
bglml_coordinates_t bglml_shape(void);

/// The rank at a place, or BGLML_NO_RANK where no process of the job lives. Searches the table: not for inner loops.
#define BGLML_NO_RANK 0xFFFFFFFFu
uint32_t bglml_rank_at(bglml_coordinates_t place);

/// Links on a shortest path between two ranks (the Manhattan distance on the torus).
unsigned bglml_hops(uint32_t from, uint32_t to);

// ---------------------------------------------------------------------------------------------------------------
// Progress

/// One turn of the advance loop: hands every packet that has arrived to its protocol, then sends what the FIFOs take.
/// Returns whether anything was received or sent. A turn in which nothing happens changes no memory but the stack.
bool bglml_advance(void);

/// Advance until *flag is not zero.
void bglml_wait(const volatile uint32_t* flag);

/// Return when every process of the job has called it. Dissemination over one-packet messages.
void bglml_barrier(void);

// ---------------------------------------------------------------------------------------------------------------
// The second core as a coprocessor
//
// In coprocessor mode the node's second core runs work units: functions that the process gives it. Transient units run
// once, one after the other in the order of their start; permanent units are called again and again while no transient
// unit waits.
//
// A work unit shares the process's memory, but not its caches, and not the state of the C library: no malloc, no stdio,
// no errno. It may not call the message layer. Its stack has 256 KB.
//
// Memory that both cores use is the user's duty. The layer does this much of it:
//   bglml_co_start    writes back and empties the first core's data cache: the unit sees all that was written before.
//   a unit's end      writes back and empties the second core's data cache: bglml_co_join() returns after that, and
//                     the first core sees all that the unit wrote.
// The user does the rest. From co_start to co_join the first core
//   - does not touch what the unit writes: it would find old copies after the join,
//   - does not write what the unit reads,
// and both by whole cache lines of 32 bytes: what the cores use at the same time does not share a line. Buffers of
// messages under way are no exception.

/// A work unit.
typedef void (*bglml_co_function_t)(void* argument);
typedef uint32_t bglml_co_handle_t;

/// Have the second core run function(argument) once. Waits while 16 units wait already. Costs a flush of the data
/// cache, some thousands of cycles: not for short work.
bglml_co_handle_t bglml_co_start(bglml_co_function_t function, void* argument);

/// Whether a unit has ended. It still has to be joined.
bool bglml_co_finished(bglml_co_handle_t handle);

/// Wait until a unit has ended; messages go on meanwhile, except in a callback. A unit that was joined stays joined.
void bglml_co_join(bglml_co_handle_t handle);

/// Have the second core call function(argument) whenever no transient unit waits, until the process ends. At most 15.
/// What the unit tells the first core while it runs, it tells through memory that it flushes itself (drivers/bgl/
/// cache.h) and a word of the program's own in no cache: see docs/guide/message_layer.md.
void bglml_co_add_permanent(bglml_co_function_t function, void* argument);

// ---------------------------------------------------------------------------------------------------------------
// Messages

typedef void (*bglml_done_t)(void* context);

/// What every protocol's message begins with. Private: the init and post functions fill it.
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

/// A packet of the layer's own that waits for its injection: a confirmation, an acknowledgement. Private.
typedef struct bglml_control {
  struct bglml_control* next;
  struct bglml_connection* connection;
  void (*sent)(struct bglml_control* control);  ///< the packet is in the FIFO; NULL: nobody needs to know
  const bglml_quad_t* lead;                     ///< NULL: none
  uint32_t argument;
  uint8_t handler;
  uint8_t routing;
} bglml_control_t;

/// A port: one use of a protocol, with the callback for its messages. All processes must register the same ports in
/// the same order before they communicate.
typedef uint8_t bglml_port_t;

// ---------------------------------------------------------------------------------------------------------------
// One-packet protocol: up to 240 bytes in one packet. The lowest latency.

typedef struct {
  bglml_message_t base;
  const void* buffer;
  uint32_t argument;
  uint32_t length;
} bglml_one_packet_t;

/// A message has come. `buffer` (aligned to 16 bytes) is temporary: copy what you need before you return. There is no
/// recvdone.
typedef void (*bglml_one_packet_recvnew_t)(void* context, uint32_t source, uint32_t argument, const void* buffer,
                                           uint32_t length);

bglml_port_t bglml_one_packet_register(bglml_one_packet_recvnew_t recvnew, void* context);

/// Prepare a message: `length` bytes (0..240) at `buffer`, any alignment, and a number `argument` of 24 bits for the
/// receiver. `senddone` may be NULL.
void bglml_one_packet_init(bglml_one_packet_t* message, bglml_port_t port, uint32_t peer, uint32_t argument,
                           const void* buffer, uint32_t length, bglml_done_t senddone, void* context);

/// Queue a prepared message. The same state may be posted again once its senddone has been called.
void bglml_one_packet_post(bglml_one_packet_t* message);

// ---------------------------------------------------------------------------------------------------------------
// Eager protocol: any length, sent without asking the receiver; metadata for its matching comes first.

typedef struct {
  uint8_t bytes[BGLML_METADATA_BYTES] __attribute__((aligned(16)));
} bglml_metadata_t;

typedef struct {
  bglml_message_t base;
  const uint8_t* buffer;
  uint32_t length;
  uint32_t offset;  ///< bytes sent so far
  bglml_metadata_t metadata;
} bglml_eager_t;

/// State of one message being received.
typedef struct {
  uint8_t* buffer;
  uint32_t length;
  uint32_t offset;  ///< bytes received so far
  bglml_done_t recvdone;
  void* context;
} bglml_eager_receive_t;

/// A message has come: `metadata` (temporary) and `length` are its sender's. Return the state of its reception,
/// prepared with bglml_eager_receive_init() and a buffer of at least `length` bytes, wherever it shall go: whether the
/// message was expected is the user's matter. A message of length 0 needs a state too.
typedef bglml_eager_receive_t* (*bglml_eager_recvnew_t)(void* context, uint32_t source,
                                                        const bglml_metadata_t* metadata, uint32_t length);

bglml_port_t bglml_eager_register(bglml_eager_recvnew_t recvnew, void* context);

/// Prepare a message: `length` bytes (0..2^31-1) at `buffer`. `metadata` is copied; NULL sends zeros. Buffers aligned
/// to 16 bytes are sent without a copy. `senddone` may be NULL.
void bglml_eager_init(bglml_eager_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* metadata,
                      const void* buffer, uint32_t length, bglml_done_t senddone, void* context);

void bglml_eager_post(bglml_eager_t* message);

/// Prepare a reception, in recvnew. Buffers aligned to 16 bytes are filled without a copy. `recvdone` may be NULL.
void bglml_eager_receive_init(bglml_eager_receive_t* receive, void* buffer, bglml_done_t recvdone, void* context);

#ifdef __cplusplus
}
#endif

#endif
