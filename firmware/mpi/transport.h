// SPDX-License-Identifier: Apache-2.0
/// The transport: what MPI needs of a machine. Each machine has one in transport/<machine>/, and the build chooses it.
/// Matching, communicators, datatypes, collective algorithms and windows are above it and are the same on all machines.
///
/// What the transport provides begins with mpit_; what it calls in the library begins with mpii_ and is at the end.
/// Functions that every message passes are inline: each transport defines them in its transport_inline.h, which is
/// found by the include path. A transport that lacks an optional part returns false ("not by me"), and the library uses
/// messages instead.
///
/// The transport calls the library, and messages complete, from within mpit_advance(), mpit_wait(), mpit_meet() and the
/// collective operations only; or in an interrupt, between mpit_serve_begin() and mpit_serve_end(), while the program
/// is outside MPI. A short message may also complete within mpit_send_short(), an empty one within mpit_accept().
#ifndef TOROID_FIRMWARE_MPI_TRANSPORT_H
#define TOROID_FIRMWARE_MPI_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/mpi/basic.h"
#include "firmware/mpi/mpi.h"
#include "transport_constants.h"  // transport/<machine>/transport_constants.h

// The job and this process in it. -------------------------------------------------------------------------------------

/// The transport's name (for MPI_Get_library_version()), the cores' architecture, and the prefix of the names of
/// environment variables, which differs from machine to machine.
extern const char mpit_name[], mpit_architecture[], mpit_prefix[];

/// Called once, before all other functions. Reads the transport's own environment variables by mpii_variable().
void mpit_init(void);

/// Return when every process has called it and has completed its sends.
void mpit_meet(void);

/// Ranks are those of MPI_COMM_WORLD.
uint32_t mpit_rank(void);
uint32_t mpit_size(void);

/// End the job with an exit status, whatever the other processes do.
void mpit_end_job(int status) __attribute__((noreturn));
/// Whether the transport is ending the process because of an error that it has reported.
bool mpit_is_failing(void);

/// Seconds since some time in the past, and the clock's resolution.
double mpit_time(void);
double mpit_tick(void);

/// The coordinates of a process: in the network, then in the node.
enum { MPIT_AXES_MAX = 8 };
unsigned mpit_axes(void);
void mpit_place(uint32_t rank, int axes[]);
/// The number of links on a shortest path.
unsigned mpit_hops(uint32_t from, uint32_t to);
/// A number that identifies the node of a process.
uint32_t mpit_node(uint32_t rank);
/// The same for the processes that share an I/O node; 0 if all do.
uint32_t mpit_io_set(void);
/// A text for MPI_Get_processor_name(), of at most MPI_MAX_PROCESSOR_NAME characters with its final 0.
void mpit_processor_name(char* name);

/// For the machine's report of a job that does not end: what this process waits for, until mpit_stop_waiting(). `what`
/// is a format with %s, %d and %u for the arguments; it and the texts outlive the waiting.
static inline void mpit_start_waiting(const char* what, uintptr_t first, uintptr_t second, uintptr_t third,
                                      uintptr_t fourth);
static inline void mpit_stop_waiting(void);

/// Memory of whole pages that does not come from the C library, for use in interrupts; 0: none.
uintptr_t mpit_pages(size_t bytes);

// Progress. -----------------------------------------------------------------------------------------------------------

/// Receive messages that have arrived and send what can be sent. Returns whether there was anything to do.
static inline bool mpit_advance(void);
/// Advance until *flag is not zero. With threads: calls mpii_give_way() after each turn, as all that waits here does.
static inline void mpit_wait(const volatile uint32_t* flag);

/// Not by me: false. Otherwise the transport advances while the program is outside MPI as well, in interrupts, until as
/// many calls of mpit_serve_end(). Without threads it sets mpii_phase and calls as interrupted.h says; with them, a
/// thread of the transport serves while nobody holds the lock.
bool mpit_serve_begin(void);
void mpit_serve_end(void);

// Threads: on machines whose transport_constants.h defines MPIT_THREADS as 1; the others lack this part.
// -----------------

#if MPIT_THREADS
/// Provide this level of threads or the highest that the machine has: MPI_THREAD_SINGLE and so on. Called once, by the
/// main thread behind mpit_init().
int mpit_provide_threads(int required);

/// The lock that the library holds while it runs and calls the transport. Recursive. It costs little while the program
/// may not call MPI from several threads at a time. Other software of the process that uses the transport's layer holds
/// the same lock.
static inline void mpit_lock(void);
static inline void mpit_unlock(void);
/// Let another thread have the lock, if one wants it, and take it again; nothing if it is held more than once.
static inline void mpit_give_way(void);
#endif

// Memory. -------------------------------------------------------------------------------------------------------------

/// A part of a buffer.
typedef struct {
  ptrdiff_t offset;  ///< bytes, from the buffer's address
  size_t bytes;
} mpit_block_t;

