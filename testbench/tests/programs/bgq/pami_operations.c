// SPDX-License-Identifier: Apache-2.0
// Looks into PAMI: at operations that end by a counter, which must be 0 before they are told, and at how many remote
// gets of a process a node has at the same time. Each task fetches from the next one, all at once. A line of each says
// what was wrong.
#include <stdio.h>
#include <stdlib.h>

#include "firmware/bgq/pami/operation.h"
#include "firmware/programs/bgq/pami_program.h"

enum { REGION = 1, GETS = 40, BYTES = 10000 };

static unsigned early, late, told;
static pami_memregion_t theirs;
static int region_is_known;
static uint8_t source[BYTES] __attribute__((aligned(128))), target[BYTES] __attribute__((aligned(128)));

static void ended(pami_context_impl_t* context, pami_operation_t* operation) {
  ++told;
  pami_operation_end(context, operation);
}

// What the Messaging Unit counts does not come: the operation has not ended, however often it is looked at.
static void hold_counters(pami_context_impl_t* context) {
  static const uint64_t missing[] = {1, 511, 512, 513, 1 << 20, (uint64_t)1 << 40};
  for (unsigned i = 0; i < sizeof missing / sizeof *missing; ++i) {
    told = 0;
    pami_operation_t* operation = pami_operation_begin(context, context->self);
    operation->ended = ended;
    pami_operation_count(context, operation, missing[i]);
    for (int turn = 0; turn < 3; ++turn) PAMI_Context_advance(context, 10);
    early += told;
    operation->counter = 0;
    PAMI_Context_advance(context, 10);
    late += told != 1;
  }
}

// Ends the program at once if there are more: without room nothing moves any more.
static void look_at_room(pami_context_impl_t* context, uint32_t node) {
  uint32_t under_way = 0;
  for (const pami_operation_t* one = context->operations->counting; one != NULL; one = one->next) ++under_way;
  const uint32_t reserved = __atomic_load_n(&pami_job.gets[node], __ATOMIC_RELAXED);
  if (under_way <= pami_job.gets_max && reserved <= pami_job.gets_max && reserved >= under_way) return;
  printf("%u remote gets under way, room for %u taken, of %u\n", under_way, reserved, pami_job.gets_max);
  exit(1);
}

static void is_fetched(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  ++*(unsigned*)cookie;
}

static void region_arrives(pami_context_t context, void* cookie, const void* header, size_t header_size,
                           const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header_size, (void)data, (void)bytes, (void)origin, (void)receiver;
  theirs[0] = *(const uint64_t*)header;
  region_is_known = 1;
}

static unsigned fetch_much(const pami_program_t* program, pami_context_impl_t* context) {
  const pami_task_t other = (program->me + 1) % program->tasks,
                    before = (program->me + program->tasks - 1) % program->tasks;
  pami_memregion_t from, to;
  size_t bytes;
  pami_program_expect(PAMI_Memregion_create(context, source, BYTES, &bytes, &from), "PAMI_Memregion_create");
  pami_program_expect(PAMI_Memregion_create(context, target, BYTES, &bytes, &to), "PAMI_Memregion_create");
  pami_send_immediate_t send = {.header = {.iov_base = from, .iov_len = sizeof from},
                                .dispatch = REGION,
                                .dest = pami_program_endpoint(program, before, 0)};
  pami_program_expect(PAMI_Send_immediate(context, &send), "PAMI_Send_immediate");
  while (!region_is_known) PAMI_Context_advance(context, 10);
  const uint32_t node = pami_peer(other)->node;
  unsigned fetched = 0;
  pami_rget_simple_t get = {.rma = {.dest = pami_program_endpoint(program, other, 0),
                                    .bytes = BYTES,
                                    .cookie = &fetched,
                                    .done_fn = is_fetched},
                            .rdma = {.local = {.mr = &to}, .remote = {.mr = &theirs}}};
  for (unsigned i = 0; i < GETS; ++i) {
    pami_program_expect(PAMI_Rget(context, &get), "PAMI_Rget");
    look_at_room(context, node);
  }
  while (fetched < GETS) {
    PAMI_Context_advance(context, 1);
    look_at_room(context, node);
  }
  return fetched;
}

int main(void) {
  pami_program_t program = pami_program_start("operations", 1);
  pami_context_impl_t* context = program.context[0];
  pami_program_set(&program, REGION, region_arrives);
  for (unsigned i = 0; i < BYTES; ++i) source[i] = (uint8_t)(i * 7 + program.me);
  hold_counters(context);
  const unsigned fetched = fetch_much(&program, context);
  unsigned wrong = 0;
  for (unsigned i = 0; i < BYTES; ++i) wrong += target[i] != (uint8_t)(i * 7 + (program.me + 1) % program.tasks);
  printf("task %u: %u told early, %u late; %u fetched, %u bytes wrong, room for %u kept\n", program.me, early, late,
         fetched, wrong, pami_job.gets[pami_peer((program.me + 1) % program.tasks)->node]);
  pami_program_end(&program);
  return 0;
}
