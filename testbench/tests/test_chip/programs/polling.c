// SPDX-License-Identifier: Apache-2.0
//
// Three threads poll, each something else, while a fourth one sleeps: the copier's count, a word of memory, a word that
// the copier writes. Then that one tells them, and each prints when it has seen it, in cycles of its time base.
//
//   polling MICROSECONDS   or `polling never`, which tells nobody
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "testbench/tests/test_chip/driver.h"

enum { POLLERS = 3, WORDS = 1024 };

static volatile uint32_t word, completion[WORDS] __attribute__((aligned(4096)));
static pthread_barrier_t polled;
static uint64_t seen[POLLERS];

static uint64_t now(void) {
#ifdef __x86_64__
  return __builtin_ia32_rdtsc();
#else
  return __builtin_ppc_get_timebase();
#endif
}

static void* poll_count(void* unused) {
  (void)pthread_barrier_wait(&polled);
  while (copier_count() == 0) {
  }
  seen[0] = now();
  return unused;
}

static void* poll_word(void* unused) {
  (void)pthread_barrier_wait(&polled);
  while (word == 0) {
  }
  seen[1] = now();
  return unused;
}

static void* poll_completion(void* unused) {
  (void)pthread_barrier_wait(&polled);
  while (completion[0] == 0) {
  }
  seen[2] = now();
  return unused;
}

static void tell(void) {
  static uint32_t from, to;
  copier_put(&(struct copier_copy){&to, &from, sizeof to, completion, 1, 0});
  copier_ring();
  word = 1;
}

int main(int argc, char** argv) {
  void* (*const work[POLLERS])(void*) = {poll_count, poll_word, poll_completion};
  pthread_t threads[POLLERS];
  if (argc != 2 || copier_start(1) != 0 || copier_watch(completion, sizeof completion) != 0) return 1;
  if (pthread_barrier_init(&polled, NULL, POLLERS + 1) != 0) return 1;
  for (unsigned i = 0; i < POLLERS; ++i) {
    if (pthread_create(&threads[i], NULL, work[i], NULL) != 0) return 1;
  }
  (void)pthread_barrier_wait(&polled);
  if (strcmp(argv[1], "never") != 0) {
    const unsigned long microseconds = strtoul(argv[1], NULL, 10);
    const struct timespec time = {(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000};
    (void)nanosleep(&time, NULL);
    tell();
  }
  for (unsigned i = 0; i < POLLERS; ++i) (void)pthread_join(threads[i], NULL);
  printf("count %llu, word %llu, completion %llu\n", (unsigned long long)seen[0], (unsigned long long)seen[1],
         (unsigned long long)seen[2]);
  return 0;
}
