// SPDX-License-Identifier: Apache-2.0
// Requests as messages of the transport: how they are sent, and how what comes meets what is posted.
#include <string.h>

#include "firmware/mpi/environment.h"
#include "firmware/mpi/matching.h"
#include "firmware/mpi/schedule.h"

// ---------------------------------------------------------------------------------------------------------------
// Where a request's bytes lie

/// A request's buffer as the transport can use it as it is. False where the bytes have to be copied.
static bool direct(const mpii_request_t* request, mpit_place_t* place) {
  const mpii_datatype_t* datatype = request->datatype;
  uint8_t* start = request->buffer;
  const size_t bytes = request->bytes;
  if (bytes == 0) {
    mpit_contiguous(place, start, 0);
    return true;
  }
  const mpit_block_t* first = &datatype->blocks[0];
  if (datatype->dense || (request->count == 1 && datatype->block_count == 1)) {
    mpit_contiguous(place, start + first->offset, bytes);
  } else if (datatype->block_count == 1) {
    *place = (mpit_place_t){start + first->offset, bytes, request->count, first->bytes, datatype->extent, NULL};
  } else if (request->count == 1) {
    *place = (mpit_place_t){start, bytes, datatype->block_count, 0, 0, datatype->blocks};
  } else {
    return false;
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

static void complete(mpii_request_t* request) {
  mpii_free(request->packed);
  request->packed = NULL;
  mpii_set_complete(request);
  if (request->schedule != NULL) mpii_schedule_progress(request->schedule, request);
  mpii_request_release(request);
}

static void send_complete(void* request) {
  complete(request);
}

static void send(mpii_request_t* request) {
  const mpit_envelope_t envelope = {
      .context = request->context,
      .tag = request->tag,
      .source = (uint32_t)request->comm->rank,
      .basic = (uint32_t)request->basic,
  };
  const uint32_t peer = mpii_world_rank(request->comm, request->peer);
  const bool asks = request->mode == MPII_SYNCHRONOUS;
  if (!asks && sizeof envelope + request->bytes <= mpit_short_bytes) {
    uint8_t* message = request->state;
    memcpy(message, &envelope, sizeof envelope);
    mpii_pack(request->buffer, request->count, request->datatype, message + sizeof envelope);
    mpit_send_short(message, MPIT_MESSAGES, peer, sizeof envelope + request->bytes, send_complete, request);
    return;
  }
  mpit_place_t from;
  if (!direct(request, &from)) {
    request->packed = mpii_allocate_aligned(request->bytes);
    mpii_pack(request->buffer, request->count, request->datatype, request->packed);
    mpit_contiguous(&from, request->packed, request->bytes);
  }
  mpit_send(request->state, MPIT_MESSAGES, peer, &envelope, &from, asks ? MPIT_SYNCHRONOUS : MPIT_PLAIN, send_complete,
            request);
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

/// A receive has met its message.
static inline void matched(mpii_request_t* request, const mpit_envelope_t* envelope, uint32_t length) {
  request->status.MPI_SOURCE = (int)envelope->source;
  request->status.MPI_TAG = envelope->tag;
  request->status.bytes_ = (int)length;
  if (length > request->bytes) {
    request->cut = true;
    request->status.bytes_ = (int)request->bytes;
    request->status.MPI_ERROR = MPI_ERR_TRUNCATE;
  }
  if (length != 0 && !mpii_basics_match((mpii_basic_t)envelope->basic, request->basic) && mpii_limits()->check_types) {
    request->status.MPI_ERROR = MPI_ERR_TYPE;
  }
}

/// All bytes are there: in the user's buffer, or in `packed`.
static void receive_complete(void* context) {
  mpii_request_t* request = context;
  if (request->packed != NULL) {
    mpii_unpack(request->packed, (uint32_t)request->status.bytes_, request->buffer, request->count, request->datatype);
  }
  complete(request);
}

/// From memory that is valid during the call only.
static void receive_from(mpii_request_t* request, const void* data) {
  mpii_unpack(data, (uint32_t)request->status.bytes_, request->buffer, request->count, request->datatype);
  complete(request);
}

/// The destination of a message of `length` bytes.
static void landing_of(mpii_request_t* request, uint32_t length, mpit_landing_t* landing) {
  landing->coherent = false;
  landing->state = request->state;
  landing->done = receive_complete;
  landing->context = request;
  if (!request->cut && direct(request, &landing->place)) return;
  request->packed = mpii_allocate_aligned(length);
  mpit_contiguous(&landing->place, request->packed, length);
}

static mpii_unexpected_t* keep(const mpit_envelope_t* envelope, uint32_t length, bool offered) {
  mpii_unexpected_t* message =
      mpii_allocate_aligned(sizeof *message + (offered ? mpit_offer_bytes : mpit_unexpected_bytes));
  message->envelope = *envelope;
  message->length = length;
  message->offered = offered;
  if (!offered) message->data = mpii_allocate_aligned(length);
  mpii_unexpected_add(message);
  return message;
}

static void discard(mpii_unexpected_t* message) {
  mpii_free(message->data);
  mpii_free(message);
}

static void unexpected_complete(void* context) {
  mpii_unexpected_t* message = context;
  message->complete = true;
  if (message->taker == NULL) return;
  receive_from(message->taker, message->data);
  discard(message);
}

/// The receive that a message of `length` bytes meets; or NULL, and the message kept for a later one in *kept.
static mpii_request_t* arrive(const void* head, uint32_t length, bool offered, mpii_unexpected_t** kept) {
  mpit_envelope_t envelope;
  memcpy(&envelope, head, sizeof envelope);
  mpii_request_t* request = mpii_match_posted(&envelope);
  if (request != NULL) {
    matched(request, &envelope, length);
  } else {
    *kept = keep(&envelope, length, offered);
  }
  return request;
}

void mpii_message_came(const void* data, size_t bytes) {
  const uint8_t* content = (const uint8_t*)data + sizeof(mpit_envelope_t);
  const uint32_t length = (uint32_t)(bytes - sizeof(mpit_envelope_t));
  mpii_unexpected_t* message;
  mpii_request_t* request = arrive(data, length, false, &message);
  if (request != NULL) {
    receive_from(request, content);
    return;
  }
  memcpy(message->data, content, length);
  message->complete = true;
}

void mpii_message_begins(const void* head, size_t bytes, mpit_landing_t* landing) {
  mpii_unexpected_t* message;
  mpii_request_t* request = arrive(head, (uint32_t)bytes, false, &message);
  if (request != NULL) {
    landing_of(request, (uint32_t)bytes, landing);
  } else {
    mpit_contiguous(&landing->place, message->data, bytes);
    landing->coherent = false;
    landing->state = message->state;
    landing->done = unexpected_complete;
    landing->context = message;
  }
}

bool mpii_message_offered(const void* head, size_t bytes, const void* offer, mpit_landing_t* landing) {
  mpii_unexpected_t* message;
  mpii_request_t* request = arrive(head, (uint32_t)bytes, true, &message);
  if (request != NULL) {
    landing_of(request, (uint32_t)bytes, landing);
  } else {
    memcpy(message->state, offer, mpit_offer_bytes);
  }
  return request != NULL;
}

static void receive_taken(mpii_request_t* request, mpii_unexpected_t* message) {
  matched(request, &message->envelope, message->length);
  if (message->offered) {
    mpit_landing_t landing;
    landing_of(request, message->length, &landing);
    mpit_accept(message->state, &landing);
    discard(message);
  } else if (message->complete) {
    receive_from(request, message->data);
    discard(message);
  } else {
    message->taker = request;
  }
}

// Where the network matches, the receive is posted there. One that takes less than it may get cannot know the message's
// length: it is received into memory of its own unless it can be received in place.

void mpii_message_matched(void* context, const mpit_envelope_t* envelope, size_t bytes) {
  matched(context, envelope, (uint32_t)bytes);
}

static mpit_posted_t post_to_network(mpii_request_t* request) {
  const mpit_envelope_t wanted = {
      .context = request->context, .tag = request->tag, .source = (uint32_t)request->peer, .basic = request->basic};
  mpit_landing_t landing;
  landing_of(request, request->bytes, &landing);
  request->in_network = true;
  const mpit_posted_t posted = mpit_post(&wanted, &landing);
  if (posted == MPIT_POSTED) return posted;
  request->in_network = false;
  mpii_free(request->packed);
  request->packed = NULL;
  return posted;
}

static void receive(mpii_request_t* request) {
  for (;;) {
    mpii_unexpected_t* message = mpii_match_unexpected(request);
    if (message != NULL) {
      receive_taken(request, message);
      return;
    }
    const mpit_posted_t posted = mpit_matches() ? post_to_network(request) : MPIT_NOT_POSTED;
    if (posted == MPIT_POSTED) return;
    if (posted == MPIT_NOT_POSTED) break;
  }
  mpii_post(request);
}

bool mpii_receive_withdraw(mpii_request_t* request) {
  if (!request->in_network) return mpii_unpost(request);
  if (!mpit_withdraw(request->state)) return false;
  mpii_free(request->packed);
  request->packed = NULL;
  return true;
}

void mpii_unexpected_status(const mpii_unexpected_t* message, MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = (int)message->envelope.source;
  status->MPI_TAG = message->envelope.tag;
  status->bytes_ = (int)message->length;
  status->cancelled_ = 0;
}

// ---------------------------------------------------------------------------------------------------------------

static void reset(mpii_request_t* request) {
  request->complete = 0;
  request->cut = request->in_network = false;
  request->status = (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG};
}

void mpii_start_taken(mpii_request_t* request, mpii_unexpected_t* message) {
  reset(request);
  mpii_retain(request);
  receive_taken(request, message);
}

void mpii_start(mpii_request_t* request) {
  reset(request);
  if (request->peer == MPI_PROC_NULL) {
    request->status.MPI_SOURCE = MPI_PROC_NULL;
    mpii_set_complete(request);
    return;
  }
  mpii_retain(request);
  if (request->kind == MPII_SEND) {
    send(request);
  } else {
    receive(request);
  }
}

void mpii_messages_init(void) {
  static mpii_object_t no_message;  // no other may have its handle
  mpii_object_open_as(&no_message, MPI_MESSAGE_NO_PROC);
}
