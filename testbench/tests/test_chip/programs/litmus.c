// SPDX-License-Identifier: Apache-2.0
//
// Litmus tests of the order in which cores and the copier see each other's accesses to memory
// (docs/reference/memory_order.md). `litmus NAME [fence]` runs one of them ROUNDS times, with delays drawn anew between
// the accesses, and prints how often each outcome came: what the readers have read, as digits.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "testbench/tests/test_chip/driver.h"

enum { ROUNDS = 300, THREADS = 4, LONGEST_DELAY = 1500, OUTCOMES = 16 };

// In cache lines of their own.
typedef struct {
  volatile uint32_t value;
  uint32_t rest[31];
} line;

static line x[ROUNDS], y[ROUNDS], arrived[ROUNDS];
static uint32_t read_by[THREADS][ROUNDS];  // two bits: first and second value read
static int with_fence, threads;
static const char* name;

static uint32_t random_number(uint32_t* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static void delay(uint32_t* seed) {
  for (volatile uint32_t turns = random_number(seed) % (LONGEST_DELAY / 8); turns != 0; --turns) {
  }
}

static void fence(void) {
  if (with_fence) __sync_synchronize();
}

static void meet(uint32_t round) {
  __sync_fetch_and_add(&arrived[round].value, 1);
  while (arrived[round].value != (uint32_t)threads) {
  }
}

static int is(const char* which) {
  return strcmp(name, which) == 0;
}

static void store_and_load(line* to, line* from, uint32_t* result, uint32_t* seed) {
  to->value = 1;
  fence();
  delay(seed);
  *result = from->value;
}

static void load_and_store(line* from, line* to, uint32_t* result, uint32_t* seed) {
  *result = from->value;
  fence();
  delay(seed);
  to->value = 1;
}

static void load_both(line* first, line* second, uint32_t* result, uint32_t* seed) {
  *result = first->value << 1;
  fence();
  delay(seed);
  *result |= second->value;
}

/// What thread number `who` does in one round.
static void play(unsigned who, uint32_t round, uint32_t* seed) {
  line *const a = &x[round], *const b = &y[round];
  uint32_t* const result = &read_by[who][round];
  if (is("store-buffering")) {
    store_and_load(who == 0 ? a : b, who == 0 ? b : a, result, seed);
  } else if (is("load-buffering")) {
    load_and_store(who == 0 ? a : b, who == 0 ? b : a, result, seed);
  } else if (is("message-passing")) {
    if (who == 0) {
      a->value = 1;
      fence();
      delay(seed);
      b->value = 1;
    } else {
      load_both(b, a, result, seed);
    }
  } else if (is("independent-writes")) {
    if (who == 0) a->value = 1;
    if (who == 1) b->value = 1;
    if (who >= 2) load_both(who == 2 ? a : b, who == 2 ? b : a, result, seed);
  }
}

static void* run(void* argument) {
  const unsigned who = (unsigned)(uintptr_t)argument;
  uint32_t seed = who * 7919 + 1;
  for (uint32_t round = 0; round < ROUNDS; ++round) {
    meet(round);
    delay(&seed);
    play(who, round, &seed);
  }
  return NULL;
}

static void between_cores(void) {
  pthread_t others[THREADS];
  for (int who = 1; who < threads; ++who) pthread_create(&others[who], NULL, run, (void*)(uintptr_t)who);
  run(NULL);
  for (int who = 1; who < threads; ++who) pthread_join(others[who], NULL);
  unsigned counts[OUTCOMES] = {0};
  const int independent = is("independent-writes"), message = is("message-passing");
  for (uint32_t round = 0; round < ROUNDS; ++round) {
    const uint32_t first = independent ? read_by[2][round] << 2 : message ? 0 : read_by[0][round] << 1;
    counts[first | read_by[independent ? 3 : 1][round]] += 1;
  }
  for (unsigned outcome = 0; outcome < (independent ? 16 : 4); ++outcome) {
    for (int bit = independent ? 3 : 1; bit >= 0; --bit) printf("%u", outcome >> bit & 1);
    printf(" %u\n", counts[outcome]);
  }
}

// The copier's data and its completion word, whose reader, on another core, tells a third one by memory.

enum { BYTES = 3000, COPIES = 40 };
static uint8_t from[BYTES], to[BYTES];
static volatile uint32_t plain_word[1024] __attribute__((aligned(4096)));
static volatile uint32_t watched_word[1024] __attribute__((aligned(4096)));
static volatile uint32_t told, looked;
static volatile uint32_t* completion;

static unsigned stale(uint8_t value) {
  unsigned count = 0;
  for (unsigned i = 0; i < BYTES; ++i) count += ((volatile uint8_t*)to)[i] != value;
  return count;
}

/// Sees the completion word.
static void* second(void* unused) {
  static unsigned count;
  for (uint32_t copy = 1; copy <= COPIES; ++copy) {
    while (*completion != copy) {
    }
    fence();
    count += stale((uint8_t)copy);
    told = copy;
    while (looked != copy) {
    }
  }
  (void)unused;
  return &count;
}

/// Is told by the second.
static void* third(void* unused) {
  static unsigned count;
  for (uint32_t copy = 1; copy <= COPIES; ++copy) {
    while (told != copy) {
    }
    fence();
    count += stale((uint8_t)copy);
    looked = copy;
  }
  (void)unused;
  return &count;
}

static void flag_after_data(int watched) {
  completion = watched ? watched_word : plain_word;
  if (watched) copier_watch(completion, sizeof watched_word);
  pthread_t readers[2];
  pthread_create(&readers[0], NULL, second, NULL);
  pthread_create(&readers[1], NULL, third, NULL);
  copier_start(2);
  for (uint32_t copy = 1; copy <= COPIES; ++copy) {
    memset(from, (int)copy, sizeof from);
    const struct copier_copy what = {to, from, BYTES, completion, copy, 0};
    copier_put(&what);
    copier_ring();
    while (looked != copy) {
    }
  }
  for (unsigned i = 0; i < 2; ++i) {
    void* count;
    pthread_join(readers[i], &count);
    printf("%s %u stale bytes\n", i == 0 ? "flag" : "told", *(unsigned*)count);
  }
}

/// A mistake: the buffer is written again before the device has read it.
static void reused_buffer(void) {
  memset(from, 1, sizeof from);
  copier_start(1);
  const struct copier_copy what = {to, from, BYTES, NULL, 0, 0};
  const uint32_t number = copier_put(&what);
  copier_ring();
  memset(from, 2, sizeof from);
  copier_wait(number);
  printf("first byte %u, last byte %u\n", to[0], to[BYTES - 1]);
}

/// One core polls memory that is not watched: when it sees the word, in the core's own time.
static void late_word(void) {
  copier_start(1);
  const struct copier_copy what = {to, from, 100, &plain_word[0], 1, 0};
  copier_put(&what);
  copier_ring();
  uint32_t turns = 0;
  while (plain_word[0] == 0) turns += 1;
  printf("%s\n", turns < 200 ? "soon" : "late");
}

int main(int argc, char** argv) {
  name = argc > 1 ? argv[1] : "";
  with_fence = argc > 2;
  threads = is("independent-writes") ? 4 : 2;
  if (is("watched-flag") || is("plain-flag")) {
    flag_after_data(is("watched-flag"));
  } else if (is("reused-buffer")) {
    reused_buffer();
  } else if (is("late-word")) {
    late_word();
  } else {
    between_cores();
  }
  return 0;
}
