/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests: one message-layer message each, as the paper's section 4 has it. The message layer's callbacks match what
 * comes with the requests posted; what nobody has asked for yet waits in a queue of unexpected messages. For the
 * library's own files.
 */
#ifndef TOROID_FIRMWARE_MPI_REQUEST_H
#define TOROID_FIRMWARE_MPI_REQUEST_H

#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/mpi/comm.h"
#include "firmware/mpi/datatype.h"

/* What every message carries for its matching. */
typedef struct {
  uint32_t context;
  int32_t tag;
  uint32_t source; /* the sender's rank in the communicator */
  uint32_t basic;  /* bglmpi_basic_t of its elements */
} bglmpi_envelope_t;
_Static_assert(sizeof(bglmpi_envelope_t) == BGLML_METADATA_BYTES, "travels as metadata");

enum { BGLMPI_SHORT_MAX = BGLML_ONE_PACKET_MAX - sizeof(bglmpi_envelope_t) }; /* bytes that fit into one packet */

typedef enum {
  BGLMPI_SEND,
  BGLMPI_RECEIVE,
  BGLMPI_GENERALISED, /* MPI_Grequest_start() */
  BGLMPI_SCHEDULE,    /* a non-blocking collective operation */
  BGLMPI_ONE_SIDED,   /* MPI_Rput() and its kin; `count` pieces are not done */
  BGLMPI_FILE_ACCESS  /* complete from the beginning */
} bglmpi_request_kind_t;

typedef enum { BGLMPI_STANDARD, BGLMPI_BUFFERED, BGLMPI_SYNCHRONOUS, BGLMPI_READY } bglmpi_mode_t;

typedef struct bglmpi_request {
  bglmpi_object_t object; /* no handle: of a blocking call */
  volatile uint32_t complete;
  uint8_t kind; /* bglmpi_request_kind_t */
  uint8_t mode; /* bglmpi_mode_t */
  bool persistent;
  bool active; /* a persistent one: started and not yet waited for */
  bglmpi_comm_t* comm;
  bglmpi_datatype_t* datatype;
  bglmpi_basic_t basic; /* of the elements: the datatype's, but where they were packed before */
  void* buffer;         /* the user's */
  uint32_t count;
  uint32_t bytes; /* of the message; of a receive, the room */
  int peer;       /* rank in the communicator, or MPI_ANY_SOURCE, MPI_PROC_NULL */
  int tag;
  uint32_t context;
  MPI_Status status;
  struct bglmpi_request* next;      /* in the queue of posted receives */
  struct bglmpi_schedule* schedule; /* a collective operation's: whose message it is, or which it stands for */
  uint32_t step;                    /* of the schedule, that this is a message of */
  void* packed;                     /* the message without gaps, where it has to be copied; freed at the end */
  bool cut;                         /* a receive: the message was longer than the room */
  bglml_layout_t layout;
  struct {
    MPI_Grequest_query_function* query;
    MPI_Grequest_free_function* free;
    MPI_Grequest_cancel_function* cancel;
    void* extra;
  } generalised;
  union {
    struct {
      bglml_one_packet_t message;
      uint8_t packet[BGLML_ONE_PACKET_MAX] __attribute__((aligned(16)));
    } one_packet;
    bglml_eager_t eager;
    bglml_adaptive_t adaptive;
    bglml_rendezvous_t rendezvous;
    bglml_eager_receive_t eager_receive;
    bglml_adaptive_receive_t adaptive_receive;
    bglml_rendezvous_receive_t rendezvous_receive;
  } u;
} bglmpi_request_t;

/* A message that nobody had asked for when it came. */
typedef enum { BGLMPI_BY_PACKET, BGLMPI_BY_EAGER, BGLMPI_BY_ADAPTIVE, BGLMPI_BY_RENDEZVOUS } bglmpi_protocol_t;

typedef struct bglmpi_unexpected {
  bglmpi_object_t object; /* MPI_Mprobe() gives it a handle */
  struct bglmpi_unexpected* next;
  bglmpi_envelope_t envelope;
  uint32_t length;
  bglmpi_protocol_t protocol;
  bool complete;           /* all of it is in `data` */
  bglmpi_comm_t* comm;     /* of MPI_Mprobe() */
  bglmpi_request_t* taker; /* a receive that matched before all had come */
  uint8_t* data;           /* not of a rendezvous message: that waits at its sender */
  union {
    bglml_eager_receive_t eager;
    bglml_adaptive_receive_t adaptive;
    bglml_rendezvous_offer_t offer;
  } u;
} bglmpi_unexpected_t;

