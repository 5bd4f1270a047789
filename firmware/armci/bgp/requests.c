// SPDX-License-Identifier: Apache-2.0
// Requests, by DCMF_Send. Messages of a process begin to arrive in order, but one whose data are fetched by rendezvous
// ends later than those behind it: these wait, so that requests are handled in order.
#include <stdlib.h>
#include <string.h>

#include "firmware/armci/bgp/bgp.h"

static DCMF_Protocol_t protocol;
bool armcib_in_handler;

/// A request that has begun to arrive and cannot be handled yet.
typedef struct waiting {
  struct waiting* next;
  uint32_t source;
  bool arrived;
  uint16_t header_bytes;
  uint32_t bytes;
  uint8_t* payload;                                 ///< behind the header, or a buffer of its own
  uint8_t* buffer;                                  ///< that one, or NULL
  uint8_t contents[] __attribute__((aligned(16)));  ///< the header, and a short payload
} waiting_t;

/// Of each process, in the order of the requests.
static struct { waiting_t *first, *last; } * queues;

_Static_assert(ARMCIB_HEADER_MAX <= 7 * sizeof(DCQuad), "a header is in msginfo");

static void handle(uint32_t source, const void* header, size_t header_bytes, const void* payload, size_t bytes) {
  armcib_in_handler = true;
  armcii_handle(source, header, header_bytes, payload, bytes);
  armcib_in_handler = false;
}

static waiting_t* enqueue(uint32_t source, const DCQuad* info, unsigned count, size_t beside) {
  waiting_t* const waiting = armcii_buffer_for(sizeof *waiting + count * sizeof *info + beside);
  *waiting = (waiting_t){.source = source, .header_bytes = (uint16_t)(count * sizeof *info)};
  memcpy(waiting->contents, info, waiting->header_bytes);
  if (queues[source].first == NULL) {
    queues[source].first = waiting;
  } else {
    queues[source].last->next = waiting;
  }
  queues[source].last = waiting;
  return waiting;
}

/// A whole message in one packet.
static void receive_short(void* context, const DCQuad* info, unsigned count, size_t peer, const char* payload,
                          size_t bytes) {
  (void)context;
  const uint32_t source = (uint32_t)peer;
  if (queues[source].first == NULL) {
    handle(source, info, count * sizeof *info, payload, bytes);
    return;
  }
  waiting_t* const waiting = enqueue(source, info, count, bytes);
  waiting->payload = waiting->contents + waiting->header_bytes;
  waiting->bytes = (uint32_t)bytes;
  waiting->arrived = true;
  memcpy(waiting->payload, payload, bytes);
}

static void payload_arrived(void* context, DCMF_Error_t* error) {
  (void)error;
  waiting_t* waiting = context;
  const uint32_t source = waiting->source;
  waiting->arrived = true;
  while ((waiting = queues[source].first) != NULL && waiting->arrived) {
    handle(source, waiting->contents, waiting->header_bytes, waiting->payload, waiting->bytes);
    queues[source].first = waiting->next;
    if (waiting->buffer != NULL) armcii_buffer_free(waiting->buffer);
    armcii_buffer_free(waiting);
  }
}

static DCMF_Request_t* receive_long(void* context, const DCQuad* info, unsigned count, size_t peer, size_t bytes,
                                    size_t* length, char** buffer, DCMF_Callback_t* done) {
  static DCMF_Request_t request;  // DCMF keeps nothing in it
  (void)context;
  waiting_t* const waiting = enqueue((uint32_t)peer, info, count, 0);
  waiting->payload = waiting->buffer = armcii_buffer_for(bytes);
  waiting->bytes = (uint32_t)bytes;
  *length = bytes;
  *buffer = (char*)waiting->payload;
  *done = (DCMF_Callback_t){.function = payload_arrived, .clientdata = waiting};
  return &request;
}

void armcib_register_requests(void) {
  queues = calloc(DCMF_Messager_size(), sizeof *queues);
  if (queues == NULL) armcii_fail("there is no memory for requests of %zu processes", DCMF_Messager_size());
  DCMF_Send_Configuration_t configuration = {.protocol = DCMF_DEFAULT_SEND_PROTOCOL,
                                             .network = DCMF_DEFAULT_NETWORK,
                                             .cb_recv_short = receive_short,
                                             .cb_recv = receive_long};
  armcib_check(DCMF_Send_register(&protocol, &configuration), "DCMF_Send_register");
}

void armcib_request(uint32_t target, const void* header, size_t header_bytes, const void* payload, size_t bytes,
                    armcib_done_t done, void* context) {
  DCQuad info[7];
  memcpy(info, header, header_bytes);
  const unsigned count = (unsigned)((header_bytes + sizeof *info - 1) / sizeof *info);
  if (done != NULL) {
    armcib_operation_t* const operation = armcib_operation_new(done, context);
    armcib_check(DCMF_Send(&protocol, &operation->request, armcib_operation_done(operation), DCMF_MATCH_CONSISTENCY,
                           target, bytes, (char*)(uintptr_t)payload, info, count),
                 "DCMF_Send");
    return;
  }
  // A request of which no word is wanted is not touched after the call.
  DCMF_Request_t request;
  const DCMF_Callback_t none = {.function = NULL};
  armcib_check(DCMF_Send(&protocol, &request, none, DCMF_MATCH_CONSISTENCY, target, bytes, (char*)(uintptr_t)payload,
                         info, count),
               "DCMF_Send");
}
