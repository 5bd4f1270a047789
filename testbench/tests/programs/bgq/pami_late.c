// SPDX-License-Identifier: Apache-2.0
// The first task sends messages before the last one has set their dispatch: short ones, with a header of several
// packets, eager and fetched ones, and between them messages of a dispatch that is set. One of these sets the other
// dispatch, and at once a second one, whose messages have come between. The last task prints the number of each message
// in the order in which it gets them, and how many bytes are wrong. A message to a dispatch that is never set is lost,
// and so is one to a dispatch that is set just before the context goes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgq/pami_program.h"

enum {
  SET = 1,
  LATE = 2,
  NEVER = 3,
  DONE = 4,
  SECOND = 5,
  LAST = 6,
  KINDS = 4,
  TURNS = 2,
  LONGEST = 20000,
  LONG_HEADER = 1500
};

static const size_t header_bytes[KINDS] = {4, LONG_HEADER, 4, 4};
static const size_t data_bytes[KINDS] = {100, 50, 2000, LONGEST};
static uint8_t headers[KINDS * TURNS][LONG_HEADER], contents[LONGEST];
static unsigned received, passed, sent, wrong, is_over;
static pami_endpoint_t sender;
static pami_program_t program;
static int is_last;

typedef struct {
  unsigned number;
  uint8_t* data;
  size_t bytes;
} incoming_t;

static uint8_t byte_at(unsigned number, size_t i) {
  return (uint8_t)(i * 7 + (i >> 8) + number);
}

static void check(unsigned number, const uint8_t* data, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) wrong += data[i] != byte_at(0, i);
  wrong += bytes != data_bytes[number % KINDS];
  ++received;
}

static void fetched(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  incoming_t* incoming = cookie;
  check(incoming->number, incoming->data, incoming->bytes);
  free(incoming->data);
  free(incoming);
}

static void late_arrives(pami_context_t context, void* cookie, const void* header, size_t bytes_of_header,
                         const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie;
  unsigned number;
  memcpy(&number, header, sizeof number);
  printf("message %u\n", number);
  sender = origin;
  wrong += bytes_of_header != header_bytes[number % KINDS];
  for (size_t i = sizeof number; i < bytes_of_header; ++i) wrong += ((const uint8_t*)header)[i] != byte_at(number, i);
  if (receiver == NULL) {
    check(number, data, bytes);
    return;
  }
  incoming_t* incoming = malloc(sizeof *incoming);
  *incoming = (incoming_t){.number = number, .data = malloc(bytes), .bytes = bytes};
  receiver->addr = incoming->data;
  receiver->local_fn = fetched;
  receiver->cookie = incoming;
}

static void second_arrives(pami_context_t context, void* cookie, const void* header, size_t bytes_of_header,
                           const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)bytes_of_header, (void)data, (void)bytes, (void)origin, (void)receiver;
  unsigned number;
  memcpy(&number, header, sizeof number);
  printf("second %u\n", number);
}

static void passes(pami_context_t context, void* cookie, const void* header, size_t bytes_of_header, const void* data,
                   size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header, (void)bytes_of_header, (void)data, (void)bytes, (void)origin,
      (void)receiver;
  if (++passed != KINDS || !is_last) return;
  pami_program_set(&program, LATE, late_arrives);
  pami_program_set(&program, SECOND, second_arrives);
}

static void ends(pami_context_t context, void* cookie, const void* header, size_t bytes_of_header, const void* data,
                 size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header, (void)bytes_of_header, (void)data, (void)bytes, (void)origin,
      (void)receiver;
  is_over = 1;
}

static void has_gone(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)cookie, (void)result;
  ++sent;
}

static void send_all(pami_context_t context) {
  for (size_t dispatch = SET; dispatch <= LAST; ++dispatch) {
    if (dispatch != DONE) pami_program_set(&program, dispatch, passes);
  }
  pami_send_immediate_t mark = {.dispatch = SET, .dest = pami_program_endpoint(&program, program.tasks - 1, 0)};
  for (size_t i = 0; i < LONGEST; ++i) contents[i] = byte_at(0, i);
  for (unsigned number = 0; number < KINDS * TURNS; ++number) {
    for (size_t i = 0; i < LONG_HEADER; ++i) headers[number][i] = byte_at(number, i);
    memcpy(headers[number], &number, sizeof number);
    const unsigned kind = number % KINDS;
    pami_send_t message = {.send = {.header = {.iov_base = headers[number], .iov_len = header_bytes[kind]},
                                    .data = {.iov_base = contents, .iov_len = data_bytes[kind]},
                                    .dispatch = LATE,
                                    .dest = mark.dest},
                           .events = {.local_fn = has_gone, .remote_fn = has_gone}};
    pami_program_expect(PAMI_Send(context, &message), "PAMI_Send");
    pami_send_immediate_t second = {.dispatch = SECOND, .dest = mark.dest};
    second.header.iov_base = headers[number];
    second.header.iov_len = sizeof number;
    if (number < 2) pami_program_expect(PAMI_Send_immediate(context, &second), "PAMI_Send_immediate");
    pami_program_expect(PAMI_Send_immediate(context, &mark), "PAMI_Send_immediate");
  }
  while (!is_over || sent < 2 * KINDS * TURNS) PAMI_Context_advance(context, 10);
  mark.dispatch = NEVER;
  pami_program_expect(PAMI_Send_immediate(context, &mark), "PAMI_Send_immediate");
  mark.dispatch = LAST;
  pami_program_expect(PAMI_Send_immediate(context, &mark), "PAMI_Send_immediate");
  mark.dispatch = DONE;
  pami_program_expect(PAMI_Send_immediate(context, &mark), "PAMI_Send_immediate");
}

// Half of the messages are there when the dispatch is set, and the others come in the same advance.
static void receive_all(pami_context_t context) {
  pami_program_set(&program, SET, passes);
  const double start = PAMI_Wtime(program.client);
  while (PAMI_Wtime(program.client) < start + 2e-3) continue;
  while (received < KINDS * TURNS) PAMI_Context_advance(context, 10);
  printf("%u received, %u wrong\n", received, wrong);
  pami_send_immediate_t answer = {.dispatch = DONE, .dest = sender};
  pami_program_expect(PAMI_Send_immediate(context, &answer), "PAMI_Send_immediate");
  while (!is_over) PAMI_Context_advance(context, 10);
  pami_program_set(&program, LAST, passes);
}

int main(void) {
  program = pami_program_start("late", 1);
  is_last = program.me == program.tasks - 1;
  pami_program_set(&program, DONE, ends);
  if (program.me == 0) send_all(program.context[0]);
  if (is_last) receive_all(program.context[0]);
  pami_program_end(&program);
  return 0;
}
