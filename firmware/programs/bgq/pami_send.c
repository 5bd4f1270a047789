/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first task sends messages of PAMI to the last one: one that goes at once, one of 5000 bytes that the receiver
 * fetches. The receiver answers each, and the sender prints how long that took. Before it begins it sleeps, as long as
 * the argument says.
 *
 *     ./toroid run --machine bgq --shape 2x1x1x1x1 pami_send [microseconds]
 */
#define _POSIX_C_SOURCE 199309L  // nanosleep

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "firmware/programs/bgq/pami_program.h"

enum { kText = 1, kData = 2, kAnswer = 3, kBytes = 5000 };

static const char kHello[] = "a message by PAMI";
static uint8_t data[kBytes];
static unsigned answers;
static unsigned received;

static uint8_t byte_at(unsigned i) {
  return (uint8_t)(i * 7 + (i >> 8));
}

static void answer(pami_context_t context, pami_endpoint_t to) {
  pami_send_immediate_t send = {.dispatch = kAnswer, .dest = to};
  PAMI_Send_immediate(context, &send);
  ++received;
}

static void text_arrives(pami_context_t context, void* cookie, const void* header, size_t header_size, const void* pipe,
                         size_t size, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)cookie, (void)header, (void)header_size, (void)recv;
  printf("received: %.*s\n", (int)size, (const char*)pipe);
  answer(context, origin);
}

static pami_endpoint_t sender;

static void data_is_there(pami_context_t context, void* cookie, pami_result_t result) {
  (void)cookie, (void)result;
  unsigned wrong = 0;
  for (unsigned i = 0; i < kBytes; ++i) wrong += data[i] != byte_at(i);
  printf("received: %u bytes, %u wrong\n", (unsigned)kBytes, wrong);
  answer(context, sender);
}

static void data_arrives(pami_context_t context, void* cookie, const void* header, size_t header_size, const void* pipe,
                         size_t size, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)cookie, (void)header, (void)header_size, (void)pipe, (void)size;
  sender = origin;
  recv->addr = data;
  recv->type = PAMI_TYPE_BYTE;
  recv->offset = 0;
  recv->data_fn = PAMI_DATA_COPY;
  recv->data_cookie = NULL;
  recv->local_fn = data_is_there;
  recv->cookie = NULL;
}

static void answer_arrives(pami_context_t context, void* cookie, const void* header, size_t header_size,
                           const void* pipe, size_t size, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)cookie, (void)header, (void)header_size, (void)pipe, (void)size, (void)origin, (void)recv;
  ++answers;
}

int main(int argc, char** argv) {
  pami_program_t program = pami_program_start("pami_send", 1);
  const pami_context_t context = program.context[0];
  pami_program_set(&program, kText, text_arrives);
  pami_program_set(&program, kData, data_arrives);
  pami_program_set(&program, kAnswer, answer_arrives);
  if (program.me == 0) {
    const long microseconds = argc > 1 ? atol(argv[1]) : 0;
    const struct timespec pause = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000};
    nanosleep(&pause, NULL);
    const pami_endpoint_t last = pami_program_endpoint(&program, program.tasks - 1, 0);

    pami_send_immediate_t text = {.data = {.iov_base = (void*)kHello, .iov_len = strlen(kHello)}, .dispatch = kText};
    text.dest = last;
    double start = PAMI_Wtime(program.client);
    PAMI_Send_immediate(context, &text);
    while (answers < 1) PAMI_Context_advance(context, 1);
    printf("%zu bytes and the answer: %.2f us\n", text.data.iov_len, (PAMI_Wtime(program.client) - start) * 1e6);

    static uint8_t source[kBytes];
    for (unsigned i = 0; i < kBytes; ++i) source[i] = byte_at(i);
    pami_send_t message = {.send = {.data = {.iov_base = source, .iov_len = kBytes}, .dispatch = kData}};
    message.send.dest = last;
    start = PAMI_Wtime(program.client);
    PAMI_Send(context, &message);
    while (answers < 2) PAMI_Context_advance(context, 1);
    printf("%u bytes and the answer: %.2f us\n", (unsigned)kBytes, (PAMI_Wtime(program.client) - start) * 1e6);
  }
  if (program.me == program.tasks - 1)
    while (received < 2) PAMI_Context_advance(context, 1);
  pami_program_end(&program);
  return 0;
}
