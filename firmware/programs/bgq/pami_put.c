/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first task puts into and gets from memory of the last one by PAMI: with memory regions, which the Messaging Units
 * do alone, over sizes from 16 bytes to 256 KiB. It prints how long each takes until its end is told: of a put, that
 * the memory may be used again, and that the data are there.
 *
 *     ./toroid run --machine bgq --shape 2x1x1x1x1 pami_put
 */
#include <stdio.h>

#include "firmware/programs/bgq/pami_program.h"

enum { kRegion = 1, kEnd = 2, kMost = 256 << 10 };

static uint8_t memory[kMost] __attribute__((aligned(128)));
static pami_memregion_t mine, theirs;
static int have_region, is_over, done, put_there;

static void region_arrives(pami_context_t context, void* cookie, const void* header, size_t header_size,
                           const void* pipe, size_t size, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)cookie, (void)header_size, (void)pipe, (void)size, (void)origin, (void)recv;
  theirs[0] = *(const uintptr_t*)header;
  have_region = 1;
}

static void end_arrives(pami_context_t context, void* cookie, const void* header, size_t header_size, const void* pipe,
                        size_t size, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)cookie, (void)header, (void)header_size, (void)pipe, (void)size, (void)origin, (void)recv;
  is_over = 1;
}

static void count(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  *(int*)cookie = 1;
}
static void is_done(pami_context_t context, void* cookie, pami_result_t result) {
  (void)cookie;
  count(context, &done, result);
}
static void is_there(pami_context_t context, void* cookie, pami_result_t result) {
  (void)cookie;
  count(context, &put_there, result);
}

static double microseconds(pami_client_t client, double start) {
  return (PAMI_Wtime(client) - start) * 1e6;
}

static double wait_for(pami_client_t client, pami_context_t context, const int* flag, double start) {
  while (!*flag) PAMI_Context_advance(context, 1);
  return microseconds(client, start);
}

static void measure(pami_client_t client, pami_context_t context, pami_endpoint_t last) {
  printf("%8s %10s %10s %10s us\n", "bytes", "put", "put there", "get");
  for (size_t bytes = 16; bytes <= kMost; bytes *= 4) {
    double put = 0, there = 0, get = 0;
    for (int turn = 0; turn < 3; ++turn) { /* the last one counts */
      pami_rput_simple_t rput = {.rma = {.dest = last, .bytes = bytes, .done_fn = is_done},
                                 .rdma = {.local = {.mr = &mine}, .remote = {.mr = &theirs}},
                                 .put = {.rdone_fn = is_there}};
      done = put_there = 0;
      double start = PAMI_Wtime(client);
      PAMI_Rput(context, &rput);
      put = wait_for(client, context, &done, start);
      there = wait_for(client, context, &put_there, start);

      pami_rget_simple_t rget = {.rma = {.dest = last, .bytes = bytes, .done_fn = is_done},
                                 .rdma = {.local = {.mr = &mine}, .remote = {.mr = &theirs}}};
      done = 0;
      start = PAMI_Wtime(client);
      PAMI_Rget(context, &rget);
      get = wait_for(client, context, &done, start);
    }
    printf("%8zu %10.2f %10.2f %10.2f\n", bytes, put, there, get);
  }
}

int main(void) {
  pami_program_t program = pami_program_start("pami_put", 1);
  const pami_context_t context = program.context[0];
  pami_program_set(&program, kRegion, region_arrives);
  pami_program_set(&program, kEnd, end_arrives);
  size_t bytes;
  PAMI_Memregion_create(context, memory, sizeof memory, &bytes, &mine);
  const pami_endpoint_t first = pami_program_endpoint(&program, 0, 0);
  const pami_endpoint_t last = pami_program_endpoint(&program, program.tasks - 1, 0);
  if (program.me == program.tasks - 1) {
    pami_send_immediate_t send = {
        .header = {.iov_base = mine, .iov_len = sizeof mine}, .dispatch = kRegion, .dest = first};
    PAMI_Send_immediate(context, &send);
  }
  if (program.me == 0) {
    while (!have_region) PAMI_Context_advance(context, 1);
    measure(program.client, context, last);
    pami_send_immediate_t send = {.dispatch = kEnd, .dest = last};
    PAMI_Send_immediate(context, &send);
  }
  if (program.me == program.tasks - 1)
    while (!is_over) PAMI_Context_advance(context, 1);
  PAMI_Memregion_destroy(context, &mine);
  pami_program_end(&program);
  return 0;
}
