// SPDX-License-Identifier: Apache-2.0
//
// The threads of each process poll memory and registers in loops of random shapes, and compute with and without
// floating point, so that what others can issue beside them changes all the time. In each round one of them announces
// the round: by a store, by the copier's data, count or completion word, or by an interrupt; the others see it, work,
// and answer by a store. Now and then they sleep in the kernel. Only the first process of a node uses the copier; those
// of other ones follow its count. Each thread prints a sum over when it saw what: nothing goes unnoticed.
//
//   random_threads SEED [ROUNDS]
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "testbench/tests/test_chip/copier_regs.h"
#include "testbench/tests/test_chip/driver.h"

#ifdef __x86_64__
#include <x86intrin.h>
#endif

enum { MOST_THREADS = 4, FLAGS = 4, SHAPES = 11, SLEEPS = 10 };
enum { BY_STORE, BY_DATA, BY_COUNT, BY_COMPLETION, BY_INTERRUPT, KINDS };

static volatile uint32_t flags[FLAGS][4] __attribute__((aligned(128)));
static uint32_t sources[FLAGS][4] __attribute__((aligned(128)));
static volatile uint32_t completion[1024] __attribute__((aligned(4096)));
static volatile uint32_t answers[MOST_THREADS], noise[8], interrupts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static uint32_t rank, seed, threads, rounds = 60;

static uint32_t now(void) {
#ifdef __x86_64__
  return (uint32_t)__rdtsc();
#else
  return (uint32_t)__builtin_ppc_get_timebase();
#endif
}

static uint32_t next(uint32_t* random) {
  *random ^= *random << 13;
  *random ^= *random >> 17;
  *random ^= *random << 5;
  return *random >> 3;
}

static void work(uint32_t turns) {
  for (volatile uint32_t i = 0; i < turns; i++) {
  }
}

static void compute(uint32_t turns) {
  while (turns-- != 0) __asm__ volatile("");
}

static double compute_floats(uint32_t turns) {
  double sum = 0.5, other = 1.5;
  while (turns-- != 0) {
    sum = sum * 0.75 + 1;
    other = other * 0.5 + sum;
    __asm__ volatile("" : : : "memory");
  }
  return sum + other;
}

__attribute__((noinline)) static uint32_t by_frame(const volatile uint32_t* word) {
  volatile uint32_t copy[4] = {word[0], 1, 2, 3};
  return copy[0] + copy[3];
}

static uint32_t pending(void) {
  return *(volatile uint32_t*)(uintptr_t)(COPIER_BASE + COPIER_INTERRUPT);
}

/// What a loop does beside looking at what it waits for.
static void turn(uint32_t shape, uint32_t length) {
  switch (shape) {
    case 0:
      break;
    case 1:
      (void)copier_count();
      break;
    case 2:
      (void)pending();
      compute(length);
      (void)copier_count();
      break;
    case 3:
      (void)copier_count();
      work(length);
      break;
    case 4:
      compute(4 * length);
      break;
    case 5:
      if (noise[0] % 2 != 0) compute(length);
      (void)copier_count();
      if (noise[1] % 2 != 0) compute(3 * length);
      break;
    case 6:
      if (by_frame(&noise[3]) % 2 != 0) compute(length);
      for (unsigned i = 0; i < 6; i++) (void)copier_count();
      break;
    case 7:
      for (unsigned i = 0; i < 8; i++) compute(noise[i] % 8 * length);
      break;
    case 8:
      if (noise[5] % 4 == 0) (void)compute_floats(length);
      break;
    default:
      (void)compute_floats(length / 4 + 1);
      (void)pending();
      break;
  }
}

static void handler(void) {
  interrupts += 1;
  copier_lower_interrupt();
}

static void announce(uint32_t kind, uint32_t flag, uint32_t round) {
  if (kind == BY_STORE) {
    flags[flag][1] = round;
    return;
  }
  for (unsigned i = 0; i < 4; i++) sources[flag][i] = round;
  struct copier_copy copy = {(void*)flags[flag], sources[flag], sizeof sources[flag], NULL, round, 0};
  if (kind == BY_COMPLETION) copy.completion = completion;
  if (kind == BY_INTERRUPT) copy.flags = COPIER_FLAG_INTERRUPT;
  (void)copier_put(&copy);
  copier_ring();
}

/// Where the processor can wait for the loss of a reservation, it sleeps until others store near the word.
static void sleep_until(const volatile uint32_t* word, uint32_t round) {
  uint32_t value = 0;
#ifdef __powerpc64__
  do {
    __asm__ volatile("lwarx %0,0,%1" : "=r"(value) : "r"(word) : "memory");
    if (value < round) __asm__ volatile(".long 0x7c20007c" : : : "memory");  // waitrsv
  } while (value < round);
#else
  while (*word < round) compute(value);
#endif
}

