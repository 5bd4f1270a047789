// SPDX-License-Identifier: Apache-2.0
// Packets that come, and the messages they make.
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include "firmware/bgq/pami/reception.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/bgq/pami/held.h"
#include "firmware/bgq/pami/operation.h"
#include "firmware/bgq/pami/packet.h"
#include "firmware/bgq/pami/resources.h"
#include "firmware/bgq/pami/types/layout.h"
#include "firmware/hot.h"

enum { kLine = 128, kDefaultBytes = 256 << 10, kBuckets = 64, kPacketBytes = 544 };

// A message of which packets are still to come, or whose data are being fetched.
typedef struct stream {
  struct stream* next;
  pami_endpoint_t origin;
  uint16_t dispatch;
  bool by_request;
  pami_start_t start;
  uint64_t received;  // of the header, then of the data
  uint8_t* header;    // a long one
  pami_recv_t receiver;
  uint8_t* target;  // where data go: the receiver's memory, or a buffer from which they are taken at the end
  bool in_buffer;
} stream_t;

typedef struct pami_reception {
  MUSPI_RecFifoSubGroup_t group;
  MUSPI_RecFifo_t* fifo;
  uint32_t number;
  void* memory;
  stream_t* streams[kBuckets];
  stream_t* unused;
  pami_held_t held;
} pami_reception_t;

pami_result_t pami_reception_open(pami_context_impl_t* context) {
  const uint64_t bytes = pami_bytes_of_environment("MUSPI_RECFIFOSIZE", kDefaultBytes, 2 * kPacketBytes, 32);
  const unsigned subgroup = pami_reception_subgroup(pami_job.process, context->offset);
  pami_reception_t* reception;
  if (posix_memalign((void**)&reception, kLine, sizeof *reception) != 0) return PAMI_ENOMEM;
  memset(reception, 0, sizeof *reception);
  if (posix_memalign(&reception->memory, kLine, bytes) != 0) return PAMI_ENOMEM;
  reception->number = pami_reception_number(context->client->number);
  Kernel_RecFifoAttributes_t attributes = {0};
  if (Kernel_AllocateRecFifos(subgroup, &reception->group, 1, &reception->number, &attributes) != 0)
    return pami_error(PAMI_ERROR, "reception FIFO %u of subgroup %u is not free", reception->number, subgroup);
  Kernel_MemoryRegion_t region = {.Bytes = bytes,
                                  .BaseVa = reception->memory,
                                  .BasePa = (void*)pami_physical(reception->memory, "a reception FIFO")};
  Kernel_RecFifoInit(&reception->group, reception->number, &region, 0, bytes - 1);
  Kernel_RecFifoEnable(subgroup / 4, 0x8000u >> (subgroup % 4 * 4 + reception->number));
  reception->fifo = &reception->group._recfifos[reception->number];
  context->reception = reception;
  return PAMI_SUCCESS;
}

void pami_reception_close(pami_context_impl_t* context) {
  pami_reception_t* reception = context->reception;
  Kernel_DeallocateRecFifos(&reception->group, 1, &reception->number);
  pami_held_close(&reception->held, context);
  free(reception->memory);
  free(reception);
}

// Messages ----------------------------------------------------------------------------------------------------------

// Of several the newest: a message that has been held comes whole while another one may be under way.
static stream_t** find(pami_reception_t* reception, pami_endpoint_t origin) {
  stream_t** link = &reception->streams[(origin ^ origin >> 23) % kBuckets];
  while (*link != NULL && (*link)->origin != origin) link = &(*link)->next;
  return link;
}

static stream_t* begin(pami_context_impl_t* context, const pami_packet_t* packet) {
  pami_reception_t* reception = context->reception;
  stream_t* stream = reception->unused;
  if (stream != NULL)
    reception->unused = stream->next;
  else if ((stream = malloc(sizeof *stream)) == NULL)
    pami_fatal("there is no memory for a message that comes");
  memset(stream, 0, sizeof *stream);
  stream->origin = packet->origin;
  stream->dispatch = packet->dispatch;
  return stream;
}

HOT_OF_SENDS static void discard(pami_context_impl_t* context, stream_t* stream) {
  free(stream->header);
  stream->next = context->reception->unused;
  context->reception->unused = stream;
}

static const pami_dispatch_t* dispatch_of(pami_context_impl_t* context, unsigned number, pami_endpoint_t origin) {
  const pami_dispatch_t* dispatch = &context->dispatch[number % PAMI_DISPATCHES];
  if (dispatch->fn.p2p == NULL)
    pami_fatal("a message from task %u has dispatch %u, which context %u has not set", pami_task_of(origin), number,
               context->offset);
  return dispatch;
}

