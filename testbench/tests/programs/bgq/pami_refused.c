// SPDX-License-Identifier: Apache-2.0
// What PAMI refuses, each call with its result: 2 is PAMI_INVAL. And what a receiver is told of data that do not fit
// its type: the task sends to itself.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "firmware/programs/bgq/pami_program.h"

enum { AT_ONCE = 1, WRONG_TYPE = 2, LONG = 9000 };

static pami_program_t program;
static pami_type_t incomplete;
static uint8_t contents[LONG], target[LONG];
static unsigned received;

static void is_received(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)cookie;
  printf("received: %d\n", result != PAMI_SUCCESS);
  ++received;
}

static void arrives(pami_context_t context, void* cookie, const void* header, size_t bytes_of_header, const void* data,
                    size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header, (void)bytes_of_header, (void)data, (void)bytes, (void)origin;
  if (receiver == NULL) {
    ++received;
    return;
  }
  *receiver = (pami_recv_t){.addr = target, .type = incomplete, .local_fn = is_received};
}

static void set(size_t dispatch, pami_hint_t at_once) {
  const pami_dispatch_callback_function function = {.p2p = arrives};
  pami_program_expect(PAMI_Dispatch_set(program.context[0], dispatch, function, NULL,
                                        (pami_dispatch_hint_t){.recv_immediate = at_once}),
                      "PAMI_Dispatch_set");
}

static pami_result_t send(size_t dispatch, size_t header, size_t data) {
  pami_send_t message = {.send = {.header = {.iov_base = contents, .iov_len = header},
                                  .data = {.iov_base = contents, .iov_len = data},
                                  .dispatch = dispatch,
                                  .dest = pami_program_endpoint(&program, program.me, 0)}};
  const unsigned before = received;
  const pami_result_t result = PAMI_Send(program.context[0], &message);
  while (result == PAMI_SUCCESS && received == before) PAMI_Context_advance(program.context[0], 1);
  return result;
}

static void change_word(pami_atomic_t operation) {
  uint64_t word = 5, value = 3;
  pami_rmw_t rmw = {.dest = pami_program_endpoint(&program, program.me, 0),
                    .remote = &word,
                    .value = &value,
                    .test = &value,
                    .local = &value,
                    .operation = operation,
                    .type = PAMI_TYPE_UNSIGNED_LONG};
  const pami_result_t result = PAMI_Rmw(program.context[0], &rmw);
  for (int i = 0; i < 10; ++i) PAMI_Context_advance(program.context[0], 10);
  printf("operation %u: %d, word %d\n", (unsigned)operation, result, (int)word);
}

/* With a job of one task: what is no list of members, or no attribute of theirs. */
static void make_geometries(void) {
  pami_context_t const context = program.context[0];
  pami_geometry_t made = PAMI_GEOMETRY_NULL;
  pami_task_t tasks[] = {program.me, program.me};
  pami_geometry_range_t ranges[] = {{program.me, program.me}, {program.me, program.me}};
  pami_endpoint_t endpoints[] = {pami_program_endpoint(&program, program.me, 0),
                                 pami_program_endpoint(&program, program.me, 0)};
  pami_configuration_t attribute = {.name = PAMI_CLIENT_TASK_ID};
  printf("twice:");
  printf(" %d", PAMI_Geometry_create_tasklist(program.client, 0, NULL, 0, &made, PAMI_GEOMETRY_NULL, 1, tasks, 2,
                                              context, NULL, NULL));
  printf(" %d", PAMI_Geometry_create_taskrange(program.client, 0, NULL, 0, &made, PAMI_GEOMETRY_NULL, 2, ranges, 2,
                                               context, NULL, NULL));
  printf(" %d\n",
         PAMI_Geometry_create_endpointlist(program.client, NULL, 0, &made, 3, endpoints, 2, context, NULL, NULL));
  endpoints[1] = pami_program_endpoint(&program, program.me, 1);
  printf("no context: %d",
         PAMI_Geometry_create_endpointlist(program.client, NULL, 0, &made, 3, endpoints, 2, context, NULL, NULL));
  printf(" %d", PAMI_Geometry_create_tasklist(program.client, 1, NULL, 0, &made, PAMI_GEOMETRY_NULL, 3, tasks, 1,
                                              context, NULL, NULL));
  pami_geometry_t world;
  pami_program_expect(PAMI_Geometry_world(program.client, &world), "PAMI_Geometry_world");
  printf(", all and a parent: %d", PAMI_Geometry_create_tasklist(program.client, PAMI_ALL_CONTEXTS, NULL, 0, &made,
                                                                 world, 3, tasks, 1, context, NULL, NULL));
  printf(", geometry 0: %d\n", PAMI_Geometry_create_tasklist(program.client, 0, NULL, 0, &made, PAMI_GEOMETRY_NULL, 0,
                                                             tasks, 1, context, NULL, NULL));
  ranges[0].hi = program.me + 1;
  printf("no task: %d", PAMI_Geometry_create_taskrange(program.client, 0, NULL, 0, &made, PAMI_GEOMETRY_NULL, 4, ranges,
                                                       1, context, NULL, NULL));
  printf(", none: %d", PAMI_Geometry_create_tasklist(program.client, 0, NULL, 0, &made, PAMI_GEOMETRY_NULL, 5, tasks, 0,
                                                     context, NULL, NULL));
  printf(", attribute: %d", PAMI_Geometry_create_tasklist(program.client, 0, &attribute, 1, &made, PAMI_GEOMETRY_NULL,
                                                          6, tasks, 1, context, NULL, NULL));
  printf(", right: %d\n", PAMI_Geometry_create_tasklist(program.client, 0, NULL, 0, &made, PAMI_GEOMETRY_NULL, 7, tasks,
                                                        1, context, NULL, NULL));
}

int main(void) {
  program = pami_program_start("refused", 1);
  pami_program_expect(PAMI_Type_create(&incomplete), "PAMI_Type_create");
  pami_type_t empty;
  pami_program_expect(PAMI_Type_create(&empty), "PAMI_Type_create");
  pami_program_expect(PAMI_Type_complete(empty, 1), "PAMI_Type_complete");
  set(AT_ONCE, PAMI_HINT_ENABLE);
  set(WRONG_TYPE, PAMI_HINT_DISABLE);

  printf("at once: %d, %d, %d\n", send(AT_ONCE, 100, 412), send(AT_ONCE, 100, 413), send(AT_ONCE, LONG, 0));
  send(WRONG_TYPE, 0, 100);
  send(WRONG_TYPE, 0, LONG);
  pami_send_immediate_t immediate = {.header = {.iov_base = contents, .iov_len = SIZE_MAX},
                                     .data = {.iov_base = contents, .iov_len = 2},
                                     .dispatch = AT_ONCE,
                                     .dest = pami_program_endpoint(&program, program.me, 0)};
  printf("immediate: %d\n", PAMI_Send_immediate(program.context[0], &immediate));
  change_word((pami_atomic_t)0);
  change_word(PAMI_ATOMIC_FETCH);
  change_word((pami_atomic_t)(PAMI_ATOMIC_FETCH | PAMI_ATOMIC_COMPARE));
  pami_get_typed_t get = {.rma = {.dest = immediate.dest, .bytes = 8},
                          .addr = {.local = target, .remote = contents},
                          .type = {.local = PAMI_TYPE_BYTE, .remote = empty}};
  printf("get by a type: %d\n", PAMI_Get_typed(program.context[0], &get));
  make_geometries();
  pami_program_end(&program);
  return 0;
}
