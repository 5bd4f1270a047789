// SPDX-License-Identifier: Apache-2.0
// What all processes do together, by DCMF's operations of the whole job; and the exchange of small values, by control
// messages.
#include <string.h>

#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/receive.h"
#include "firmware/ospri/dcmf/send.h"

static void collective_done(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  *(volatile bool*)clientdata = true;
}

static void wait_for(const volatile bool* done) {
  while (!*done) ospri_progress();
}

void ospri_barrier(void) {
  DCMF_Request_t request;
  volatile bool done = false;
  ospri_expect_success(DCMF_GlobalBarrier(&ospri.barrier, &request, (DCMF_Callback_t){collective_done, (void*)&done}),
                       "DCMF_GlobalBarrier", ospri.rank);
  wait_for(&done);
}

void ospri_receive_shared(unsigned peer, const ospri_head_t* head) {
  memcpy(ospri.shared + peer * OSPRI_VALUE_BYTES, head->value, OSPRI_VALUE_BYTES);
  ospri.shares += 1;
}

void ospri_share(const void* mine, unsigned bytes, void* all) {
  union {
    DCMF_Control_t control;
    ospri_head_t head;
  } message;
  memset(&message, 0, sizeof message);
  message.head.kind = OSPRI_SHARED;
  memcpy(message.head.value, mine, bytes);
  memcpy(ospri.shared + ospri.rank * OSPRI_VALUE_BYTES, mine, bytes);
  for (unsigned i = 1, target = ospri.rank; i < ospri.size; ++i) {
    if (++target == ospri.size) target = 0;
    ospri_expect_success(DCMF_Control(&ospri.control, DCMF_SEQUENTIAL_CONSISTENCY, target, &message.control),
                         "DCMF_Control", target);
  }
  while (ospri.shares != ospri.size - 1) ospri_progress();
  ospri.shares = 0;
  for (unsigned i = 0; i < ospri.size; ++i) {
    memcpy((char*)all + i * bytes, ospri.shared + i * OSPRI_VALUE_BYTES, bytes);
  }
  ospri_barrier();  // the next exchange finds this one over everywhere
}

bool ospri_broadcast(unsigned root, void* buffer, size_t bytes) {
  DCMF_Request_t request;
  volatile bool done = false;
  const DCMF_Callback_t told = {collective_done, (void*)&done};
  if (DCMF_GlobalBcast(&ospri.broadcast, &request, told, DCMF_SEQUENTIAL_CONSISTENCY, root, buffer, bytes) !=
      DCMF_SUCCESS) {
    return false;
  }
  wait_for(&done);
  return true;
}

bool ospri_reduce(int root, void* in, void* out, unsigned count, DCMF_Dt type, DCMF_Op operation) {
  DCMF_Request_t request;
  volatile bool done = false;
  const DCMF_Callback_t told = {collective_done, (void*)&done};
  if (DCMF_GlobalAllreduce(&ospri.allreduce, &request, told, DCMF_SEQUENTIAL_CONSISTENCY, root, in, out, count, type,
                           operation) != DCMF_SUCCESS) {
    return false;
  }
  wait_for(&done);
  return true;
}