static bool plain(const pami_dispatch_t* dispatch, const pami_recv_t* receiver) {
  return (dispatch->hints.recv_contiguous == PAMI_HINT_ENABLE || pami_type_contiguous(receiver->type)) &&
         (dispatch->hints.recv_copy == PAMI_HINT_ENABLE || receiver->data_fn == NULL ||
          receiver->data_fn == PAMI_DATA_COPY);
}

// The result is the receiver's: its type may not be complete, or its data function may not be for its type.
static pami_result_t hand_over(pami_recv_t* receiver, const pami_dispatch_t* dispatch, void* data, size_t bytes) {
  if (bytes == 0) return PAMI_SUCCESS;
  const pami_type_t type = dispatch->hints.recv_contiguous == PAMI_HINT_ENABLE ? PAMI_TYPE_BYTE : receiver->type;
  const bool copies = dispatch->hints.recv_copy == PAMI_HINT_ENABLE || receiver->data_fn == NULL;
  return PAMI_Type_transform_data(data, PAMI_TYPE_BYTE, 0, receiver->addr, type, receiver->offset, bytes,
                                  copies ? PAMI_DATA_COPY : receiver->data_fn, receiver->data_cookie);
}

// All data are there.
static void finish(pami_context_impl_t* context, stream_t* stream) {
  const pami_dispatch_t* dispatch = &context->dispatch[stream->dispatch];
  pami_result_t result = PAMI_SUCCESS;
  if (stream->in_buffer) {
    result = hand_over(&stream->receiver, dispatch, stream->target, stream->start.data_bytes);
    free(stream->target);
  }
  const pami_recv_t receiver = stream->receiver;
  if (stream->start.arrival != 0) pami_tell_arrival(context, stream->origin, stream->start.arrival);
  discard(context, stream);
  if (receiver.local_fn != NULL) receiver.local_fn(context, receiver.cookie, result);
}

static void fetched(pami_context_impl_t* context, pami_operation_t* operation) {
  stream_t* stream = operation->more;
  pami_operation_end(context, operation);
  finish(context, stream);
}

static void fetch(pami_context_impl_t* context, stream_t* stream) {
  pami_operation_t* operation = pami_operation_begin(context, stream->origin);
  operation->ended = fetched;
  operation->more = stream;
  pami_remote_get(context, operation, stream->start.source, pami_physical(stream->target, "a message's receiver"),
                  stream->start.data_bytes);
}

// The header is there: asks the dispatch function where the data shall go. Returns whether pieces of data will come.
static bool open_data(pami_context_impl_t* context, stream_t* stream, const void* header) {
  const pami_dispatch_t* dispatch = dispatch_of(context, stream->dispatch, stream->origin);
  pami_recv_t* receiver = &stream->receiver;
  *receiver = (pami_recv_t){.type = PAMI_TYPE_BYTE};
  stream->received = 0;
  const size_t bytes = stream->start.data_bytes;
  const bool at_once = bytes == 0 && dispatch->hints.recv_immediate != PAMI_HINT_DISABLE;
  dispatch->fn.p2p(context, dispatch->cookie, header, stream->start.header_bytes, at_once ? header : NULL, bytes,
                   stream->origin, at_once ? NULL : receiver);
  if (bytes == 0) {
    finish(context, stream);
    return false;
  }
  stream->in_buffer = !plain(dispatch, receiver);
  const size_t offset = dispatch->hints.recv_contiguous == PAMI_HINT_ENABLE ? 0 : receiver->offset;
  stream->target = stream->in_buffer ? malloc(bytes) : (uint8_t*)receiver->addr + offset;
  if (stream->target == NULL && stream->in_buffer)
    pami_fatal("there is no memory for a message of %zu bytes that is taken apart", bytes);
  if (!stream->by_request) return true;
  fetch(context, stream);
  return false;
}

// Packets -----------------------------------------------------------------------------------------------------------

static void take_short(pami_context_impl_t* context, const pami_packet_t* packet) {
  const uint8_t* at = (const uint8_t*)(packet + 1);
  uint64_t arrival = 0;
  if (packet->wants_arrival) {
    memcpy(&arrival, at, sizeof arrival);
    at += sizeof arrival;
  }
  const uint8_t* data = at + packet->header_bytes;
  const pami_dispatch_t* dispatch = dispatch_of(context, packet->dispatch, packet->origin);
  const pami_endpoint_t origin = packet->origin;
  pami_recv_t receiver = {.type = PAMI_TYPE_BYTE};
  if (dispatch->hints.recv_immediate != PAMI_HINT_DISABLE) {
    dispatch->fn.p2p(context, dispatch->cookie, at, packet->header_bytes, data, packet->data_bytes, origin, NULL);
  } else {
    dispatch->fn.p2p(context, dispatch->cookie, at, packet->header_bytes, NULL, packet->data_bytes, origin, &receiver);
    const pami_result_t result = hand_over(&receiver, dispatch, (void*)data, packet->data_bytes);
    if (receiver.local_fn != NULL) receiver.local_fn(context, receiver.cookie, result);
  }
  if (arrival != 0) pami_tell_arrival(context, origin, arrival);
}

