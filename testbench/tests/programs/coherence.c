// SPDX-License-Identifier: Apache-2.0
//
// Two cores and a buffer in cached memory, with and without the flushes that the machine needs. The argument:
//   right      flushed wherever it must be, several rounds
//   no-flush   the second core answers without a flush
//   stale      the first core reads the answer from the copy it has had since its question
//   shared     both write to one line, in different places
//   no-start   the first core does not flush before it starts the second
// A second argument is the status to exit with.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/cache.h"
#include "share.h"

enum { ASKED = 0, ANSWERED = 1, LINE = 32, WORDS = 64, ROUNDS = 10 };

static uint8_t stack[16384] __attribute__((aligned(LINE)));
static uint32_t question[WORDS] __attribute__((aligned(LINE)));
static uint32_t answer[WORDS] __attribute__((aligned(LINE)));
static uint32_t counts[LINE / 4] __attribute__((aligned(LINE)));
static const char* what;
static volatile int bug_no_flush __attribute__((aligned(LINE)));
static volatile int bug_shared;
static uint8_t padding[LINE - 8] __attribute__((unused));

__attribute__((noinline)) static void write_answer(void) {
  for (unsigned i = 0; i < WORDS; ++i) answer[i] = question[i] + 1;
}
__attribute__((noinline)) static void write_question(uint32_t round) {
  for (unsigned i = 0; i < WORDS; ++i) question[i] = round * WORDS + i;
}
__attribute__((noinline)) static uint32_t read_answer(void) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < WORDS; ++i) sum += answer[i];
  return sum;
}
__attribute__((noinline)) static void count(unsigned core) {
  counts[core * 4] += 1;
}

static void answer_questions(uint32_t rounds) {
  for (uint32_t round = 1; round <= rounds; ++round) {
    wait_for(ASKED, round);
    bgl_cache_flush(question, sizeof question);
    bgl_cache_flush(answer, sizeof answer);
    write_answer();
    if (bug_shared) count(1);
    if (!bug_no_flush) bgl_cache_flush(answer, sizeof answer);
    *sram(ANSWERED) = round;
  }
  bgl_stop_core();
}

int main(int argc, char** argv) {
  what = argc > 1 ? argv[1] : "right";
  bug_no_flush = strcmp(what, "no-flush") == 0;
  bug_shared = strcmp(what, "shared") == 0;
  const int stale = strcmp(what, "stale") == 0;
  if (strcmp(what, "no-start") != 0) bgl_flush_l1();
  if (bgl_start_core(answer_questions, stack + sizeof stack - LINE, ROUNDS) != 0) return 2;
  uint32_t sum = 0;
  for (uint32_t round = 1; round <= ROUNDS; ++round) {
    write_question(round);
    bgl_cache_flush(question, sizeof question);
    if (bug_shared) count(0);
    if (stale) sum += read_answer();
    if (!stale) bgl_cache_flush(answer, sizeof answer);
    *sram(ASKED) = round;
    wait_for(ANSWERED, round);
    sum += read_answer();
  }
  printf("sum %u\n", sum);
  return argc > 2 ? atoi(argv[2]) : 0;
}