/// The memory that a message is sent from or received into. A list of blocks must exist until the message is done.
typedef struct {
  void* address;
  size_t bytes;                ///< in total; at the receiver, the size of the buffer
  size_t count;                ///< of pieces; 1: contiguous, and the following members have no meaning
  size_t piece;                ///< bytes of each piece,
  ptrdiff_t stride;            ///< and the distance from one to the next,
  const mpit_block_t* blocks;  ///< or, unless NULL, the list of pieces
} mpit_place_t;

static inline void mpit_contiguous(mpit_place_t* place, const void* address, size_t bytes) {
  place->address = (void*)(uintptr_t)address;
  place->bytes = bytes;
  place->count = 1;
}

// Messages. -----------------------------------------------------------------------------------------------------------

/// Channels: messages of programs and collective operations; accesses to windows.
typedef enum { MPIT_MESSAGES, MPIT_ACCESSES, MPIT_CHANNELS } mpit_channel_t;

/// The envelope of a program's message, by which it is matched.
typedef struct {
  uint32_t context;
  int32_t tag;
  uint32_t source;  ///< the sender's rank in the communicator
  uint32_t basic;   ///< mpii_basic_t of its elements
} __attribute__((aligned(16))) mpit_envelope_t;

enum {
  MPIT_HEAD_BYTES = 16,           ///< every message begins with a head; in MPIT_MESSAGES it is the envelope
  MPIT_MESSAGE_MAX = 0x7FFFFFFF,  ///< bytes of a message
};
_Static_assert(sizeof(mpit_envelope_t) == MPIT_HEAD_BYTES, "travels as the head");

/// How a message is sent.
typedef enum {
  MPIT_PLAIN,
  MPIT_SYNCHRONOUS,  ///< done only when its receiver has accepted it
  MPIT_ORDERED       ///< its bytes arrive before those of the next message to that process
} mpit_mode_t;

typedef void (*mpit_done_t)(void* context);

/// The size of the transport's state of a message, sent or received. The library allocates it, aligned to 16, until
/// the message is done.
extern const size_t mpit_state_bytes;
/// The same for an unexpected message: the state of its reception, or its offer.
extern const size_t mpit_unexpected_bytes, mpit_offer_bytes;

/// The longest message, with its head, that the library sends as a short one: it is written to the beginning of its
/// state and sent from there. At least MPIT_SHORT_LEAST bytes (transport_constants.h).
extern size_t mpit_short_bytes;

/// Send a short message. Messages between two processes begin to arrive in the order in which they are sent, whatever
/// their lengths. `done`: the state may be used again.
static inline void mpit_send_short(void* state, mpit_channel_t channel, uint32_t peer, size_t bytes, mpit_done_t done,
                                   void* context);

/// Send a message that consists of a head, which is aligned to 16 and copied, and of the bytes at a place. `done`:
/// state and buffer may be used again. If a machine cannot send from this place directly, the transport copies.
void mpit_send(void* state, mpit_channel_t channel, uint32_t peer, const void* head, const mpit_place_t* from,
               mpit_mode_t mode, mpit_done_t done, void* context);

/// Where a message is to be received.
typedef struct {
  mpit_place_t place;
  bool coherent;  ///< the program may look at the place before the message is done, without a call of MPI
  void* state;    ///< the transport's state; its size is documented with the functions that request landings
  mpit_done_t done;
  void* context;
} mpit_landing_t;

/// Accept an offered message.
void mpit_accept(const void* offer, const mpit_landing_t* landing);

// Matching by the network. --------------------------------------------------------------------------------------------

/// Whether the network matches messages with posted receives itself. If not, the next two are not called.
static inline bool mpit_matches(void);

typedef enum { MPIT_NOT_POSTED, MPIT_POSTED, MPIT_LOOK_AGAIN } mpit_posted_t;

/// Have the network receive the first message that fits `wanted`, whose source and tag may be MPI_ANY_SOURCE and
/// MPI_ANY_TAG: mpii_message_matched() then names the message. Not by me: MPIT_NOT_POSTED, and the library matches.
/// MPIT_LOOK_AGAIN: a message that may fit arrived first, and has been passed to the library as unexpected.
mpit_posted_t mpit_post(const mpit_envelope_t* wanted, const mpit_landing_t* landing);
/// Withdraw a posted receive. Returns false if a message has matched it.
bool mpit_withdraw(void* state);

// Other processes' memory. --------------------------------------------------------------------------------------------

/// Called before this process's first window: messages of MPIT_ACCESSES may arrive from now on.
void mpit_open_accesses(void);

/// Whether the network accesses the memory of other processes itself. If not, the next three are not called.
static inline bool mpit_reaches(void);

