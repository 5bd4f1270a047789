// SPDX-License-Identifier: Apache-2.0
// Puts and gets: by RDMA between memory regions; where PAMI makes no region, by its own puts and gets, in which the
// target's software has a part.
#include "firmware/armci/bgq/bgq.h"
#include "firmware/hot.h"

/// A remote get goes behind the puts to the same process, and its Messaging Unit reads when they are in memory.
const bool armcib_gets_follow_puts = true;

static pami_context_t own(void) {
  return armcib_contexts[ARMCIB_OWN];
}

/// A put that the target's software carries out could be overtaken by what follows: the program waits for it.
static void put_by_message(const void* local, uintptr_t remote, pami_rma_t rma) {
  volatile bool there = false;
  armcib_operation_t* const operation = rma.cookie;
  rma.cookie = (void*)&there;
  rma.done_fn = NULL;
  pami_put_simple_t put = {.rma = rma,
                           .addr = {.local = (void*)(uintptr_t)local, .remote = (void*)remote},
                           .put = {.rdone_fn = armcib_set_flag}};
  armcib_check(PAMI_Put(own(), &put), "PAMI_Put");
  while (!there) armcib_advance();
  armcib_operation_done(own(), operation, PAMI_SUCCESS);
}

HOT_OF_PUTS void armcib_put(uint32_t target, const void* local, uintptr_t remote, size_t bytes, armcib_done_t done,
                            void* context) {
  armcib_place_t from, to;
  const bool reached = armcib_remote_place(target, remote, bytes, &to) && armcib_local_place(local, bytes, &from);
  const pami_rma_t rma = {.dest = armcib_endpoint(target, reached ? ARMCIB_OWN : armcib_service),
                          .bytes = bytes,
                          .cookie = armcib_operation_new(done, context),
                          .done_fn = armcib_operation_done};
  if (!reached) {
    put_by_message(local, remote, rma);
    return;
  }
  pami_rput_simple_t put = {.rma = rma,
                            .rdma = {.local = {.mr = &from.region, .offset = from.offset},
                                     .remote = {.mr = &to.region, .offset = to.offset}}};
  armcib_check(PAMI_Rput(own(), &put), "PAMI_Rput");
}

HOT_OF_GETS static void get_from(const armcib_place_t* from, const armcib_place_t* to, pami_rma_t rma) {
  pami_memregion_t there = {from->region[0]}, here = {to->region[0]};
  pami_rget_simple_t get = {
      .rma = rma,
      .rdma = {.local = {.mr = &here, .offset = to->offset}, .remote = {.mr = &there, .offset = from->offset}}};
  armcib_check(PAMI_Rget(own(), &get), "PAMI_Rget");
}

HOT_OF_GETS void armcib_get(uint32_t target, void* local, uintptr_t remote, size_t bytes, armcib_done_t done,
                            void* context) {
  armcib_place_t from, to;
  const bool reached = armcib_remote_place(target, remote, bytes, &from) && armcib_local_place(local, bytes, &to);
  const pami_rma_t rma = {.dest = armcib_endpoint(target, reached ? ARMCIB_OWN : armcib_service),
                          .bytes = bytes,
                          .cookie = armcib_operation_new(done, context),
                          .done_fn = armcib_operation_done};
  if (reached) {
    get_from(&from, &to, rma);
    return;
  }
  pami_get_simple_t get = {.rma = rma, .addr = {.local = local, .remote = (void*)remote}};
  armcib_check(PAMI_Get(own(), &get), "PAMI_Get");
}

void armcib_flush(uint32_t target, armcib_done_t done, void* context) {
  // A get of a byte, behind the data of the puts before it.
  static uint8_t byte;
  armcib_place_t from, to;
  if (!armcib_any_place(target, &from) || !armcib_local_place(&byte, sizeof byte, &to)) {
    done(context);  // all puts went by messages, and have been waited for
    return;
  }
  get_from(&from, &to,
           (pami_rma_t){.dest = armcib_endpoint(target, ARMCIB_OWN),
                        .bytes = sizeof byte,
                        .cookie = armcib_operation_new(done, context),
                        .done_fn = armcib_operation_done});
}
