/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random operations of PAMI, each byte checked. In each round a task works on another one, which nobody else works on:
 * messages of all lengths and hints, puts and gets with and without memory regions, atomic operations; several at once,
 * at any alignment, with bytes around that must stay. With several contexts, each has a thread that does all this with
 * the same context of the other tasks.
 *
 *     ./toroid run --machine bgq --shape 2x2x1x1x1 pami_stress [seed [rounds [most bytes [contexts]]]]
 */
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgq/pami_program.h"

enum {
  kLanes = 4,
  kGuard = 64,
  kContextsMax = PAMI_PROGRAM_CONTEXTS,
  kPlain = 1, /* dispatches; its receivers may get data at once */
  kNever = 2, /* never at once */
  kNoRdma = 3,
  kRdma = 4,
  kCheck = 5,   /* look at what has been put */
  kVerdict = 6, /* whether it, or a message, was right */
  kToken = 7,   /* of the barrier */
  kHeader = 40  /* bytes of a message's header, at least */
};

typedef struct lane {
  struct work* work;
  uint8_t* inbox; /* others put here */
  uint8_t* local; /* what is sent from here, or fetched */
  int busy;       /* callbacks and answers that are due */
  uint64_t seed;
  uint64_t bytes;
  uint64_t at; /* of a put: in the other's inbox */
  int checks_put;
  uint8_t* header; /* of a message */
} lane_t;

typedef struct work {
  pami_client_t client;
  pami_context_t context;
  unsigned offset;
  uint64_t random;
  uint32_t tasks, me, other;
  pami_endpoint_t to;
  lane_t lane[kLanes];
  pami_memregion_t mine;    /* the inboxes and sources of this context */
  pami_memregion_t* others; /* of each task */
  uint8_t* memory;          /* inboxes, then sources, then the word */
  uint64_t* bases;          /* of each task: address of its memory */
  uint64_t operations, wrong;
  uint32_t* next_number; /* of messages from each task: order */
  uint32_t sent_number;
  uint64_t tokens[32];
  int exchanged;
} work_t;

static uint64_t most = 1 << 20, rounds = 20, seed = 1, contexts = 1;
static work_t works[kContextsMax];

static uint64_t lane_bytes(void) {
  return most + 2 * kGuard + 64;
}
static uint64_t word_at(void) {
  return 2 * kLanes * lane_bytes();
}

static uint64_t mix(uint64_t x) {
  x ^= x >> 30, x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27, x *= 0x94d049bb133111ebull;
  return x ^ x >> 31;
}
static uint64_t draw(work_t* work) {
  return mix(work->random += 0x9e3779b97f4a7c15ull);
}
static uint8_t byte_of(uint64_t from, uint64_t i) {
  return (uint8_t)((from + i) * 0x9E3779B97F4A7C15ull >> 56);
}
static void fill(uint8_t* at, uint64_t from, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) at[i] = byte_of(from, i);
}
static uint64_t differing(const uint8_t* at, uint64_t from, uint64_t bytes) {
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < bytes; ++i) wrong += at[i] != byte_of(from, i);
  return wrong;
}
static uint64_t not_guard(const uint8_t* at) {
  uint64_t wrong = 0;
  for (unsigned i = 0; i < kGuard; ++i) wrong += at[i] != 0xEE;
  return wrong;
}
static void complain(work_t* work, const char* what, uint64_t wrong, uint64_t bytes) {
  if (wrong == 0) return;
  work->wrong += wrong;
  printf("task %u: %s of %llu bytes: %llu are wrong\n", work->me, what, (unsigned long long)bytes,
         (unsigned long long)wrong);
}
static void must(work_t* work, pami_result_t result, const char* call) {
  if (result == PAMI_SUCCESS) return;
  char why[256] = "";
  PAMI_Error_text(why, sizeof why);
  printf("task %u: %s: %d, %s\n", work->me, call, result, why);
  ++work->wrong;
}

/* A length: mostly short ones, but all up to the most come. */
static uint64_t draw_bytes(work_t* work) {
  const unsigned bits = (unsigned)(draw(work) % 21);
  const uint64_t bytes = draw(work) % (((uint64_t)1 << bits) + 1);
  return bytes > most ? draw(work) % (most + 1) : bytes;
}

