// SPDX-License-Identifier: Apache-2.0
// Puts and gets by the DMA; and the memory regions that they need of each process.
#include <stdlib.h>
#include <string.h>

#include "firmware/armci/bgp/bgp.h"

/// A remote get is carried out by the target's DMA behind the puts that came on the same way.
const bool armcib_gets_follow_puts = true;
const armcib_regions_t* const armcib_regions = NULL;
void (*const armcib_add_doubles)(double* to, const double* from, size_t n) = NULL;

static DCMF_Protocol_t put_protocol, get_protocol, exchange_protocol;
/// All of the memory of each process, so that offsets are addresses.
static DCMF_Memregion_t* regions;

// ---------------------------------------------------------------------------------------------------------------
// The exchange: in step n a process sends what it knows to the one 2^n before it, until all know all

static DCMF_Memregion_t* rotated;  ///< from the own on
static volatile uint32_t steps_done;

static void step_done(void* context, DCMF_Error_t* error) {
  (void)error;
  steps_done |= (uint32_t)(uintptr_t)context;
}

static void short_step(void* context, const DCQuad* info, unsigned count, size_t peer, const char* from, size_t bytes) {
  (void)context, (void)count, (void)peer;
  memcpy(&rotated[info->w0], from, bytes);
  step_done((void*)(uintptr_t)info->w0, NULL);
}

static DCMF_Request_t* long_step(void* context, const DCQuad* info, unsigned count, size_t peer, size_t bytes,
                                 size_t* length, char** buffer, DCMF_Callback_t* done) {
  static DCMF_Request_t request;
  (void)context, (void)count, (void)peer;
  *length = bytes;
  *buffer = (char*)&rotated[info->w0];
  *done = (DCMF_Callback_t){.function = step_done, .clientdata = (void*)(uintptr_t)info->w0};
  return &request;
}

void armcib_register_memory(void) {
  DCMF_Put_Configuration_t put = {.protocol = DCMF_DEFAULT_PUT_PROTOCOL, .network = DCMF_DEFAULT_NETWORK};
  armcib_check(DCMF_Put_register(&put_protocol, &put), "DCMF_Put_register");
  DCMF_Get_Configuration_t get = {.protocol = DCMF_DEFAULT_GET_PROTOCOL, .network = DCMF_DEFAULT_NETWORK};
  armcib_check(DCMF_Get_register(&get_protocol, &get), "DCMF_Get_register");
  const size_t size = DCMF_Messager_size();
  regions = aligned_alloc(sizeof *regions, size * sizeof *regions);
  rotated = aligned_alloc(sizeof *rotated, size * sizeof *rotated);
  if (regions == NULL || rotated == NULL) armcii_fail("there is no memory for %zu memory regions", size);
  size_t bytes;
  armcib_check(DCMF_Memregion_create(&rotated[0], &bytes, (size_t)-1, NULL, 0), "DCMF_Memregion_create");
  DCMF_Send_Configuration_t exchange = {.protocol = DCMF_DEFAULT_SEND_PROTOCOL,
                                        .network = DCMF_DEFAULT_NETWORK,
                                        .cb_recv_short = short_step,
                                        .cb_recv = long_step};
  armcib_check(DCMF_Send_register(&exchange_protocol, &exchange), "DCMF_Send_register");
}

void armcib_exchange_memory(void) {
  const uint32_t size = armcib_size(), rank = armcib_rank();
  for (uint32_t known = 1; known < size; known *= 2) {
    const uint32_t sent = size - known < known ? size - known : known;
    volatile bool done = false;
    DCQuad info = {.w0 = known};
    DCMF_Request_t request;
    const DCMF_Callback_t tell = {.function = armcib_set_flag, .clientdata = (void*)&done};
    armcib_check(DCMF_Send(&exchange_protocol, &request, tell, DCMF_MATCH_CONSISTENCY, (rank + size - known) % size,
                           sent * sizeof *rotated, (char*)rotated, &info, 1),
                 "DCMF_Send");
    while (!done || (steps_done & known) == 0) armcib_advance();
  }
  for (uint32_t i = 0; i < size; ++i) memcpy(&regions[(rank + i) % size], &rotated[i], sizeof *rotated);
  free(rotated);
}

// ---------------------------------------------------------------------------------------------------------------
// Operations

void armcib_put(uint32_t target, const void* local, uintptr_t remote, size_t bytes, armcib_done_t done, void* context) {
  armcib_operation_t* const operation = armcib_operation_new(done, context);
  const DCMF_Callback_t none = {.function = NULL};
  armcib_check(
      DCMF_Put(&put_protocol, &operation->request, armcib_operation_done(operation), DCMF_SEQUENTIAL_CONSISTENCY,
               target, bytes, &regions[armcib_rank()], &regions[target], (uintptr_t)local, remote, none),
      "DCMF_Put");
}

void armcib_get(uint32_t target, void* local, uintptr_t remote, size_t bytes, armcib_done_t done, void* context) {
  armcib_operation_t* const operation = armcib_operation_new(done, context);
  armcib_check(DCMF_Get(&get_protocol, &operation->request, armcib_operation_done(operation), DCMF_RELAXED_CONSISTENCY,
                        target, bytes, &regions[target], &regions[armcib_rank()], remote, (uintptr_t)local),
               "DCMF_Get");
}

void armcib_flush(uint32_t target, armcib_done_t done, void* context) {
  // A put of nothing whose acknowledgement is behind the data of those before it.
  armcib_operation_t* const operation = armcib_operation_new(done, context);
  const DCMF_Callback_t none = {.function = NULL};
  armcib_check(DCMF_Put(&put_protocol, &operation->request, none, DCMF_SEQUENTIAL_CONSISTENCY, target, 0,
                        &regions[armcib_rank()], &regions[target], (uintptr_t)operation, (uintptr_t)operation,
                        armcib_operation_done(operation)),
               "DCMF_Put");
}
