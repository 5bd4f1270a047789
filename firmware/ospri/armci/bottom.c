// SPDX-License-Identifier: Apache-2.0
// A bottom of ARMCI: OSPRI. Progress, locks and the sizes of pools are OSPRI's settings; ARMCI_PROGRESS has no effect.
#include "firmware/armci/bottom.h"

#include <a1.h>
#include <string.h>

#include "firmware/ospri/armci/wrapper.h"
#include "firmware/ospri/dcmf/lock.h"
#include "firmware/ospri/dcmf/send.h"

/// With partial order a get may overtake earlier puts; with strict order OSPRI sees to it.
const bool armcib_gets_follow_puts = true;
const armcib_regions_t* const armcib_regions = NULL;
void (*const armcib_add_doubles)(double* to, const double* from, size_t n) = NULL;

static void on_request(unsigned source, const void* header, unsigned header_bytes, const void* data, size_t bytes) {
  armcii_handle(source, header, header_bytes, data, bytes);
}

void armcib_init(void) {
  // OSPRI does not own DCMF then: MPI, or a later ARMCI, may go on with it.
  DCMF_Messager_initialize();
  DCMF_Configure_t now;
  DCMF_Messager_configure(NULL, &now);
  A1_Initialize(now.thread_level == DCMF_THREAD_MULTIPLE ? A1_THREAD_MULTIPLE : A1_THREAD_SINGLE);
  if (ospri.settings.order == OSPRI_ORDER_NONE) {
    armcii_fail("A1D_ORDERING is 'none'; ARMCI needs at least partial order");
  }
  ospri_enter();
  if (ospri.settings.armci_strict) ospri.settings.order = OSPRI_ORDER_STRICT;
  ospri.on_request = on_request;
  ospri_barrier();  // requests come to those who know what to do with them
  ospri_exit();
}

void armcib_finalize(void) {
  A1_Finalize();
}

uint32_t armcib_rank(void) {
  return ospri.rank;
}

uint32_t armcib_size(void) {
  return ospri.size;
}

double armcib_time(void) {
  return A1_Time_seconds();
}

void armcib_enter(void) {
  ospri_enter();
}

void armcib_exit(void) {
  ospri_exit();
}

void armcib_advance(void) {
  ospri_progress();
}

armcib_progress_t armcib_progress(armcib_progress_t wanted) {
  if (wanted == ARMCIB_POLLING) return ARMCIB_POLLING;
  if (ospri.settings.helper) return ARMCIB_THREAD;
  return ospri.settings.interrupts ? ARMCIB_INTERRUPTS : ARMCIB_POLLING;
}

bool armcib_barrier(void) {
  ospri_barrier();
  return true;
}

void armcib_put(uint32_t target, const void* local, uintptr_t remote, size_t bytes, armcib_done_t done, void* context) {
  armcib_operation_t* const operation = armcib_operation_begin(done, context, true);
  ospri_put(target, (void*)(uintptr_t)local, (void*)remote, bytes, &operation->handle);
  armcib_operation_end(operation);
}

void armcib_get(uint32_t target, void* local, uintptr_t remote, size_t bytes, armcib_done_t done, void* context) {
  armcib_operation_t* const operation = armcib_operation_begin(done, context, true);
  ospri_get(target, (void*)remote, local, bytes, &operation->handle);
  armcib_operation_end(operation);
}

void armcib_flush(uint32_t target, armcib_done_t done, void* context) {
  ospri_flush(target);
  done(context);
}

static void request_sent(void* context, DCMF_Error_t* error) {
  (void)error;
  armcib_operation_over(context);
}

void armcib_request(uint32_t target, const void* header, size_t header_bytes, const void* payload, size_t bytes,
                    armcib_done_t done, void* context) {
  if (header_bytes > OSPRI_VALUE_BYTES) armcii_fail("a request's header has %zu bytes", header_bytes);
  ospri_head_t head = {.kind = OSPRI_REQUEST, .number = (uint32_t)header_bytes};
  memcpy(head.value, header, header_bytes);
  if (done) {
    armcib_operation_t* const operation = armcib_operation_begin(done, context, false);
    ospri_send_request(target, &head, (unsigned)header_bytes, payload, bytes, &operation->request,
                       (DCMF_Callback_t){request_sent, operation});
  } else {
    // A request of which no word is wanted is not touched after the call.
    DCMF_Request_t request;
    ospri_send_request(target, &head, (unsigned)header_bytes, payload, bytes, &request, (DCMF_Callback_t){NULL, NULL});
  }
}
