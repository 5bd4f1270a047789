// SPDX-License-Identifier: Apache-2.0
// Several threads of each task use the same two contexts: each sends to the next task, posts work, and advances, all
// under the contexts' locks, which it takes again and again until all it has started has ended. Then each takes a lock
// a number of times: while others wait, none gets it twice. A line of each task says what was wrong.
#define _POSIX_C_SOURCE 200809L  // pthread_barrier_t

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgq/pami_program.h"

enum { MESSAGE = 1, ANSWER = 2, FINISHED = 3, CONTEXTS = 2, THREADS_MOST = 16, TURNS = 100 };

typedef struct {
  unsigned number;
  unsigned answers, posted; /* that have come back, and work that has been done */
  unsigned turns;           /* with the lock, in the second part */
  unsigned unfair;          /* turns of its own behind which somebody waited, and yet the next one was its own again */
} thread_t;

static pami_program_t program;
static thread_t threads[THREADS_MOST];
static unsigned count, rounds;
static unsigned finished;          /* threads that have been answered */
static unsigned others_finished;   /* the task that sends here wants no more answers */
static unsigned inside[CONTEXTS];  /* threads that have the lock */
static unsigned overlaps, refused; /* two had it; unlocks that failed */
static pthread_barrier_t together;
static unsigned waiting;     /* for the lock, in the second part */
static const thread_t* last; /* that had it */

static void lock(unsigned c) {
  pami_program_expect(PAMI_Context_lock(program.context[c]), "PAMI_Context_lock");
  overlaps += inside[c]++ != 0;
}
static void unlock(unsigned c) {
  --inside[c];
  refused += PAMI_Context_unlock(program.context[c]) != PAMI_SUCCESS;
}

static void send(unsigned c, pami_endpoint_t to, size_t dispatch, const void* words, size_t bytes) {
  pami_send_immediate_t message = {
      .header = {.iov_base = (void*)words, .iov_len = bytes}, .dispatch = dispatch, .dest = to};
  pami_program_expect(PAMI_Send_immediate(program.context[c], &message), "PAMI_Send_immediate");
}

typedef struct {
  unsigned thread, context;
} letter_t;

static void message_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                            const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header_bytes, (void)data, (void)bytes, (void)receiver;
  const letter_t* letter = header;
  send(letter->context, origin, ANSWER, letter, sizeof *letter);
}

static void answer_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                           const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header_bytes, (void)data, (void)bytes, (void)origin, (void)receiver;
  const letter_t* letter = header;
  __atomic_fetch_add(&threads[letter->thread].answers, 1, __ATOMIC_RELEASE);
}

static void finish_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                           const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* receiver) {
  (void)context, (void)cookie, (void)header, (void)header_bytes, (void)data, (void)bytes, (void)origin, (void)receiver;
  __atomic_store_n(&others_finished, 1, __ATOMIC_RELEASE);
}

/* Work that has to be called three times. */
typedef struct {
  pami_work_t memory;
  thread_t* thread;
  unsigned calls;
} work_t;

static pami_result_t work(pami_context_t context, void* cookie) {
  (void)context;
  work_t* one = cookie;
  if (++one->calls < 3) return PAMI_EAGAIN;
  __atomic_fetch_add(&one->thread->posted, 1, __ATOMIC_RELEASE);
  return PAMI_SUCCESS;
}

static void advance(unsigned turn) {
  const unsigned c = turn % CONTEXTS;
  if (turn % 3 == 0) {
    PAMI_Context_trylock_advancev(program.context, CONTEXTS, 1);
    return;
  }
  lock(c);
  PAMI_Context_advance(program.context[c], 1);
  unlock(c);
}

static void use_contexts(thread_t* self) {
  work_t works[CONTEXTS];
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned c = 0; c < CONTEXTS; ++c) {
      const letter_t letter = {.thread = self->number, .context = c};
      lock(c);
      send(c, pami_program_endpoint(&program, (program.me + 1) % program.tasks, c), MESSAGE, &letter, sizeof letter);
      unlock(c);
      works[c] = (work_t){.thread = self};
      pami_program_expect(PAMI_Context_post(program.context[c], &works[c].memory, work, &works[c]),
                          "PAMI_Context_post");
    }
    const unsigned due = CONTEXTS * (round + 1);
    for (unsigned turn = self->number; __atomic_load_n(&self->answers, __ATOMIC_ACQUIRE) < due ||
                                       __atomic_load_n(&self->posted, __ATOMIC_ACQUIRE) < due;
         ++turn)
      advance(turn);
  }
}

/* All threads want the lock of the first context all the time. */
static void take_turns(thread_t* self) {
  pthread_barrier_wait(&together);
  for (unsigned i = 0; i < TURNS; ++i) {
    __atomic_fetch_add(&waiting, 1, __ATOMIC_RELAXED);
    lock(0);
    __atomic_fetch_sub(&waiting, 1, __ATOMIC_RELAXED);
    self->unfair += last == self;
    /* Others have come by now, but for the last turns. */
    for (volatile int pause = 0; pause < 300; ++pause) continue;
    last = __atomic_load_n(&waiting, __ATOMIC_RELAXED) == count - 1 ? self : NULL;
    ++self->turns;
    unlock(0);
  }
}

static void* run(void* argument) {
  thread_t* self = argument;
  use_contexts(self);
  if (__atomic_add_fetch(&finished, 1, __ATOMIC_ACQ_REL) == count) {
    lock(0);
    send(0, pami_program_endpoint(&program, (program.me + 1) % program.tasks, 0), FINISHED, NULL, 0);
    unlock(0);
  }
  for (unsigned turn = 0;
       __atomic_load_n(&finished, __ATOMIC_ACQUIRE) < count || !__atomic_load_n(&others_finished, __ATOMIC_ACQUIRE);
       ++turn)
    advance(turn);
  take_turns(self);
  return NULL;
}

int main(int argc, char** argv) {
  count = argc > 1 ? (unsigned)atoi(argv[1]) : 4;
  rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 10;
  if (count > THREADS_MOST) return 1;
  program = pami_program_start("threads", CONTEXTS);
  for (unsigned c = 0; c < CONTEXTS; ++c) {
    static const pami_dispatch_p2p_function functions[] = {message_arrives, answer_arrives, finish_arrives};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
      const pami_dispatch_callback_function function = {.p2p = functions[i]};
      const pami_dispatch_hint_t hints = {0};
      pami_program_expect(PAMI_Dispatch_set(program.context[c], MESSAGE + i, function, NULL, hints),
                          "PAMI_Dispatch_set");
    }
  }
  if (PAMI_Context_unlock(program.context[0]) != PAMI_INVAL) ++refused; /* nobody has it */
  pthread_barrier_init(&together, NULL, count);
  pthread_t made[THREADS_MOST];
  for (unsigned i = 0; i < count; ++i) {
    threads[i].number = i;
    if (i > 0 && pthread_create(&made[i], NULL, run, &threads[i]) != 0) return printf("no thread %u\n", i), 1;
  }
  run(&threads[0]);
  unsigned answers = 0, posted = 0, turns = 0, unfair = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) pthread_join(made[i], NULL);
    answers += threads[i].answers;
    posted += threads[i].posted;
    turns += threads[i].turns;
    unfair += threads[i].unfair;
  }
  printf("task %u: %u answers, %u works, %u turns; %u overlaps, %u refused, %u unfair\n", program.me, answers, posted,
         turns, overlaps, refused, unfair);
  pami_program_end(&program);
  return 0;
}
