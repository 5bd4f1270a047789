// SPDX-License-Identifier: Apache-2.0
// Asynchronous broadcast whose receivers do not call: the message comes as those of DCMF_Send do, cb_recv states where
// it shall go, and when it is there it is sent on along the binomial tree of its geometry.
#include <stddef.h>

#include "firmware/bgp/dcmf/collective/collective.h"

enum { MOST_CHILDREN = 20 };  // of 2^20 ranks

// What a registration holds. Messages of the broadcast name `messages`.
typedef struct {
  dcmf_collective_protocol_t collective;
  dcmf_protocol_t messages;
  DCMF_RecvAsyncBroadcast receive;
} registration_t;
_Static_assert(sizeof(registration_t) <= sizeof(DCMF_CollectiveProtocol_t), "a registration holds what it has to");

// What is in the DCMF_CollectiveRequest_t of the root, or in that which cb_recv has given.
typedef struct {
  dcmf_request_t request;  // whose cb_done is called at the end
  const dcmf_geometry_t* geometry;
  const registration_t* registration;
  uint32_t root;  // its place
  uint32_t bytes;
  char* buffer;
  char* wanted;  // where the program wants the first `length` bytes, if `buffer` is not that
  uint32_t length;
  uint32_t pending;  // children, and the loop that tells them
  bool own;          // the program has given no request
  DCMF_Request_t children[MOST_CHILDREN];
} broadcast_t;
_Static_assert(sizeof(broadcast_t) <= sizeof(DCMF_CollectiveRequest_t), "a request holds what it has to");

static void give_buffer(broadcast_t* broadcast) {
  if (broadcast->buffer != broadcast->wanted) dcmf_buffer_give(broadcast->buffer, broadcast->bytes);
}

static void one_is_done(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  broadcast_t* broadcast = clientdata;
  if (--broadcast->pending != 0) return;
  give_buffer(broadcast);
  if (broadcast->own) {
    dcmf_buffer_give((char*)broadcast, sizeof *broadcast);
  } else {
    dcmf_complete(&broadcast->request);
  }
}

static void tell(broadcast_t* broadcast, unsigned child, uint32_t place) {
  const dcmf_geometry_t* geometry = broadcast->geometry;
  const uint32_t rank = dcmf_member(geometry, (place + broadcast->root) % geometry->count);
  const DCMF_Callback_t done = {one_is_done, broadcast};
  dcmf_operation_t* operation =
      dcmf_prepare(&broadcast->children[child], done, rank, broadcast->bytes, DCMF_MATCH_CONSISTENCY);
  operation->data = broadcast->buffer;
  operation->word[0] = geometry->id;
  operation->word[1] = dcmf_member(geometry, broadcast->root);
  ++broadcast->pending;
  if (dcmf_send(operation, &broadcast->registration->messages, dcmf_instance->eager_bytes) != DCMF_SUCCESS)
    dcmf_fatal("asynchronous broadcast: %u bytes at %p are not memory of this process", (unsigned)broadcast->bytes,
               (void*)broadcast->buffer);
}

// The data is here: tells those that hear of it from here (broadcast.c).
static void go_on(broadcast_t* broadcast) {
  const dcmf_geometry_t* geometry = broadcast->geometry;
  const uint32_t count = geometry->count;
  const uint32_t place = (geometry->self + count - broadcast->root) % count;
  broadcast->pending = 1;
  unsigned child = 0;
  uint32_t bit = place ? place & -place : 1u << MOST_CHILDREN;
  for (bit >>= 1; bit != 0; bit >>= 1) {
    if ((place | bit) < count) tell(broadcast, child++, place | bit);
  }
  one_is_done(broadcast, NULL);
}

// The root ---------------------------------------------------------------------------------------------------------

static void restart(dcmf_request_t* request) {
  go_on((broadcast_t*)(void*)request);
}

