// SPDX-License-Identifier: Apache-2.0
// Requests, by DCMF_Send. Messages of a process begin to arrive in order, but one whose data are fetched by rendezvous
// ends later than those behind it.
#include <stdlib.h>
#include <string.h>

#include "firmware/armci/arrivals.h"
#include "firmware/armci/bgp/bgp.h"

static DCMF_Protocol_t protocol;
bool armcib_in_handler;

/// Of each process.
static armcii_arrivals_t* arrivals;

_Static_assert(ARMCIB_HEADER_MAX <= 7 * sizeof(DCQuad), "a header is in msginfo");

static void handle(unsigned place, uint32_t source, const void* header, size_t header_bytes, const void* payload,
                   size_t bytes) {
  (void)place;
  armcib_in_handler = true;
  armcii_handle(source, header, header_bytes, payload, bytes);
  armcib_in_handler = false;
}

/// A whole message in one packet.
static void receive_short(void* context, const DCQuad* info, unsigned count, size_t peer, const char* payload,
                          size_t bytes) {
  (void)context;
  armcii_arrives(&arrivals[peer], handle, 0, (uint32_t)peer, info, count * sizeof *info, payload, bytes);
}

static void payload_arrived(void* context, DCMF_Error_t* error) {
  (void)error;
  armcii_arrival_ends(context);
}

static DCMF_Request_t* receive_long(void* context, const DCQuad* info, unsigned count, size_t peer, size_t bytes,
                                    size_t* length, char** buffer, DCMF_Callback_t* done) {
  static DCMF_Request_t request;  // DCMF keeps nothing in it
  (void)context;
  armcii_arrival_t* arrival;
  *buffer =
      armcii_arrival_begins(&arrivals[peer], handle, 0, (uint32_t)peer, info, count * sizeof *info, bytes, &arrival);
  *length = bytes;
  *done = (DCMF_Callback_t){.function = payload_arrived, .clientdata = arrival};
  return &request;
}

void armcib_register_requests(void) {
  arrivals = calloc(DCMF_Messager_size(), sizeof *arrivals);
  if (arrivals == NULL) armcii_fail("there is no memory for requests of %zu processes", DCMF_Messager_size());
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
