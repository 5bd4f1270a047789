// SPDX-License-Identifier: Apache-2.0
// Requests, by PAMI_Send. Messages begin to arrive in order, but one whose data are fetched ends later than those
// behind it: these wait, so that the requests of an endpoint are handled in order.
//
// The program's requests go to the context that serves them, a handler's answers to the one at which the program waits.
#include <stdlib.h>
#include <string.h>

#include "firmware/armci/bgq/bgq.h"

/// A request that has begun to arrive and cannot be handled yet.
typedef struct waiting {
  struct waiting* next;
  uint32_t source;
  uint16_t offset;  ///< of the context at which it arrives
  bool arrived;
  uint16_t header_bytes;
  uint32_t bytes;
  uint8_t* payload;                                 ///< behind the header, or a buffer of its own
  uint8_t* buffer;                                  ///< that one, or NULL
  uint8_t contents[] __attribute__((aligned(16)));  ///< the header, and a short payload
} waiting_t;

typedef struct {
  waiting_t *first, *last;
} queue_t;

/// Of each process, in the order of its requests, for each context.
static queue_t* queues[ARMCIB_CONTEXTS_MAX];

static void handle(unsigned offset, uint32_t source, const void* header, size_t header_bytes, const void* payload,
                   size_t bytes) {
  const int before = armcib_handling;
  armcib_handling = (int)offset;
  armcii_handle(source, header, header_bytes, payload, bytes);
  armcib_handling = before;
}

static waiting_t* enqueue(queue_t* queue, unsigned offset, uint32_t source, const void* header, size_t header_bytes,
                          size_t beside) {
  waiting_t* const waiting = armcii_buffer_for(sizeof *waiting + header_bytes + beside);
  *waiting = (waiting_t){.source = source, .offset = (uint16_t)offset, .header_bytes = (uint16_t)header_bytes};
  memcpy(waiting->contents, header, header_bytes);
  if (queue->first == NULL) {
    queue->first = waiting;
  } else {
    queue->last->next = waiting;
  }
  queue->last = waiting;
  return waiting;
}

static void payload_arrived(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context;
  armcib_check(result, "the arrival of a request");
  waiting_t* waiting = cookie;
  const unsigned offset = waiting->offset;
  const uint32_t source = waiting->source;
  queue_t* const queue = &queues[offset][source];
  waiting->arrived = true;
  while ((waiting = queue->first) != NULL && waiting->arrived) {
    handle(offset, source, waiting->contents, waiting->header_bytes, waiting->payload, waiting->bytes);
    queue->first = waiting->next;
    if (waiting->buffer != NULL) armcii_buffer_free(waiting->buffer);
    armcii_buffer_free(waiting);
  }
}

static void request_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                            const void* payload, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context;
  const unsigned offset = (unsigned)(uintptr_t)cookie;
  pami_task_t source;
  size_t from;
  armcib_check(PAMI_Endpoint_query(origin, &source, &from), "PAMI_Endpoint_query");
  queue_t* const queue = &queues[offset][source];
  if (receiver == NULL) {
    // Packets are aligned, and headers are of whole words.
    if (queue->first == NULL) {
      handle(offset, source, header, header_bytes, payload, bytes);
      return;
    }
    waiting_t* const waiting = enqueue(queue, offset, source, header, header_bytes, bytes);
    waiting->payload = waiting->contents + header_bytes;
    waiting->bytes = (uint32_t)bytes;
    waiting->arrived = true;
    memcpy(waiting->payload, payload, bytes);
    return;
  }
  waiting_t* const waiting = enqueue(queue, offset, source, header, header_bytes, 0);
  waiting->payload = waiting->buffer = armcii_buffer_for(bytes);
  waiting->bytes = (uint32_t)bytes;
  receiver->addr = waiting->payload;
  receiver->local_fn = payload_arrived;
  receiver->cookie = waiting;
}

void armcib_open_requests(void) {
  for (unsigned i = 0; i <= armcib_service; ++i) {
    queues[i] = calloc(armcib_size(), sizeof *queues[i]);
    if (queues[i] == NULL) armcii_fail("there is no memory for requests of %u processes", armcib_size());
  }
  armcib_set_dispatch(ARMCIB_REQUEST, request_arrives);
}

void armcib_request(uint32_t target, const void* header, size_t header_bytes, const void* payload, size_t bytes,
                    armcib_done_t done, void* context) {
  pami_context_t const from = armcib_contexts[armcib_handling < 0 ? ARMCIB_OWN : armcib_handling];
  armcib_operation_t* const operation = armcib_operation_new(done, context);
  memcpy(operation->header, header, header_bytes);
  pami_send_t send = {.send = {.header = {.iov_base = operation->header, .iov_len = header_bytes},
                               .data = {.iov_base = (void*)(uintptr_t)payload, .iov_len = bytes},
                               .dispatch = ARMCIB_REQUEST,
                               .dest = armcib_endpoint(target, armcib_handling < 0 ? armcib_service : ARMCIB_OWN)},
                      .events = {.cookie = operation, .local_fn = armcib_operation_done}};
  armcib_check(PAMI_Send(from, &send), "PAMI_Send");
}