/* Messages ----------------------------------------------------------------------------------------------------------
 */

typedef struct message_header {
  uint64_t seed;
  uint64_t bytes;
  uint64_t header_bytes;
  uint32_t number;
  uint32_t lane; /* of the sender */
} message_header_t;

typedef struct incoming {
  work_t* work;
  message_header_t header;
  pami_endpoint_t origin;
  uint8_t* buffer;
  uint64_t shift;
} incoming_t;

typedef struct verdict {
  uint64_t wrong;
  uint32_t lane;
} verdict_t;

static void tell(work_t* work, pami_endpoint_t to, uint32_t lane, uint64_t wrong) {
  verdict_t verdict = {.wrong = wrong, .lane = lane};
  pami_send_immediate_t send = {
      .header = {.iov_base = &verdict, .iov_len = sizeof verdict}, .dispatch = kVerdict, .dest = to};
  must(work, PAMI_Send_immediate(work->context, &send), "PAMI_Send_immediate");
}

static void received(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  incoming_t* in = cookie;
  const uint64_t bytes = in->header.bytes;
  const uint64_t wrong = differing(in->buffer + kGuard + in->shift, in->header.seed, bytes) +
                         not_guard(in->buffer + in->shift) + not_guard(in->buffer + kGuard + in->shift + bytes);
  tell(in->work, in->origin, in->header.lane, wrong);
  free(in->buffer);
  free(in);
}

static void message_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                            const void* pipe, size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context;
  work_t* work = cookie;
  message_header_t head;
  memcpy(&head, header, sizeof head);
  complain(work, "header", (uint64_t)(head.header_bytes != header_bytes || head.bytes != bytes), header_bytes);
  complain(work, "header", differing((const uint8_t*)header + sizeof head, head.seed + 1, header_bytes - sizeof head),
           header_bytes);
  uint32_t* next = &work->next_number[origin & 0x7FFFFF];
  complain(work, "order", *next != head.number, bytes);
  *next = head.number + 1;
  if (pipe != NULL) {
    tell(work, origin, head.lane, differing(pipe, head.seed, bytes));
    return;
  }
  incoming_t* in = malloc(sizeof *in);
  *in = (incoming_t){.work = work, .header = head, .origin = origin, .shift = head.seed % 64};
  in->buffer = malloc(bytes + 2 * kGuard + 64);
  memset(in->buffer, 0xEE, bytes + 2 * kGuard + 64);
  *recv = (pami_recv_t){.cookie = in,
                        .local_fn = received,
                        .addr = in->buffer + kGuard,
                        .type = PAMI_TYPE_BYTE,
                        .offset = in->shift,
                        .data_fn = PAMI_DATA_COPY};
}

static void less(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  --((lane_t*)cookie)->busy;
}

static void send_message(work_t* work, lane_t* lane) {
  const unsigned kind = (unsigned)(draw(work) % 5);
  const bool immediate = kind == 4;
  uint64_t header_bytes = sizeof(message_header_t) + draw(work) % 60;
  if (draw(work) % 16 == 0) header_bytes += draw(work) % 3000;
  if (immediate) header_bytes = sizeof(message_header_t) + draw(work) % 16;
  if (immediate) lane->bytes = draw(work) % (128 - header_bytes + 1);
  message_header_t head = {.seed = lane->seed,
                           .bytes = lane->bytes,
                           .header_bytes = header_bytes,
                           .number = work->sent_number++,
                           .lane = (uint32_t)(lane - work->lane)};
  memcpy(lane->header, &head, sizeof head);
  fill(lane->header + sizeof head, lane->seed + 1, header_bytes - sizeof head);
  uint8_t* data = lane->local + kGuard + draw(work) % 64;
  fill(data, lane->seed, lane->bytes);
  pami_send_t send = {.send = {.header = {.iov_base = lane->header, .iov_len = header_bytes},
                               .data = {.iov_base = data, .iov_len = lane->bytes},
                               .dispatch = immediate ? kPlain : kPlain + kind,
                               .dest = work->to},
                      .events = {.cookie = lane, .local_fn = less}};
  lane->busy = 1; /* the verdict */
  if (immediate) {
    must(work, PAMI_Send_immediate(work->context, &send.send), "PAMI_Send_immediate");
    memset(data, 0, lane->bytes);
    return;
  }
  ++lane->busy;
  if (draw(work) % 2) {
    ++lane->busy;
    send.events.remote_fn = less;
  }
  must(work, PAMI_Send(work->context, &send), "PAMI_Send");
}

