/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often messages of 8 bytes arrive that the first task sends to the second one behind each other, by
 * PAMI_Send_immediate and, without software at the receiver, by PAMI_Rput: cycles of the core from one to the next.
 *
 *     ./toroid run --machine bgq --shape 2x1x1x1x1 pami_rate [messages]
 *     pami_rate by=send messages=1000 cycles=600.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgq/pami_program.h"

enum { kMessage = 1, kRegion = 2, kBytes = 8 };

static pami_client_t client;
static pami_context_t context;
static uint64_t word;
static unsigned wanted, arrived, done;
static unsigned long long first, last;
static pami_memregion_t mine, theirs;
static int have_region;

static void message_arrives(pami_context_t at, void* cookie, const void* header, size_t header_size, const void* pipe,
                            size_t size, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)at, (void)cookie, (void)header, (void)header_size, (void)pipe, (void)size, (void)origin, (void)recv;
  if (arrived++ == 0) first = PAMI_Wtimebase(client);
  if (arrived == wanted) last = PAMI_Wtimebase(client);
}

static void region_arrives(pami_context_t at, void* cookie, const void* header, size_t header_size, const void* pipe,
                           size_t size, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)at, (void)cookie, (void)header_size, (void)pipe, (void)size, (void)origin, (void)recv;
  theirs[0] = *(const uintptr_t*)header;
  have_region = 1;
}

static void is_done(pami_context_t at, void* cookie, pami_result_t result) {
  (void)at, (void)cookie, (void)result;
  ++done;
}

static void put_all(pami_endpoint_t to) {
  while (!have_region) PAMI_Context_advance(context, 1);
  const unsigned long long begin = PAMI_Wtimebase(client);
  for (unsigned i = 0; i < wanted; ++i) {
    pami_rput_simple_t put = {.rma = {.dest = to, .bytes = kBytes, .done_fn = is_done},
                              .rdma = {.local = {.mr = &mine}, .remote = {.mr = &theirs}}};
    pami_program_expect(PAMI_Rput(context, &put), "PAMI_Rput");
    PAMI_Context_advance(context, 1);
  }
  while (done < wanted) PAMI_Context_advance(context, 1);
  printf("pami_rate by=put messages=%u cycles=%.1f\n", wanted, (double)(PAMI_Wtimebase(client) - begin) / wanted);
}

int main(int argc, char** argv) {
  wanted = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
  pami_program_t program = pami_program_start("pami_rate", 1);
  client = program.client;
  context = program.context[0];
  if (wanted < 2 || program.tasks < 2) {
    printf("pami_rate [messages], 2 or more, on two tasks\n");
    return 2;
  }
  pami_program_set(&program, kMessage, message_arrives);
  pami_program_set(&program, kRegion, region_arrives);
  size_t bytes;
  pami_program_expect(PAMI_Memregion_create(context, &word, sizeof word, &bytes, &mine), "PAMI_Memregion_create");
  const pami_endpoint_t other = pami_program_endpoint(&program, program.me == 0 ? 1 : 0, 0);
  if (program.me == 1) {
    pami_send_immediate_t send = {
        .header = {.iov_base = mine, .iov_len = sizeof mine}, .dispatch = kRegion, .dest = other};
    pami_program_expect(PAMI_Send_immediate(context, &send), "PAMI_Send_immediate");
    while (arrived < wanted) PAMI_Context_advance(context, 1);
    printf("pami_rate by=send messages=%u cycles=%.1f\n", wanted, (double)(last - first) / (wanted - 1));
  }
  if (program.me == 0) {
    put_all(other);
    for (unsigned i = 0; i < wanted; ++i) {
      pami_send_immediate_t send = {
          .data = {.iov_base = &word, .iov_len = sizeof word}, .dispatch = kMessage, .dest = other};
      while (PAMI_Send_immediate(context, &send) == PAMI_EAGAIN) PAMI_Context_advance(context, 1);
    }
  }
  pami_program_expect(PAMI_Memregion_destroy(context, &mine), "PAMI_Memregion_destroy");
  pami_program_end(&program);
  return 0;
}
