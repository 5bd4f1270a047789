// SPDX-License-Identifier: Apache-2.0
// A dispatch for shared memory alone: each task sends a short and a long message to the next one of its node, and finds
// that messages to the last task of another node are refused. With one process a node the dispatch itself is refused.
#include <stdio.h>
#include <string.h>

#include "firmware/programs/bgq/pami_program.h"

enum { SHARED = 1, LONG = 50000 };

static uint8_t contents[LONG], arrived[LONG];
static unsigned received, wrong, sent;

static void check(const uint8_t* data, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) wrong += data[i] != (uint8_t)(i * 7);
  ++received;
}

static void has_come(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)cookie, (void)result;
  check(arrived, LONG);
}

static void arrives(pami_context_t context, void* cookie, const void* header, size_t bytes_of_header, const void* data,
                    size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header, (void)bytes_of_header, (void)origin;
  if (receiver == NULL) {
    check(data, bytes);
    return;
  }
  receiver->addr = arrived;
  receiver->local_fn = has_come;
}

static void has_gone(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)cookie, (void)result;
  ++sent;
}

static pami_result_t set(const pami_program_t* program) {
  const pami_dispatch_callback_function function = {.p2p = arrives};
  const pami_dispatch_hint_t hints = {.use_shmem = PAMI_HINT_ENABLE};
  return PAMI_Dispatch_set(program->context[0], SHARED, function, NULL, hints);
}

static void send(const pami_program_t* program, pami_task_t processes) {
  const pami_task_t first = program->me - program->me % processes;
  const pami_task_t next = first + (program->me + 1) % processes;
  pami_send_t message = {.send = {.data = {.iov_base = contents, .iov_len = 100},
                                  .dispatch = SHARED,
                                  .dest = pami_program_endpoint(program, next, 0)},
                         .events = {.local_fn = has_gone}};
  pami_program_expect(PAMI_Send(program->context[0], &message), "PAMI_Send");
  message.send.data.iov_len = LONG;
  pami_program_expect(PAMI_Send(program->context[0], &message), "PAMI_Send");
  while (received < 2 || sent < 2) PAMI_Context_advance(program->context[0], 10);
  const pami_task_t far = first == 0 ? program->tasks - 1 : 0;
  message.send.dest = pami_program_endpoint(program, far, 0);
  message.send.data.iov_len = 100;
  const pami_result_t refused = PAMI_Send(program->context[0], &message);
  const pami_result_t at_once = PAMI_Send_immediate(program->context[0], &message.send);
  printf("task %u: %u received, %u wrong; to another node %d, %d\n", program->me, received, wrong, refused, at_once);
}

int main(void) {
  pami_program_t program = pami_program_start("shared", 1);
  const size_t processes = pami_program_attribute(program.client, PAMI_CLIENT_NUM_LOCAL_TASKS);
  for (size_t i = 0; i < LONG; ++i) contents[i] = (uint8_t)(i * 7);
  const pami_result_t result = set(&program);
  if (result != PAMI_SUCCESS)
    printf("task %u: the dispatch gives %d\n", program.me, result);
  else
    send(&program, (pami_task_t)processes);
  pami_program_end(&program);
  return 0;
}