static void verdict_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                            const void* pipe, size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)header_bytes, (void)pipe, (void)bytes, (void)origin, (void)recv;
  work_t* work = cookie;
  const verdict_t* verdict = header;
  lane_t* lane = &work->lane[verdict->lane];
  complain(work, "message or put", verdict->wrong, lane->bytes);
  --lane->busy;
}

/* Puts and gets ------------------------------------------------------------------------------------------------------
 */

typedef struct check {
  uint64_t seed, bytes, at;
  uint32_t lane;
} check_t;

static void check_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                          const void* pipe, size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)header_bytes, (void)pipe, (void)bytes, (void)recv;
  work_t* work = cookie;
  const check_t* check = header;
  uint8_t* at = work->memory + check->at;
  tell(work, origin, check->lane,
       differing(at, check->seed, check->bytes) + not_guard(at - kGuard) + not_guard(at + check->bytes));
  memset(at, 0xEE, check->bytes);
}

static void is_put(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  lane_t* lane = cookie;
  work_t* work = lane->work;
  check_t check = {.seed = lane->seed, .bytes = lane->bytes, .at = lane->at, .lane = (uint32_t)(lane - work->lane)};
  pami_send_immediate_t send = {
      .header = {.iov_base = &check, .iov_len = sizeof check}, .dispatch = kCheck, .dest = work->to};
  must(work, PAMI_Send_immediate(work->context, &send), "PAMI_Send_immediate");
}

static void put(work_t* work, lane_t* lane) {
  const uint64_t number = (uint64_t)(lane - work->lane);
  uint8_t* from = lane->local + kGuard + draw(work) % 64;
  if (lane->bytes == 0) lane->bytes = 1;
  lane->at = number * lane_bytes() + kGuard + draw(work) % 64;
  fill(from, lane->seed, lane->bytes);
  lane->busy = 2; /* done_fn, and the verdict that rdone_fn asks for */
  const pami_rma_t rma = {.dest = work->to, .bytes = lane->bytes, .cookie = lane, .done_fn = less};
  if (draw(work) % 2) {
    pami_put_simple_t simple = {.rma = rma,
                                .addr = {.local = from, .remote = (void*)(work->bases[work->other] + lane->at)},
                                .put = {.rdone_fn = is_put}};
    must(work, PAMI_Put(work->context, &simple), "PAMI_Put");
  } else {
    pami_memregion_t local;
    size_t bytes;
    must(work, PAMI_Memregion_create(work->context, from, lane->bytes, &bytes, &local), "PAMI_Memregion_create");
    pami_rput_simple_t simple = {
        .rma = rma,
        .rdma = {.local = {.mr = &local}, .remote = {.mr = &work->others[work->other], .offset = lane->at}},
        .put = {.rdone_fn = is_put}};
    must(work, PAMI_Rput(work->context, &simple), "PAMI_Rput");
  }
}

static void is_fetched(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  lane_t* lane = cookie;
  const uint8_t* at = lane->local + kGuard + lane->seed % 64;
  complain(
      lane->work, "get",
      differing(at, lane->work->other + lane->at, lane->bytes) + not_guard(at - kGuard) + not_guard(at + lane->bytes),
      lane->bytes);
  --lane->busy;
}

static void get(work_t* work, lane_t* lane) {
  uint8_t* to = lane->local + kGuard + lane->seed % 64;
  if (lane->bytes == 0) lane->bytes = 1;
  memset(to - kGuard, 0xEE, lane->bytes + 2 * kGuard);
  lane->at = kLanes * lane_bytes() + draw(work) % (lane_bytes() - lane->bytes);
  lane->busy = 1;
  const pami_rma_t rma = {.dest = work->to, .bytes = lane->bytes, .cookie = lane, .done_fn = is_fetched};
  if (draw(work) % 2) {
    pami_get_simple_t simple = {.rma = rma,
                                .addr = {.local = to, .remote = (void*)(work->bases[work->other] + lane->at)}};
    must(work, PAMI_Get(work->context, &simple), "PAMI_Get");
  } else {
    pami_memregion_t local;
    size_t bytes;
    must(work, PAMI_Memregion_create(work->context, to, lane->bytes, &bytes, &local), "PAMI_Memregion_create");
    pami_rget_simple_t simple = {
        .rma = rma,
        .rdma = {.local = {.mr = &local}, .remote = {.mr = &work->others[work->other], .offset = lane->at}}};
    must(work, PAMI_Rget(work->context, &simple), "PAMI_Rget");
  }
}