static void take_start(pami_context_impl_t* context, const pami_packet_t* packet) {
  stream_t* stream = begin(context, packet);
  stream->start = *(const pami_start_t*)(packet + 1);
  stream->by_request = packet->kind == PAMI_REQUEST;
  const bool long_header = stream->start.header_bytes > PAMI_START_HEADER_MAX;
  if (long_header) {
    stream->header = malloc(stream->start.header_bytes);
    if (stream->header == NULL)
      pami_fatal("there is no memory for a header of %llu bytes", (unsigned long long)stream->start.header_bytes);
  } else if (!open_data(context, stream, (const pami_start_t*)(packet + 1) + 1)) {
    return;
  }
  stream_t** list = &context->reception->streams[(stream->origin ^ stream->origin >> 23) % kBuckets];
  stream->next = *list;
  *list = stream;
}

// A piece of a header or of data; the last one takes the message off the list.
static void take_piece(pami_context_impl_t* context, const pami_packet_t* packet, uint32_t packet_bytes) {
  stream_t** link = find(context->reception, packet->origin);
  stream_t* stream = *link;
  if (stream == NULL) pami_fatal("a piece of a message from task %u has no start", pami_task_of(packet->origin));
  const bool is_header = packet->kind == PAMI_HEADER;
  const uint64_t offset = pami_put_offset(packet),
                 all = is_header ? stream->start.header_bytes : stream->start.data_bytes;
  uint64_t bytes = packet_bytes - sizeof *packet;
  if (bytes > all - offset) bytes = all - offset;
  memcpy((is_header ? stream->header : stream->target) + offset, packet + 1, bytes);
  stream->received += bytes;
  if (stream->received < all) return;
  *link = stream->next;
  if (!is_header) {
    finish(context, stream);
  } else if (open_data(context, stream, stream->header)) {
    stream->next = *link;
    *link = stream;
  }
}

HOT_OF_SENDS static void take(pami_context_impl_t* context, const pami_packet_t* packet, uint32_t bytes) {
  switch (packet->kind) {
    case PAMI_SHORT:
      take_short(context, packet);
      break;
    case PAMI_START:
    case PAMI_REQUEST:
      take_start(context, packet);
      break;
    case PAMI_HEADER:
    case PAMI_DATA:
      take_piece(context, packet, bytes);
      break;
    case PAMI_ARRIVED: {
      pami_operation_t* operation = *(pami_operation_t* const*)(packet + 1);
      operation->ended(context, operation);
      break;
    }
    default:
      pami_fatal("a packet of kind %u, which is not PAMI's, has come to context %u", packet->kind, context->offset);
  }
}

static unsigned take_held(pami_context_impl_t* context) {
  unsigned packets = 0;
  for (pami_held_packet_t* kept; (kept = pami_held_take(&context->reception->held)) != NULL; ++packets) {
    take(context, &kept->packet, kept->bytes);
    free(kept);
  }
  return packets;
}

void pami_reception_release(pami_context_impl_t* context, unsigned dispatch) {
  pami_held_release(&context->reception->held, dispatch);
}

HOT unsigned pami_receive(pami_context_impl_t* context) {
  pami_held_t* held = &context->reception->held;
  MUSPI_RecFifo_t* fifo = context->reception->fifo;
  unsigned packets = held->due.first != NULL ? take_held(context) : 0;
  uint32_t wraps = 0;
  const uint32_t available = MUSPI_getAvailableBytes(fifo, &wraps);
  if (available == 0) return packets;
  for (uint32_t handled = 0, bytes = 0; handled < available; handled += bytes) {
    const void* packet = wraps ? MUSPI_getNextPacketWrap(fifo, &bytes) : MUSPI_getNextPacketOptimized(fifo, &bytes);
    if (pami_must_hold(held, context, packet))
      pami_hold(held, context, packet, bytes);
    else
      take(context, packet, bytes);
    ++packets;
    if (wraps) break;
  }
  MUSPI_syncRecFifoHwHead(fifo);
  return packets;
}

bool pami_packets_wait(pami_context_impl_t* context) {
  if (context->reception->held.due.first != NULL) return true;
  MUSPI_Fifo_t* fifo = &context->reception->fifo->_fifo;
  const uint64_t head = (uint64_t)((uint8_t*)MUSPI_getHeadVa(fifo) - (uint8_t*)MUSPI_getStartVa(fifo));
  return MUSPI_getHwTail(fifo) - MUSPI_getStartPa(fifo) != head;
}
