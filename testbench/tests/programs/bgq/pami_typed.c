// SPDX-License-Identifier: Apache-2.0
// The first task puts into memory of the last one and gets from there by types whose blocks are long, while that one
// advances nothing: it waits for a word that a put changes at the end. Both print how many bytes were wrong.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgq/pami_contents.h"
#include "firmware/programs/bgq/pami_program.h"

enum { REGION = 1, BYTES = 24000, ROOM = 50000, SEED = 7 };

// What there is first, and behind that guards and data.
typedef struct {
  volatile uint64_t flag;
  uint8_t untouched[CONTENTS_GUARD];
  uint8_t data[ROOM];
} memory_t;

static const layout_t here = {3000, 5000}, there = {1000, 1500}, back = {4000, 4100};
static memory_t memory, fetched;
static pami_memregion_t mine, theirs, target;
static int have_region, told, all_told;

static void region_arrives(pami_context_t context, void* cookie, const void* header, size_t header_size,
                           const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header_size, (void)data, (void)bytes, (void)origin, (void)receiver;
  theirs[0] = *(const uint64_t*)header;
  have_region = 1;
}

static void count(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)cookie, (void)result;
  ++told;
  ++all_told;
}

static void wait_for(pami_context_t context, int calls) {
  while (told < calls) PAMI_Context_advance(context, 10);
  told = 0;
}

static void work(const pami_program_t* program, pami_context_t context) {
  while (!have_region) PAMI_Context_advance(context, 10);
  const pami_rma_t rma = {
      .dest = pami_program_endpoint(program, program->tasks - 1, 0), .bytes = BYTES, .done_fn = count};
  const size_t offset = offsetof(memory_t, data);
  contents_fill(memory.data, &here, SEED, BYTES);
  pami_rput_typed_t put = {
      .rma = rma,
      .rdma = {.local = {.mr = &mine, .offset = offset}, .remote = {.mr = &theirs, .offset = offset}},
      .type = {.local = layout_type(&here), .remote = layout_type(&there)},
      .put = {.rdone_fn = count}};
  pami_program_expect(PAMI_Rput_typed(context, &put), "PAMI_Rput_typed");
  wait_for(context, 2);
  pami_rget_typed_t get = {
      .rma = rma,
      .rdma = {.local = {.mr = &target, .offset = offset}, .remote = {.mr = &theirs, .offset = offset}},
      .type = {.local = layout_type(&back), .remote = layout_type(&there)}};
  pami_program_expect(PAMI_Rget_typed(context, &get), "PAMI_Rget_typed");
  wait_for(context, 1);
  const uint64_t wrong = contents_wrong(fetched.data, &back, SEED, &in_one_piece, BYTES);
  memory.flag = 1;
  pami_rput_simple_t end = {
      .rma = rma, .rdma = {.local = {.mr = &mine}, .remote = {.mr = &theirs}}, .put = {.rdone_fn = count}};
  end.rma.bytes = sizeof memory.flag;
  pami_program_expect(PAMI_Rput(context, &end), "PAMI_Rput");
  wait_for(context, 2);
  printf("get: %llu wrong; %d callbacks\n", (unsigned long long)wrong, all_told);
  layout_destroy(put.type.local);
  layout_destroy(put.type.remote);
  layout_destroy(get.type.local);
  layout_destroy(get.type.remote);
}

int main(void) {
  pami_program_t program = pami_program_start("typed", 1);
  const pami_context_t context = program.context[0];
  pami_program_set(&program, REGION, region_arrives);
  memset(&memory, CONTENTS_UNTOUCHED, sizeof memory);
  memset(&fetched, CONTENTS_UNTOUCHED, sizeof fetched);
  memory.flag = 0;
  size_t bytes;
  pami_program_expect(PAMI_Memregion_create(context, &memory, sizeof memory, &bytes, &mine), "PAMI_Memregion_create");
  pami_program_expect(PAMI_Memregion_create(context, &fetched, sizeof fetched, &bytes, &target),
                      "PAMI_Memregion_create");
  if (program.me == 0) work(&program, context);
  if (program.me == program.tasks - 1) {
    pami_send_immediate_t send = {.header = {.iov_base = mine, .iov_len = sizeof mine},
                                  .dispatch = REGION,
                                  .dest = pami_program_endpoint(&program, 0, 0)};
    pami_program_expect(PAMI_Send_immediate(context, &send), "PAMI_Send_immediate");
    while (!memory.flag) continue;
    printf("put: %llu wrong\n", (unsigned long long)contents_wrong(memory.data, &there, SEED, &in_one_piece, BYTES));
  }
  pami_program_end(&program);
  return 0;
}