typedef struct {
  uint32_t copies, interrupts;  // announced so far
} known_t;

static void await(uint32_t kind, uint32_t flag, uint32_t round, known_t known, uint32_t shape, uint32_t length) {
  if (kind == BY_COUNT) {
    while (copier_count() < known.copies) turn(shape, length);
  } else if (kind == BY_COMPLETION) {
    while (completion[0] < round) turn(shape, length);
  } else if (kind == BY_INTERRUPT) {
    while (interrupts < known.interrupts) turn(shape, length);
  } else if (shape == SLEEPS) {
    sleep_until(&flags[flag][1], round);
  } else {
    while (flags[flag][1] < round) turn(shape, length);
  }
}

static void nap(uint32_t nanoseconds) {
  const struct timespec time = {0, (long)nanoseconds};
  (void)nanosleep(&time, NULL);
}

static void* run(void* argument) {
  const uint32_t own = (uint32_t)(uintptr_t)argument;
  uint32_t node = seed * 2654435761u | 1;             // the same in all processes of a node
  uint32_t common = (seed + rank) * 2246822519u | 1;  // the same in all threads of a process
  uint32_t mine = ((seed + rank) * 40503u + own * 977) | 1;
  uint64_t sum = 0;
  known_t known = {0, 0};
  for (uint32_t round = 1; round <= rounds; round++) {
    const uint32_t kind_of_first = next(&node) % KINDS;
    const uint32_t leader = next(&common) % threads, flag = next(&common) % FLAGS;
    const uint32_t shape = next(&mine) % SHAPES, length = next(&mine) % 40;
    if (kind_of_first != BY_STORE) known.copies++;
    if (kind_of_first == BY_INTERRUPT) known.interrupts++;
    const uint32_t kind = rank == 0 ? kind_of_first : kind_of_first == BY_STORE ? BY_STORE : BY_COUNT;
    if (next(&common) % 8 == 0) {  // threads that sleep in the kernel
      compute(next(&mine) % 2000);
      (void)pthread_barrier_wait(&barrier);
      sum = sum * 31 + now();
    }
    if (next(&mine) % 8 == 0) nap(next(&mine) % 5000);
    if (next(&mine) % 3 == 0) (void)compute_floats(next(&mine) % 400);
    if (leader == own && (rank == 0 || kind == BY_STORE)) {
      const int burst = next(&mine) % 3 == 0;
      for (uint32_t times = next(&mine) % (burst ? 60 : 6); times != 0; times--) {
        compute(next(&mine) % (burst ? 60 : 3000));
        noise[next(&mine) % 8] = next(&mine);
        if (next(&mine) % 4 == 0) noise[next(&mine) % 8] = next(&mine);
      }
      compute(next(&mine) % 5000);
      announce(kind, flag, round);
      if (kind != BY_STORE) await(kind, flag, round, known, shape, length);
    } else {
      await(kind, flag, round, known, shape, length);
    }
    sum = sum * 31 + now();
    compute(next(&mine) % 300);
    if (next(&mine) % 3 == 0) noise[next(&mine) % 8] = next(&mine);
    if (next(&mine) % 4 == 0) {
      (void)pthread_mutex_lock(&lock);
      compute(next(&mine) % 500);
      (void)pthread_mutex_unlock(&lock);
      sum = sum * 31 + now();
    }
    answers[own] = round;
    for (uint32_t other = 0; other < threads; other++) {
      while (answers[other] < round) turn(shape, length);
      sum = sum * 31 + now();
    }
  }
  printf("rank %u, thread %u: %08x%08x\n", (unsigned)rank, (unsigned)own, (unsigned)(sum >> 32), (unsigned)sum);
  return NULL;
}

int main(int argc, char** argv) {
  static uint8_t stack[16384] __attribute__((aligned(16)));
  if (argc > 1) seed = (uint32_t)strtoul(argv[1], NULL, 0);
  if (argc > 2) rounds = (uint32_t)strtoul(argv[2], NULL, 0);
  rank = (uint32_t)syscall(SYS_gettid) - 1;
  cpu_set_t own;
  if (sched_getaffinity(0, sizeof own, &own) != 0) return 1;
  threads = (uint32_t)CPU_COUNT(&own);
  if (pthread_barrier_init(&barrier, NULL, threads) != 0) return 1;
  if (rank == 0) {
    if (copier_watch(completion, sizeof completion) != 0 || copier_start(16) != 0) return 1;
    if (copier_on_interrupt(handler, stack, sizeof stack) != 0) return 1;
  }
  pthread_t others[MOST_THREADS];
  for (uint32_t i = 1; i < threads; i++) {
    if (pthread_create(&others[i], NULL, run, (void*)(uintptr_t)i) != 0) return 1;
  }
  (void)run(NULL);
  for (uint32_t i = 1; i < threads; i++) (void)pthread_join(others[i], NULL);
  return 0;
}
