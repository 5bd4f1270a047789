/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first task adds to a word of the last one by atomic operations, while that one computes and advances nothing: a
 * thread in the background does it, on another hardware thread of the process.
 *
 *     ./toroid run --machine bgq --shape 2x1x1x1x1 pami_progress
 */
#include <stdio.h>

#include "firmware/programs/bgq/pami_program.h"

enum { kWord = 1, kEnd = 2, kTimes = 10 };

typedef pami_result_t (*async_function_t)(pami_context_t context, int what);

static uint64_t word = 1000;
static uint64_t* theirs;
static volatile int is_over;
static int done;

static void word_is_known(pami_context_t context, void* cookie, const void* header, size_t header_size,
                          const void* pipe, size_t size, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)cookie, (void)header_size, (void)pipe, (void)size, (void)origin, (void)recv;
  theirs = *(uint64_t* const*)header;
}

static void end_arrives(pami_context_t context, void* cookie, const void* header, size_t header_size, const void* pipe,
                        size_t size, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)cookie, (void)header, (void)header_size, (void)pipe, (void)size, (void)origin, (void)recv;
  is_over = 1;
}

static void is_done(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)cookie, (void)result;
  done = 1;
}

static int compute(pami_client_t client, pami_context_t context, pami_endpoint_t first) {
  pami_extension_t extension;
  if (PAMI_Extension_open(client, "EXT_async_progress", &extension) != PAMI_SUCCESS) return 1;
  const async_function_t enable = (async_function_t)PAMI_Extension_symbol(extension, "enable");
  const async_function_t disable = (async_function_t)PAMI_Extension_symbol(extension, "disable");
  if (enable(context, 0) != PAMI_SUCCESS) return 1;
  uint64_t* at = &word;
  pami_send_immediate_t send = {.header = {.iov_base = &at, .iov_len = sizeof at}, .dispatch = kWord, .dest = first};
  PAMI_Context_lock(context); /* the context is the thread's as well */
  PAMI_Send_immediate(context, &send);
  PAMI_Context_unlock(context);
  volatile double value = 1;
  while (!is_over) value *= 1.0001;
  disable(context, 0);
  PAMI_Extension_close(extension);
  printf("the word is %llu\n", (unsigned long long)word);
  return 0;
}

static void add(pami_client_t client, pami_context_t context, pami_endpoint_t last) {
  while (theirs == NULL) PAMI_Context_advance(context, 1);
  uint64_t one = 1, old = 0, sum = 0;
  const double start = PAMI_Wtime(client);
  for (int i = 0; i < kTimes; ++i) {
    pami_rmw_t rmw = {.dest = last,
                      .done_fn = is_done,
                      .local = &old,
                      .remote = theirs,
                      .value = &one,
                      .operation = PAMI_ATOMIC_FETCH_ADD,
                      .type = PAMI_TYPE_UNSIGNED_LONG};
    done = 0;
    PAMI_Rmw(context, &rmw);
    while (!done) PAMI_Context_advance(context, 1);
    sum += old;
  }
  printf("%d operations, %.2f us each; the sum of what they found is %llu\n", kTimes,
         (PAMI_Wtime(client) - start) * 1e6 / kTimes, (unsigned long long)sum);
  pami_send_immediate_t send = {.dispatch = kEnd, .dest = last};
  PAMI_Send_immediate(context, &send);
}

int main(void) {
  pami_program_t program = pami_program_start("pami_progress", 1);
  const pami_context_t context = program.context[0];
  pami_program_set(&program, kWord, word_is_known);
  pami_program_set(&program, kEnd, end_arrives);
  int failed = 0;
  if (program.me == program.tasks - 1)
    failed = compute(program.client, context, pami_program_endpoint(&program, 0, 0));
  else if (program.me == 0)
    add(program.client, context, pami_program_endpoint(&program, program.tasks - 1, 0));
  pami_program_end(&program);
  return failed;
}
