/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random operations of PAMI, each byte checked. In each round a task works on another one, which nobody else works on:
 * messages of all lengths and hints, puts and gets with and without memory regions, in one piece or by types, atomic
 * operations; several at once, at any alignment, with bytes around that must stay. With several contexts, each has a
 * thread that does all this with the same context of the other tasks.
 *
 *     ./toroid run --machine bgq --shape 2x2x1x1x1 pami_stress [seed [rounds [most bytes [contexts]]]]
 */
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include "firmware/programs/bgq/pami_stress.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgq/pami_program.h"

enum { kContextsMax = PAMI_PROGRAM_CONTEXTS };

uint64_t stress_most = 1 << 20;
static uint64_t rounds = 20, seed = 1, contexts = 1;
static work_t works[kContextsMax];

void complain(work_t* work, const char* what, uint64_t wrong, uint64_t bytes) {
  if (wrong == 0) return;
  work->wrong += wrong;
  printf("task %u: %s of %llu bytes: %llu are wrong\n", work->me, what, (unsigned long long)bytes,
         (unsigned long long)wrong);
}
void must(work_t* work, pami_result_t result, const char* call) {
  if (result == PAMI_SUCCESS) return;
  char why[256] = "";
  PAMI_Error_text(why, sizeof why);
  printf("task %u: %s: %d, %s\n", work->me, call, result, why);
  ++work->wrong;
}

/* A length: mostly short ones, but all up to the most come. */
static uint64_t draw_bytes(work_t* work) {
  const unsigned one = (unsigned)(draw(work) % 21), other = (unsigned)(draw(work) % 21);
  const unsigned bits = one < other ? one : other;
  const uint64_t bytes = draw(work) % (((uint64_t)1 << bits) + 1);
  return bytes > stress_most ? draw(work) % (stress_most + 1) : bytes;
}

static void token_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                          const void* pipe, size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)pipe, (void)bytes, (void)recv;
  work_t* work = cookie;
  const uint64_t* words = header;
  if (header_bytes == sizeof *words) {
    ++work->tokens[words[0]];
  } else if (header_bytes == 3 * sizeof *words) {
    ++work->reports;
    work->operations += words[0];
    work->bytes += words[1];
    work->wrong += words[2];
  } else { /* where the task's memory is */
    work->bases[origin & 0x7FFFFF] = words[0];
    work->others[origin & 0x7FFFFF][0] = words[1];
    ++work->exchanged;
  }
}

static void send_token(work_t* work, uint32_t to, uint64_t* words, size_t count) {
  pami_send_immediate_t send = {.header = {.iov_base = words, .iov_len = count * sizeof *words}, .dispatch = kToken};
  PAMI_Endpoint_create(work->client, to, work->offset, &send.dest);
  must(work, PAMI_Send_immediate(work->context, &send), "PAMI_Send_immediate");
}

static void barrier(work_t* work) {
  uint64_t step = 0;
  for (uint32_t distance = 1; distance < work->tasks; distance *= 2, ++step) {
    send_token(work, (work->me + distance) % work->tasks, &step, 1);
    while (work->tokens[step] == 0) PAMI_Context_advance(work->context, 1000);
    --work->tokens[step];
  }
}

static void prepare(work_t* work) {
  work->random = seed * 1000003 + work->me * 64 + work->offset;
  work->next_number = calloc(work->tasks, sizeof *work->next_number);
  work->others = calloc(work->tasks, sizeof *work->others);
  work->bases = calloc(work->tasks, sizeof *work->bases);
  const uint64_t bytes = word_at() + 8;
  void* memory;
  if (posix_memalign(&memory, 128, bytes) != 0) abort();
  work->memory = memory;
  memset(work->memory, CONTENTS_UNTOUCHED, sources_at());
  for (uint64_t i = sources_at(); i < word_at(); ++i) work->memory[i] = contents_byte(work->me, i);
  for (unsigned i = 0; i < kLanes; ++i) {
    lane_t* lane = &work->lane[i];
    lane->work = work;
    lane->local = malloc(lane_bytes() + 64);
    lane->header = malloc(4096);
  }
  size_t all;
  must(work, PAMI_Memregion_create(work->context, memory, bytes, &all, &work->mine), "PAMI_Memregion_create");
  for (uint32_t task = 0; task < work->tasks; ++task) {
    uint64_t words[2] = {(uint64_t)memory, work->mine[0]};
    send_token(work, task, words, 2);
  }
  while (work->exchanged < (int)work->tasks) PAMI_Context_advance(work->context, 1000);
}