int dcmf_async_broadcast(DCMF_CollectiveProtocol_t* registration, DCMF_CollectiveRequest_t* memory,
                         DCMF_Callback_t cb_done, DCMF_Geometry_t* geometry, unsigned root, char* src, unsigned bytes) {
  dcmf_geometry_t* of = geometry ? dcmf_geometry_in(geometry) : dcmf_world();
  const uint32_t place = dcmf_place_of(of, root);
  if (place == of->count || of->self != place) return DCMF_INVAL;
  broadcast_t* broadcast = (broadcast_t*)(void*)memory;
  memset(broadcast, 0, offsetof(broadcast_t, children));
  broadcast->request.cb_done = cb_done;
  broadcast->request.due = broadcast->request.parts = 1;
  broadcast->request.restart = restart;
  broadcast->geometry = of;
  broadcast->registration = (const registration_t*)(void*)registration;
  broadcast->root = place;
  broadcast->bytes = bytes;
  broadcast->buffer = broadcast->wanted = src;
  go_on(broadcast);
  return DCMF_SUCCESS;
}

// Receivers ----------------------------------------------------------------------------------------------------------

// Asks the program where the message is to go. What it does not take whole goes on from a buffer all the same.
static broadcast_t* ask(dcmf_protocol_t* messages, const dcmf_header_t* header, uint32_t source) {
  const registration_t* registration =
      (const registration_t*)(void*)((char*)messages - offsetof(registration_t, messages));
  DCMF_Geometry_t* geometry =
      registration->collective.find ? registration->collective.find((int)header->word[0]) : NULL;
  const dcmf_geometry_t* of = geometry ? dcmf_geometry_in(geometry) : dcmf_world();
  const uint32_t root = dcmf_place_of(of, header->word[1]);
  if (root == of->count || of->self == of->count)
    dcmf_fatal("rank %u broadcasts in geometry %u, to which not both belong", source, (unsigned)header->word[0]);
  unsigned length = header->bytes;
  char* wanted = NULL;
  DCMF_Callback_t cb_done = {NULL, NULL};
  broadcast_t* broadcast =
      registration->receive(header->word[1], header->word[0], header->bytes, &length, &wanted, &cb_done);
  const bool own = broadcast == NULL;
  if (own) broadcast = (broadcast_t*)(void*)dcmf_buffer_take(sizeof *broadcast);
  memset(broadcast, 0, offsetof(broadcast_t, children));
  broadcast->own = own;
  broadcast->request.cb_done = cb_done;
  broadcast->request.due = broadcast->request.parts = 1;
  broadcast->geometry = of;
  broadcast->registration = registration;
  broadcast->root = root;
  broadcast->bytes = header->bytes;
  broadcast->wanted = wanted;
  broadcast->length = own ? 0 : length;
  const bool whole = !own && length >= header->bytes;
  broadcast->buffer = whole ? wanted : dcmf_buffer_take(header->bytes);
  return broadcast;
}

static void arrived(broadcast_t* broadcast) {
  if (broadcast->buffer != broadcast->wanted && broadcast->length)
    memcpy(broadcast->wanted, broadcast->buffer, broadcast->length);
  go_on(broadcast);
}

static void take(dcmf_protocol_t* messages, const dcmf_header_t* header, const DCQuad* info, const char* data,
                 uint32_t source) {
  (void)info;
  broadcast_t* broadcast = ask(messages, header, source);
  if (header->bytes) memcpy(broadcast->buffer, data, header->bytes);
  arrived(broadcast);
}

static void finish(dcmf_reception_t* reception) {
  arrived(reception->owner);
}

static int offer(dcmf_protocol_t* messages, const dcmf_header_t* header, const DCQuad* info,
                 dcmf_reception_t* reception) {
  (void)info;
  broadcast_t* broadcast = ask(messages, header, reception->source);
  reception->buffer = broadcast->buffer;
  reception->length = header->bytes;
  reception->finish = finish;
  reception->owner = broadcast;
  return DCMF_ACCEPT;
}

int dcmf_async_broadcast_register(DCMF_CollectiveProtocol_t* memory,
                                  const DCMF_AsyncBroadcast_Configuration_t* configuration) {
  registration_t* registration = (registration_t*)(void*)memory;
  if (configuration->cb_recv == NULL) return DCMF_INVAL;
  registration->receive = configuration->cb_recv;
  registration->messages.take = take;
  registration->messages.accept = offer;
  return dcmf_register(&registration->messages);
}