/// Copy bytes to, or from, an address of the process `peer`, which exposes them in a window. `done`: they are there, or
/// here. Not by me: false.
bool mpit_put(void* state, uint32_t peer, uintptr_t to, const mpit_place_t* from, mpit_done_t done, void* context);
bool mpit_get(void* state, uint32_t peer, uintptr_t from, const mpit_place_t* to, mpit_done_t done, void* context);

/// Update an element at an address of the process `peer` atomically. `op` is MPI_REPLACE, MPI_NO_OP, MPI_SUM or another
/// predefined operation; `operand` is copied. If `compare` is not NULL, the element is replaced only if it is equal to
/// that; `op` is MPI_REPLACE then. Unless `before` is NULL, the element's former value goes there; it has room for
/// MPIT_ATOMIC_MAX bytes. `done`: all has happened. The operations of a process on one address are performed in order.
///
/// Not by me: false. The answer depends on `element` and `op` alone and is the same at all processes, because elements
/// that the network updates and elements that the target's processor updates are not atomic to each other. A network
/// that performs any operation on an element performs MPI_REPLACE, MPI_NO_OP and compare-and-swap on it.
enum { MPIT_ATOMIC_MAX = 8 };
bool mpit_atomic(void* state, uint32_t peer, uintptr_t at, mpii_basic_t element, MPI_Op op, const void* operand,
                 const void* compare, void* before, mpit_done_t done, void* context);

// Collective operations of all processes of the job, or of a part of it. ----------------------------------------------
// Functions that return bool return false for "not by me"; all processes get the same answer from the same arguments.

/// Processes that have something of the networks to themselves. `of` below is a part, or NULL for the job; ranks are
/// those of MPI_COMM_WORLD in both cases.
typedef struct mpit_part mpit_part_t;

/// Whether these processes, some of the job's, could be one; of their order nothing depends.
bool mpit_part_fits(const uint32_t* ranks, int size);
/// Makes one of processes that fit; all of them call and wait for each other. `number` is one of 1 and more that none
/// of them has used. NULL, at all: the networks have nothing left for it.
mpit_part_t* mpit_part_make(const uint32_t* ranks, int size, uint32_t number);
/// This process uses it no more. It ends when all have called; none waits.
void mpit_part_end(mpit_part_t* part);

static inline bool mpit_barrier(const mpit_part_t* of);

bool mpit_broadcasts(const mpit_part_t* of, size_t bytes);
void mpit_broadcast(const mpit_part_t* of, void* data, size_t bytes, uint32_t root);

/// Elements of a predefined operation that works on them. `root` is -1 if all get the result; `out` is NULL if
/// this process gets none.
bool mpit_reduces(const mpit_part_t* of, size_t count, mpii_basic_t element, MPI_Op op);
bool mpit_reduce(const mpit_part_t* of, const void* in, void* out, size_t count, mpii_basic_t element, MPI_Op op,
                 int64_t root);

/// The blocks of all its processes, contiguous; this process's own is in place. `in_order`: block r belongs to rank r;
/// otherwise the order is a different one, the same at all processes.
bool mpit_allgathers(const mpit_part_t* of, size_t bytes, bool in_order);
void mpit_allgather(const mpit_part_t* of, void* blocks, const uint32_t* sizes, size_t bytes);

/// `bytes` bytes to each rank of the job and from each.
bool mpit_alltoalls(size_t bytes);
void mpit_alltoall(const void* send, void* receive, size_t bytes);

// What the transport calls. -------------------------------------------------------------------------------------------

/// The number that the environment variable of this name, behind mpit_prefix, contains; `otherwise` if it is not set.
/// Ends the job if its value is not a number from 0 to `most`.
uint32_t mpii_variable(const char* name, uint32_t otherwise, uint32_t most);

/// End the job with a line on standard error.
void mpii_end(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/// With threads: let other threads call MPI. For all waits of the transport within the library's calls.
void mpii_give_way(void);

/// A short message has arrived: its head and bytes, which are valid during the call only.
void mpii_message_came(const void* data, size_t bytes);
void mpii_access_came(uint32_t source, const void* data, size_t bytes);

/// A message begins to arrive: the library fills in its landing. The landing's state has at least
/// mpit_unexpected_bytes.
void mpii_message_begins(const void* head, size_t bytes, mpit_landing_t* landing);
void mpii_access_begins(uint32_t source, const void* head, size_t bytes, mpit_landing_t* landing);

/// A message waits at its sender. True: it is accepted, with a state of mpit_state_bytes. False: the library copies the
/// mpit_offer_bytes at `offer` and calls mpit_accept() later.
bool mpii_message_offered(const void* head, size_t bytes, const void* offer, mpit_landing_t* landing);

/// The network has matched a posted receive, whose landing's context this is. Its bytes, no more than it has room for,
/// follow; the landing's done is called then.
void mpii_message_matched(void* context, const mpit_envelope_t* envelope, size_t bytes);

#include "transport_inline.h"  // transport/<machine>/transport_inline.h

#endif