/* Register the library's ports with the message layer. */
void bglmpi_transport_init(void);

/* A request from the pool, with nothing set but zeros where it matters. */
bglmpi_request_t* bglmpi_request_new(bglmpi_request_kind_t kind);
/* Give a reference back; the last one gives back the request and what it holds. */
void bglmpi_request_release(bglmpi_request_t* request);

/* Check the arguments of a send or receive and put them into a fresh request, which is returned in *request (without a
 * handle). The communicator is entered. */
typedef struct {
  const void* buffer;
  int count;
  MPI_Datatype datatype;
  int peer;
  int tag;
  MPI_Comm comm;
} bglmpi_arguments_t;
int bglmpi_send_new(const char* function, const bglmpi_arguments_t* arguments, bglmpi_mode_t mode,
                    bglmpi_request_t** request);
int bglmpi_receive_new(const char* function, const bglmpi_arguments_t* arguments, bglmpi_request_t** request);

/* Give the program a handle of a fresh request, not yet begun. Without a place for it, MPI_ERR_ARG, and the request is
 * given back. */
int bglmpi_request_open(bglmpi_request_t* request, MPI_Request* handle);

/* Whether a buffer of `count` elements makes sense; and its datatype. */
int bglmpi_check_buffer(bglmpi_comm_t* comm, const void* buffer, int count, MPI_Datatype handle,
                        bglmpi_datatype_t** datatype);

/* Whether a receive may name this source and tag. */
int bglmpi_check_source(bglmpi_comm_t* comm, int source, int tag);

/* Begin what a request describes. It keeps a reference of its own until it is complete. */
void bglmpi_start(bglmpi_request_t* request);

/* Internal messages of collective operations: as MPI_Isend() and MPI_Irecv(), with arguments known to be right, in the
 * communicator's second context. Begun. */
bglmpi_request_t* bglmpi_isend(const void* buffer, uint32_t count, bglmpi_datatype_t* datatype, int peer, int tag,
                               bglmpi_comm_t* comm);
bglmpi_request_t* bglmpi_irecv(void* buffer, uint32_t count, bglmpi_datatype_t* datatype, int peer, int tag,
                               bglmpi_comm_t* comm);

/* The same not yet begun. */
bglmpi_request_t* bglmpi_request_internal(bglmpi_request_kind_t kind, const void* buffer, uint32_t count,
                                          bglmpi_datatype_t* datatype, int peer, int tag, bglmpi_comm_t* comm);

/* What this process waits for, in the machine's report of a job that does not end, until bglml_say_done(): a request,
 * or any message from a source with a tag. `function` is the MPI function's name. One that only looks and returns says
 * "or after MPI_Test" and leaves it standing: the program may look for ever. */
void bglmpi_say_waiting(const char* function, const bglmpi_request_t* request);
void bglmpi_say_receiving(const char* function, const bglmpi_comm_t* comm, int source, int tag);

/* A request is complete. Whoever waits for any of several clears `bglmpi_completed`, looks at them and, where none is,
 * waits for that one flag: a turn as short as when waiting for one, however many they are. */
extern volatile uint32_t bglmpi_completed;
static inline void bglmpi_set_complete(bglmpi_request_t* request) {
  request->complete = 1;
  bglmpi_completed = 1;
}

/* Advance until a request is complete. */
void bglmpi_await(bglmpi_request_t* request);

/* What a complete request says of its end, reported to its communicator. */
int bglmpi_request_error(const bglmpi_request_t* request);
/* The text of that, where it is an error. */
enum { BGLMPI_REQUEST_TEXT = MPI_MAX_ERROR_STRING };
void bglmpi_request_text(const bglmpi_request_t* request, char text[BGLMPI_REQUEST_TEXT]);

/* Advance until it is complete and give it back; returns its error. `status` may be MPI_STATUS_IGNORE. */
int bglmpi_finish(bglmpi_request_t* request, MPI_Status* status);

/* The unexpected message that fits, not taken out of its queue; NULL where there is none. */
bglmpi_unexpected_t* bglmpi_unexpected_find(const bglmpi_comm_t* comm, int source, int tag);
void bglmpi_unexpected_take(bglmpi_unexpected_t* message);
/* bglmpi_start() for a receive of a message that was taken. */
void bglmpi_start_taken(bglmpi_request_t* request, bglmpi_unexpected_t* message);
/* What MPI_Probe() says of it. */
void bglmpi_unexpected_status(const bglmpi_unexpected_t* message, MPI_Status* status);

/* Take a posted receive back, if nothing has matched it yet. */
bool bglmpi_receive_withdraw(bglmpi_request_t* request);

#endif
