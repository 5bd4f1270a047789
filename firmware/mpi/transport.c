// SPDX-License-Identifier: Apache-2.0
// Requests as messages of the message layer: the choice of the protocol, and the callbacks that match what comes.
#include <string.h>

#include "firmware/mpi/environment.h"
#include "firmware/mpi/matching.h"
#include "firmware/mpi/schedule.h"

static bglml_port_t one_packet_port, eager_port, adaptive_port, rendezvous_port;

// ---------------------------------------------------------------------------------------------------------------
// Where a request's bytes lie

/// A request's buffer as the message layer can use it as it is: an address and, where it has gaps, a layout.
/// False where the bytes have to be copied.
static bool direct(bglmpi_request_t* request, void** address, const bglml_layout_t** layout) {
  const bglmpi_datatype_t* datatype = request->datatype;
  uint8_t* start = request->buffer;
  *layout = NULL;
  if (request->bytes == 0) {
    *address = start;
    return true;
  }
  const bglml_block_t* first = &datatype->blocks[0];
  if (datatype->dense || (request->count == 1 && datatype->block_count == 1)) {
    *address = start + first->offset;
    return true;
  }
  if (datatype->block_count == 1) {
    *address = start + first->offset;
    request->layout = bglml_layout_vector(request->count, first->bytes, (int32_t)datatype->extent);
  } else if (request->count == 1) {
    *address = start;
    request->layout = bglml_layout_indexed(datatype->blocks, datatype->block_count);
  } else {
    return false;
  }
  *layout = &request->layout;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

static void complete(bglmpi_request_t* request) {
  bglmpi_free(request->packed);
  request->packed = NULL;
  bglmpi_set_complete(request);
  if (request->schedule != NULL) bglmpi_schedule_progress(request->schedule, request);
  bglmpi_request_release(request);
}

static void send_complete(void* request) {
  complete(request);
}

static void send_by_packet(bglmpi_request_t* request, uint32_t peer, const bglmpi_envelope_t* envelope) {
  uint8_t* packet = request->u.one_packet.packet;
  memcpy(packet, envelope, sizeof *envelope);
  bglmpi_pack(request->buffer, request->count, request->datatype, packet + sizeof *envelope);
  bglml_one_packet_init(&request->u.one_packet.message, one_packet_port, peer, 0, packet,
                        (uint32_t)sizeof *envelope + request->bytes, send_complete, request);
  bglml_one_packet_post(&request->u.one_packet.message);
}

static void send(bglmpi_request_t* request) {
  const bglmpi_envelope_t envelope = {
      .context = request->context,
      .tag = request->tag,
      .source = (uint32_t)request->comm->rank,
      .basic = (uint32_t)request->basic,
  };
  const uint32_t peer = bglmpi_world_rank(request->comm, request->peer);
  const bglmpi_limits_t* limits = bglmpi_limits();
  const bool asks = request->mode == BGLMPI_SYNCHRONOUS;
  if (!asks && request->bytes <= limits->short_bytes) {
    send_by_packet(request, peer, &envelope);
    return;
  }
  bglml_metadata_t metadata;
  memcpy(&metadata, &envelope, sizeof envelope);
  const bglml_layout_t* layout;
  void* from;
  if (!direct(request, &from, &layout)) {
    from = request->packed = bglmpi_allocate_aligned(request->bytes);
    bglmpi_pack(request->buffer, request->count, request->datatype, from);
  }
  if (!asks && request->bytes <= limits->eager_bytes) {
    bglml_eager_t* message = &request->u.eager;
    if (layout != NULL) {
      bglml_eager_init_layout(message, eager_port, peer, &metadata, from, layout, send_complete, request);
    } else {
      bglml_eager_init(message, eager_port, peer, &metadata, from, request->bytes, send_complete, request);
    }
    bglml_eager_post(message);
  } else if (!asks && request->bytes <= limits->adaptive_bytes) {
    bglml_adaptive_t* message = &request->u.adaptive;
    if (layout != NULL) {
      bglml_adaptive_init_layout(message, adaptive_port, peer, &metadata, from, layout, send_complete, request);
    } else {
      bglml_adaptive_init(message, adaptive_port, peer, &metadata, from, request->bytes, send_complete, request);
    }
    bglml_adaptive_post(message);
  } else {
    bglml_rendezvous_t* message = &request->u.rendezvous;
    if (layout != NULL) {
      bglml_rendezvous_init_layout(message, rendezvous_port, peer, &metadata, from, layout, send_complete, request);
    } else {
      bglml_rendezvous_init(message, rendezvous_port, peer, &metadata, from, request->bytes, send_complete, request);
    }
    bglml_rendezvous_post(message);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

/// A receive has met its message.
static void matched(bglmpi_request_t* request, const bglmpi_envelope_t* envelope, uint32_t length) {
  request->status.MPI_SOURCE = (int)envelope->source;
  request->status.MPI_TAG = envelope->tag;
  request->status.bytes_ = (int)length;
  if (length > request->bytes) {
    request->cut = true;
    request->status.bytes_ = (int)request->bytes;
    request->status.MPI_ERROR = MPI_ERR_TRUNCATE;
  }
  if (length != 0 && !bglmpi_basics_match((bglmpi_basic_t)envelope->basic, request->basic) &&
      bglmpi_limits()->check_types) {
    request->status.MPI_ERROR = MPI_ERR_TYPE;
  }
}

/// All bytes are there: in the user's buffer, or in `packed`.
static void receive_complete(void* context) {
  bglmpi_request_t* request = context;
  if (request->packed != NULL) {
    bglmpi_unpack(request->packed, (uint32_t)request->status.bytes_, request->buffer, request->count,
                  request->datatype);
  }
  complete(request);
}

/// From memory where they will not stay.
static void receive_from(bglmpi_request_t* request, const void* data) {
  bglmpi_unpack(data, (uint32_t)request->status.bytes_, request->buffer, request->count, request->datatype);
  complete(request);
}

/// Where a message of `length` bytes shall go.
static void* destination(bglmpi_request_t* request, uint32_t length, const bglml_layout_t** layout) {
  void* to;
  if (!request->cut && direct(request, &to, layout)) return to;
  *layout = NULL;
  request->packed = bglmpi_allocate_aligned(length);
  return request->packed;
}

static bglmpi_unexpected_t* keep(const bglmpi_envelope_t* envelope, uint32_t length, bglmpi_protocol_t protocol) {
  bglmpi_unexpected_t* message = bglmpi_allocate_aligned(sizeof *message);
  message->envelope = *envelope;
  message->length = length;
  message->protocol = protocol;
  if (protocol != BGLMPI_BY_RENDEZVOUS) message->data = bglmpi_allocate_aligned(length);
  bglmpi_unexpected_add(message);
  return message;
}

static void discard(bglmpi_unexpected_t* message) {
  bglmpi_free(message->data);
  bglmpi_free(message);
}

static void unexpected_complete(void* context) {
  bglmpi_unexpected_t* message = context;
  message->complete = true;
  if (message->taker == NULL) return;
  receive_from(message->taker, message->data);
  discard(message);
}

/// The receive that a message of `length` bytes meets; or NULL, and the message kept for a later one in *kept.
static bglmpi_request_t* arrive(const void* metadata, uint32_t length, bglmpi_protocol_t protocol,
                                bglmpi_unexpected_t** kept) {
  bglmpi_envelope_t envelope;
  memcpy(&envelope, metadata, sizeof envelope);
  bglmpi_request_t* request = bglmpi_match_posted(&envelope);
  if (request != NULL) {
    matched(request, &envelope, length);
  } else {
    *kept = keep(&envelope, length, protocol);
  }
  return request;
}

static void one_packet_come(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)source, (void)argument;
  const uint8_t* data = (const uint8_t*)buffer + sizeof(bglmpi_envelope_t);
  length -= (uint32_t)sizeof(bglmpi_envelope_t);
  bglmpi_unexpected_t* message;
  bglmpi_request_t* request = arrive(buffer, length, BGLMPI_BY_PACKET, &message);
  if (request != NULL) {
    receive_from(request, data);
    return;
  }
  memcpy(message->data, data, length);
  message->complete = true;
}

static bglml_eager_receive_t* eager_come(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                         uint32_t length) {
  (void)context, (void)source;
  bglmpi_unexpected_t* message;
  bglmpi_request_t* request = arrive(metadata, length, BGLMPI_BY_EAGER, &message);
  if (request == NULL) {
    bglml_eager_receive_init(&message->u.eager, message->data, unexpected_complete, message);
    return &message->u.eager;
  }
  const bglml_layout_t* layout;
  void* to = destination(request, length, &layout);
  bglml_eager_receive_t* receive = &request->u.eager_receive;
  if (layout != NULL) {
    bglml_eager_receive_init_layout(receive, to, layout, receive_complete, request);
  } else {
    bglml_eager_receive_init(receive, to, receive_complete, request);
  }
  return receive;
}

static bglml_adaptive_receive_t* adaptive_come(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                               uint32_t length) {
  (void)context, (void)source;
  bglmpi_unexpected_t* message;
  bglmpi_request_t* request = arrive(metadata, length, BGLMPI_BY_ADAPTIVE, &message);
  if (request == NULL) {
    bglml_adaptive_receive_init(&message->u.adaptive, message->data, unexpected_complete, message);
    return &message->u.adaptive;
  }
  const bglml_layout_t* layout;
  void* to = destination(request, length, &layout);
  bglml_adaptive_receive_t* receive = &request->u.adaptive_receive;
  if (layout != NULL) {
    bglml_adaptive_receive_init_layout(receive, to, layout, receive_complete, request);
  } else {
    bglml_adaptive_receive_init(receive, to, receive_complete, request);
  }
  return receive;
}

/// Prepare the reception of an offered message.
static bglml_rendezvous_receive_t* accepting(bglmpi_request_t* request, uint32_t length) {
  const bglml_layout_t* layout;
  void* to = destination(request, length, &layout);
  bglml_rendezvous_receive_t* receive = &request->u.rendezvous_receive;
  if (layout != NULL) {
    bglml_rendezvous_receive_init_layout(receive, to, layout, receive_complete, request);
  } else {
    const uint32_t room = request->packed != NULL ? length : request->bytes;
    bglml_rendezvous_receive_init(receive, to, room, receive_complete, request);
  }
  return receive;
}

static bglml_rendezvous_receive_t* rendezvous_come(void* context, const bglml_rendezvous_offer_t* offer) {
  (void)context;
  bglmpi_unexpected_t* message;
  bglmpi_request_t* request = arrive(&offer->metadata, offer->length, BGLMPI_BY_RENDEZVOUS, &message);
  if (request != NULL) return accepting(request, offer->length);
  message->u.offer = *offer;
  return NULL;
}

static void receive_taken(bglmpi_request_t* request, bglmpi_unexpected_t* message) {
  matched(request, &message->envelope, message->length);
  if (message->protocol == BGLMPI_BY_RENDEZVOUS) {
    bglml_rendezvous_accept(&message->u.offer, accepting(request, message->length));
    discard(message);
  } else if (message->complete) {
    receive_from(request, message->data);
    discard(message);
  } else {
    message->taker = request;
  }
}

static void receive(bglmpi_request_t* request) {
  bglmpi_unexpected_t* message = bglmpi_match_unexpected(request);
  if (message == NULL) {
    bglmpi_post(request);
  } else {
    receive_taken(request, message);
  }
}

void bglmpi_unexpected_status(const bglmpi_unexpected_t* message, MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = (int)message->envelope.source;
  status->MPI_TAG = message->envelope.tag;
  status->bytes_ = (int)message->length;
  status->cancelled_ = 0;
}

// ---------------------------------------------------------------------------------------------------------------

static void reset(bglmpi_request_t* request) {
  request->complete = 0;
  request->cut = false;
  request->status = (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG};
}

void bglmpi_start_taken(bglmpi_request_t* request, bglmpi_unexpected_t* message) {
  reset(request);
  bglmpi_retain(request);
  receive_taken(request, message);
}

void bglmpi_start(bglmpi_request_t* request) {
  reset(request);
  if (request->peer == MPI_PROC_NULL) {
    request->status.MPI_SOURCE = MPI_PROC_NULL;
    bglmpi_set_complete(request);
    return;
  }
  bglmpi_retain(request);
  if (request->kind == BGLMPI_SEND) {
    send(request);
  } else {
    receive(request);
  }
}

void bglmpi_transport_init(void) {
  static bglmpi_object_t no_message;  // no other may have its handle
  bglmpi_object_open_as(&no_message, MPI_MESSAGE_NO_PROC);
  one_packet_port = bglml_one_packet_register(one_packet_come, NULL);
  eager_port = bglml_eager_register(eager_come, NULL);
  adaptive_port = bglml_adaptive_register(adaptive_come, NULL);
  rendezvous_port = bglml_rendezvous_register(rendezvous_come, NULL);
}
