/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All tasks put messages into the memory of random others by PAMI_Rput, with some of them on their way at once.
 *
 *     ./toroid run --machine bgq --shape 4x4x4x4x2 pami_exchange [messages [bytes]]
 *
 * Each task checks at the end that each message that has come to it is whole.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgq/pami_program.h"

enum { kAtOnce = 16, kMost = 16384, kOthers = 1023 };

static pami_program_t program;
static unsigned under_way;
static unsigned char sent[kMost] __attribute__((aligned(64)));
static pami_memregion_t mine, theirs[kOthers + 1];

static uint32_t next_random(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void is_done(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)cookie, (void)result;
  --under_way;
}

static void wait_for_all(void) {
  while (under_way != 0) PAMI_Context_advance(program.context[0], 1);
}

static void run(pami_xfer_type_t type, pami_xfer_t operation) {
  pami_geometry_t world;
  pami_program_expect(PAMI_Geometry_world(program.client, &world), "PAMI_Geometry_world");
  pami_metadata_t about;
  pami_program_expect(PAMI_Geometry_algorithms_query(world, type, &operation.algorithm, &about, 1, NULL, NULL, 0),
                      "PAMI_Geometry_algorithms_query");
  operation.cb_done = is_done;
  ++under_way;
  pami_program_expect(PAMI_Collective(program.context[0], &operation), "PAMI_Collective");
  wait_for_all();
}

/* Places for messages of all tasks, which everybody may write. */
static unsigned char* create_places(size_t bytes) {
  unsigned char* const places = calloc(program.tasks, bytes);
  size_t length;
  if (places == NULL) pami_program_expect(PAMI_ENOMEM, "calloc");
  pami_program_expect(PAMI_Memregion_create(program.context[0], places, program.tasks * bytes, &length, &mine),
                      "PAMI_Memregion_create");
  pami_xfer_t gather = {0};
  gather.cmd.xfer_allgather.sndbuf = (char*)&mine;
  gather.cmd.xfer_allgather.stype = PAMI_TYPE_BYTE;
  gather.cmd.xfer_allgather.stypecount = sizeof mine;
  gather.cmd.xfer_allgather.rcvbuf = (char*)theirs;
  gather.cmd.xfer_allgather.rtype = PAMI_TYPE_BYTE;
  gather.cmd.xfer_allgather.rtypecount = sizeof mine;
  run(PAMI_XFER_ALLGATHER, gather);
  return places;
}

static unsigned wrong_messages(const unsigned char* places, size_t bytes) {
  unsigned wrong = 0;
  for (unsigned from = 0; from < program.tasks; ++from) {
    const unsigned char* const place = places + from * bytes;
    const int is_known = place[0] == 0 || place[0] == from % 255 + 1;
    wrong += !is_known || memcmp(place, place + 1, bytes - 1) != 0;
  }
  return wrong;
}

int main(int argc, char** argv) {
  const unsigned messages = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 100;
  const size_t bytes = argc > 2 ? strtoul(argv[2], NULL, 0) : 1024;
  program = pami_program_start("pami_exchange", 1);
  if (bytes == 0 || bytes > kMost || program.tasks < 2 || program.tasks > kOthers + 1) {
    printf("pami_exchange [messages [bytes]], 1 to %d bytes, on 2 to %d tasks\n", kMost, kOthers + 1);
    return 2;
  }
  unsigned char* const places = create_places(bytes);
  memset(sent, (int)(program.me % 255 + 1), bytes);
  pami_memregion_t from;
  size_t length;
  pami_program_expect(PAMI_Memregion_create(program.context[0], sent, sizeof sent, &length, &from),
                      "PAMI_Memregion_create");
  uint32_t state = program.me * 2654435761u + 1;
  for (unsigned message = 0; message < messages; ++message) {
    if (message % kAtOnce == 0) wait_for_all();
    pami_task_t peer = next_random(&state) % (program.tasks - 1);
    if (peer >= program.me) ++peer;
    ++under_way;
    pami_rput_simple_t put = {
        .rma = {.dest = pami_program_endpoint(&program, peer, 0), .bytes = bytes, .done_fn = is_done},
        .rdma = {.local = {.mr = &from}, .remote = {.mr = &theirs[peer], .offset = program.me * bytes}}};
    pami_program_expect(PAMI_Rput(program.context[0], &put), "PAMI_Rput");
  }
  wait_for_all();
  run(PAMI_XFER_BARRIER, (pami_xfer_t){0});
  const unsigned wrong = wrong_messages(places, bytes);
  if (wrong != 0) printf("task %u: %u messages are wrong\n", (unsigned)program.me, wrong);
  if (program.me == 0) {
    printf("pami_exchange tasks=%u messages=%u bytes=%zu\n", (unsigned)program.tasks, messages, bytes);
  }
  pami_program_end(&program);
  return wrong == 0 ? 0 : 1;
}