static void* run(void* argument) {
  work_t* work = argument;
  prepare(work);
  uint64_t common = seed;
  uint32_t* numbers = calloc(work->tasks, sizeof *numbers);
  for (uint64_t round = 0; round < rounds; ++round) {
    barrier(work);
    common = contents_mix(common + 1);
    work->other = (uint32_t)((work->me + common % work->tasks) % work->tasks);
    PAMI_Endpoint_create(work->client, work->other, work->offset, &work->to);
    work->sent_number = numbers[work->other];
    for (unsigned i = 0; i < kLanes; ++i) {
      lane_t* lane = &work->lane[i];
      lane->seed = draw(work);
      lane->bytes = draw_bytes(work);
      switch (draw(work) % 3) {
        case 0:
          send_message(work, lane);
          break;
        case 1:
          put(work, lane);
          break;
        default:
          get(work, lane);
      }
      ++work->operations;
    }
    for (unsigned i = 0; i < kLanes; ++i) {
      lane_t* lane = &work->lane[i];
      wait_for(work, &lane->busy);
      layout_destroy(lane->types.local);
      layout_destroy(lane->types.remote);
      lane->types = (pami_rma_typed_t){0};
      work->bytes += lane->bytes;
    }
    atomics(work, &work->lane[0]);
    numbers[work->other] = work->sent_number;
  }
  barrier(work);
  if (work->me != 0) {
    uint64_t report[3] = {work->operations, work->bytes, work->wrong};
    send_token(work, 0, report, 3);
  } else {
    while (work->reports + 1 < work->tasks) PAMI_Context_advance(work->context, 1000);
  }
  return NULL;
}

static void set(work_t* work, size_t number, pami_dispatch_p2p_function function, pami_dispatch_hint_t hints) {
  pami_dispatch_callback_function callback = {.p2p = function};
  must(work, PAMI_Dispatch_set(work->context, number, callback, work, hints), "PAMI_Dispatch_set");
}

static uint64_t argument(int argc, char** argv, int i, uint64_t otherwise) {
  return argc > i ? strtoull(argv[i], NULL, 0) : otherwise;
}

int main(int argc, char** argv) {
  seed = argument(argc, argv, 1, seed);
  rounds = argument(argc, argv, 2, rounds);
  stress_most = argument(argc, argv, 3, stress_most);
  contexts = argument(argc, argv, 4, contexts);
  if (contexts > kContextsMax) contexts = kContextsMax;
  pami_program_t program = pami_program_start("stress", contexts);
  pthread_t threads[kContextsMax];
  for (unsigned i = 0; i < contexts; ++i) {
    work_t* work = &works[i];
    work->client = program.client;
    work->context = program.context[i];
    work->offset = i;
    work->tasks = program.tasks;
    work->me = program.me;
    set(work, kPlain, message_arrives, (pami_dispatch_hint_t){0});
    set(work, kNever, message_arrives, (pami_dispatch_hint_t){.recv_immediate = PAMI_HINT_DISABLE});
    set(work, kNoRdma, message_arrives, (pami_dispatch_hint_t){.use_rdma = PAMI_HINT_DISABLE});
    set(work, kRdma, message_arrives, (pami_dispatch_hint_t){.use_rdma = PAMI_HINT_ENABLE});
    set(work, kCheck, check_arrives, (pami_dispatch_hint_t){0});
    set(work, kVerdict, verdict_arrives, (pami_dispatch_hint_t){0});
    set(work, kToken, token_arrives, (pami_dispatch_hint_t){0});
  }
  uint64_t operations = 0, bytes = 0, wrong = 0;
  for (unsigned i = 1; i < contexts; ++i)
    if (pthread_create(&threads[i], NULL, run, &works[i]) != 0) return printf("no thread %u\n", i), 1;
  run(&works[0]);
  for (unsigned i = 0; i < contexts; ++i) {
    if (i > 0) pthread_join(threads[i], NULL);
    operations += works[i].operations;
    bytes += works[i].bytes;
    wrong += works[i].wrong;
  }
  if (program.me == 0)
    printf("%llu operations of %u tasks, %llu bytes by puts, gets and messages, %llu wrong\n",
           (unsigned long long)operations, (unsigned)program.tasks, (unsigned long long)bytes,
           (unsigned long long)wrong);
  pami_program_end(&program);
  return wrong != 0;
}
