// SPDX-License-Identifier: Apache-2.0
// Requests, by PAMI_Send. Messages begin to arrive in order, but one whose data are fetched ends later than those
// behind it.
//
// The program's requests go to the context that serves them, a handler's answers to the one at which the program waits.
#include <stdlib.h>
#include <string.h>

#include "firmware/armci/arrivals.h"
#include "firmware/armci/bgq/bgq.h"
#include "firmware/hot.h"

/// Of each process, for each context.
static armcii_arrivals_t* arrivals[ARMCIB_CONTEXTS_MAX];

static void handle(unsigned offset, uint32_t source, const void* header, size_t header_bytes, const void* payload,
                   size_t bytes) {
  const int before = armcib_handling;
  armcib_handling = (int)offset;
  armcii_handle(source, header, header_bytes, payload, bytes);
  armcib_handling = before;
}

static void payload_arrived(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context;
  armcib_check(result, "the arrival of a request");
  armcii_arrival_ends(cookie);
}

HOT_OF_SENDS static void request_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                                         const void* payload, size_t bytes, pami_endpoint_t origin,
                                         pami_recv_t* receiver) {
  (void)context;
  const unsigned offset = (unsigned)(uintptr_t)cookie;
  pami_task_t source;
  size_t from;
  armcib_check(PAMI_Endpoint_query(origin, &source, &from), "PAMI_Endpoint_query");
  // Packets are aligned, and headers are of whole words.
  if (receiver == NULL) {
    armcii_arrives(&arrivals[offset][source], handle, offset, source, header, header_bytes, payload, bytes);
    return;
  }
  armcii_arrival_t* arrival;
  receiver->addr =
      armcii_arrival_begins(&arrivals[offset][source], handle, offset, source, header, header_bytes, bytes, &arrival);
  receiver->local_fn = payload_arrived;
  receiver->cookie = arrival;
}

void armcib_open_requests(void) {
  for (unsigned i = 0; i <= armcib_service; ++i) {
    arrivals[i] = calloc(armcib_size(), sizeof *arrivals[i]);
    if (arrivals[i] == NULL) armcii_fail("there is no memory for requests of %u processes", armcib_size());
  }
  armcib_set_dispatch(ARMCIB_REQUEST, request_arrives);
}

HOT_OF_SENDS void armcib_request(uint32_t target, const void* header, size_t header_bytes, const void* payload,
                                 size_t bytes, armcib_done_t done, void* context) {
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
