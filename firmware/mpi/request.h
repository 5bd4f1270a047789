// SPDX-License-Identifier: Apache-2.0
/// Requests: each is one message of the transport. Arriving messages are matched with posted receives; messages that no
/// receive matches yet wait in a queue of unexpected messages. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_REQUEST_H
#define TOROID_FIRMWARE_MPI_REQUEST_H

#include "firmware/mpi/comm.h"
#include "firmware/mpi/datatype.h"
#include "firmware/mpi/transport.h"

typedef enum {
  MPII_SEND,
  MPII_RECEIVE,
  MPII_GENERALISED,  ///< MPI_Grequest_start()
  MPII_SCHEDULE,     ///< a non-blocking collective operation
  MPII_ONE_SIDED,    ///< MPI_Rput() and its kin; `count` pieces are not done
  MPII_FILE_ACCESS   ///< complete from the beginning
} mpii_request_kind_t;

typedef enum { MPII_STANDARD, MPII_BUFFERED, MPII_SYNCHRONOUS, MPII_READY } mpii_mode_t;

typedef struct mpii_request {
  mpii_object_t object;  ///< no handle: of a blocking call
  volatile uint32_t complete;
  uint8_t kind;  ///< mpii_request_kind_t
  uint8_t mode;  ///< mpii_mode_t
  bool persistent;
  bool active;      ///< a persistent one: started and not yet waited for
  bool cut;         ///< a receive: the message was longer than the buffer
  bool in_network;  ///< a receive: posted to the network, which matches it
  mpii_comm_t* comm;
  mpii_datatype_t* datatype;
  MPI_Status status;
  struct mpii_schedule* schedule;  ///< a collective operation's: whose message it is, or which it stands for
  uint32_t step;                   ///< of the schedule, that this is a message of
  void* packed;                    ///< the message without gaps, if it must be copied; freed at the end
  uint32_t bytes;                  ///< of the message; of a receive, the size of its buffer
  // What follows is not initialised.
  void* buffer;  ///< the user's
  uint32_t count;
  int peer;  ///< rank in the communicator, or MPI_ANY_SOURCE, MPI_PROC_NULL
  int tag;
  uint32_t context;
  mpii_basic_t basic;         ///< of the elements: the datatype's, unless they were packed before
  struct mpii_request* next;  ///< in the queue of posted receives
  struct {
    MPI_Grequest_query_function* query;
    MPI_Grequest_free_function* free;
    MPI_Grequest_cancel_function* cancel;
    void* extra;
  } generalised;
  // The transport's, of mpit_state_bytes.
  uint8_t state[] __attribute__((aligned(16)));
} mpii_request_t;

/// A message that arrived before a receive for it was posted.
typedef struct mpii_unexpected {
  mpii_object_t object;  ///< MPI_Mprobe() gives it a handle
  struct mpii_unexpected* next;
  mpit_envelope_t envelope;
  uint32_t length;
  bool offered;           ///< it waits at its sender
  bool complete;          ///< all of it is in `data`
  mpii_comm_t* comm;      ///< of MPI_Mprobe()
  mpii_request_t* taker;  ///< a receive that matched before the message was complete
  uint8_t* data;          ///< not of an offered message
  // The transport's: the state of its reception, or its offer.
  uint8_t state[] __attribute__((aligned(16)));
} mpii_unexpected_t;

void mpii_messages_init(void);

/// A request from the pool. Its kind and a reference are set, the rest is zero, from `buffer` on undefined.
mpii_request_t* mpii_request_new(mpii_request_kind_t kind);
/// Release a reference; the last one returns the request to the pool and releases what it refers to.
void mpii_request_release(mpii_request_t* request);

/// Check the arguments of a send or receive and put them into a fresh request, which is returned in *request (without a
/// handle). The communicator is entered.
typedef struct {
  const void* buffer;
  int count;
  MPI_Datatype datatype;
  int peer;
  int tag;
  MPI_Comm comm;
} mpii_arguments_t;
int mpii_send_new(const char* function, const mpii_arguments_t* arguments, mpii_mode_t mode, mpii_request_t** request);
int mpii_receive_new(const char* function, const mpii_arguments_t* arguments, mpii_request_t** request);

/// Give the program a handle of a fresh request, not yet begun. If `handle` is NULL, returns MPI_ERR_ARG and releases
/// the request.
int mpii_request_open(mpii_request_t* request, MPI_Request* handle);

/// Check a buffer of `count` elements, and return its datatype.
int mpii_check_buffer(mpii_comm_t* comm, const void* buffer, int count, MPI_Datatype handle,
                      mpii_datatype_t** datatype);

/// Check the source and tag of a receive.
int mpii_check_source(mpii_comm_t* comm, int source, int tag);

/// Begin what a request describes. It keeps a reference of its own until it is complete.
void mpii_start(mpii_request_t* request);

/// Internal messages of collective operations: as MPI_Isend() and MPI_Irecv(), with arguments known to be right, in the
/// communicator's second context. Begun.
mpii_request_t* mpii_isend(const void* buffer, uint32_t count, mpii_datatype_t* datatype, int peer, int tag,
                           mpii_comm_t* comm);
mpii_request_t* mpii_irecv(void* buffer, uint32_t count, mpii_datatype_t* datatype, int peer, int tag,
                           mpii_comm_t* comm);

/// The same not yet begun.
mpii_request_t* mpii_request_internal(mpii_request_kind_t kind, const void* buffer, uint32_t count,
                                      mpii_datatype_t* datatype, int peer, int tag, mpii_comm_t* comm);

/// Record what this process waits for, for the machine's report of a job that does not end, until mpit_stop_waiting():
/// a request, or any message from a source with a tag. `function` is the MPI function's name. A function that only
/// tests passes "or after MPI_Test" and leaves the record: the program may test for ever.
void mpii_say_waiting(const char* function, const mpii_request_t* request);
void mpii_say_receiving(const char* function, const mpii_comm_t* comm, int source, int tag);

/// Mark a request as complete. A wait for any of several clears `mpii_completed`, checks them and, if none is complete,
/// waits for that one flag, at the same cost for any number of requests. With threads, of which several may wait, it is
/// a count, and the wait is for its change.
extern volatile uint32_t mpii_completed;
static inline void mpii_set_complete(mpii_request_t* request) {
  request->complete = 1;
  mpii_completed = MPIT_THREADS ? mpii_completed + 1 : 1;
}

/// Advance until a request is complete.
void mpii_await(mpii_request_t* request);

/// The error of a complete request, reported to its communicator.
int mpii_request_error(const mpii_request_t* request);
/// The text of that, if it is an error.
enum { MPII_REQUEST_TEXT = MPI_MAX_ERROR_STRING };
void mpii_request_text(const mpii_request_t* request, char text[MPII_REQUEST_TEXT]);

/// Advance until it is complete and release it; returns its error. `status` may be MPI_STATUS_IGNORE.
int mpii_finish(mpii_request_t* request, MPI_Status* status);

/// The unexpected message that fits, not taken out of its queue; NULL if there is none.
mpii_unexpected_t* mpii_unexpected_find(const mpii_comm_t* comm, int source, int tag);
void mpii_unexpected_take(mpii_unexpected_t* message);
/// mpii_start() for a receive of a message that was taken.
void mpii_start_taken(mpii_request_t* request, mpii_unexpected_t* message);
/// Its status, as MPI_Probe() returns it.
void mpii_unexpected_status(const mpii_unexpected_t* message, MPI_Status* status);

/// Withdraw a posted receive. Returns false if a message has matched it.
bool mpii_receive_withdraw(mpii_request_t* request);

#endif