/* Atomic operations --------------------------------------------------------------------------------------------------
 */

static void wait_for(work_t* work, const int* busy) {
  while (*busy != 0) PAMI_Context_advance(work->context, 1000);
}

static void atomics(work_t* work, lane_t* lane) {
  static const pami_atomic_t operations[] = {PAMI_ATOMIC_FETCH_ADD, PAMI_ATOMIC_FETCH_OR,
                                             PAMI_ATOMIC_FETCH_AND, PAMI_ATOMIC_FETCH_XOR,
                                             PAMI_ATOMIC_FETCH_SET, PAMI_ATOMIC_FETCH_COMPARE_SET};
  uint64_t expected = draw(work), old = 0, test = 0;
  pami_rmw_t rmw = {.dest = work->to,
                    .cookie = lane,
                    .done_fn = less,
                    .local = &old,
                    .remote = (void*)(work->bases[work->other] + word_at()),
                    .value = &expected,
                    .test = &test,
                    .operation = PAMI_ATOMIC_SET,
                    .type = PAMI_TYPE_UNSIGNED_LONG};
  lane->busy = 1;
  must(work, PAMI_Rmw(work->context, &rmw), "PAMI_Rmw");
  wait_for(work, &lane->busy);
  for (unsigned i = 0; i < 6; ++i) {
    uint64_t value = draw(work);
    test = draw(work) % 2 ? expected : value;
    rmw.value = &value;
    rmw.operation = operations[i];
    lane->busy = 1;
    must(work, PAMI_Rmw(work->context, &rmw), "PAMI_Rmw");
    wait_for(work, &lane->busy);
    complain(work, "atomic operation", old != expected, 8);
    switch (i) {
      case 0:
        expected += value;
        break;
      case 1:
        expected |= value;
        break;
      case 2:
        expected &= value;
        break;
      case 3:
        expected ^= value;
        break;
      case 4:
        expected = value;
        break;
      default:
        expected = test == expected ? value : expected;
    }
    ++work->operations;
  }
}

/* Barrier and start ---------------------------------------------------------------------------------------------------
 */

static void token_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                          const void* pipe, size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)pipe, (void)bytes, (void)recv;
  work_t* work = cookie;
  const uint64_t* words = header;
  if (header_bytes == sizeof *words) {
    ++work->tokens[words[0]];
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
  const uint64_t bytes = word_at() + 8 + lane_bytes();
  void* memory;
  if (posix_memalign(&memory, 128, bytes) != 0) abort();
  work->memory = memory;
  memset(work->memory, 0xEE, kLanes * lane_bytes());
  for (uint64_t i = kLanes * lane_bytes(); i < word_at(); ++i) work->memory[i] = byte_of(work->me, i);
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
    common = mix(common + 1);
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
    for (unsigned i = 0; i < kLanes; ++i) wait_for(work, &work->lane[i].busy);
    atomics(work, &work->lane[0]);
    numbers[work->other] = work->sent_number;
  }
  barrier(work);
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
  most = argument(argc, argv, 3, most);
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
  uint64_t operations = 0, wrong = 0;
  for (unsigned i = 1; i < contexts; ++i)
    if (pthread_create(&threads[i], NULL, run, &works[i]) != 0) return printf("no thread %u\n", i), 1;
  run(&works[0]);
  for (unsigned i = 0; i < contexts; ++i) {
    if (i > 0) pthread_join(threads[i], NULL);
    operations += works[i].operations;
    wrong += works[i].wrong;
  }
  if (wrong != 0 || works[0].me == 0)
    printf("task %u: %llu operations, %llu wrong\n", works[0].me, (unsigned long long)operations,
           (unsigned long long)wrong);
  pami_program_end(&program);
  return wrong != 0;
}
