// SPDX-License-Identifier: Apache-2.0
//
// Threads of one process: pthreads of the C library, a subject an argument.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "hw/kernel/kernel_abi.h"

enum { MOST = 16, ROUNDS = 200 };

static unsigned failures;

#define CHECK(condition)                                       \
  do {                                                         \
    if (!(condition)) {                                        \
      printf("line %d: %s is not so\n", __LINE__, #condition); \
      failures += 1;                                           \
    }                                                          \
  } while (0)

static unsigned processors(void) {
  return (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

// As many threads as fit beside this one, and back.
static unsigned with_threads(void* (*function)(void*)) {
  pthread_t threads[MOST];
  const unsigned count = processors() - 1;
  for (unsigned i = 0; i < count; ++i)
    CHECK(pthread_create(&threads[i], NULL, function, (void*)(uintptr_t)(i + 1)) == 0);
  function((void*)0);
  for (unsigned i = 0; i < count; ++i) {
    void* result = NULL;
    CHECK(pthread_join(threads[i], &result) == 0);
    CHECK((uintptr_t)result == i + 1);
  }
  return count + 1;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile unsigned counter;
static _Atomic unsigned atomic_counter;

static void* count_up(void* number) {
  for (unsigned i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&mutex);
    counter = counter + 1;
    pthread_mutex_unlock(&mutex);
    atomic_fetch_add(&atomic_counter, 2);
  }
  return number;
}

static void test_mutex(void) {
  const unsigned threads = with_threads(count_up);
  CHECK(counter == threads * ROUNDS);
  CHECK(atomic_counter == 2 * threads * ROUNDS);
  printf("%u threads counted to %u\n", threads, counter);
}

static pthread_spinlock_t spin;

static void* spin_up(void* number) {
  for (unsigned i = 0; i < ROUNDS; ++i) {
    pthread_spin_lock(&spin);
    counter = counter + 1;
    pthread_spin_unlock(&spin);
  }
  return number;
}

static void test_spin(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  const unsigned threads = with_threads(spin_up);
  CHECK(counter == threads * ROUNDS);
}

// Waits by polling plain memory, without a call.
static volatile unsigned turn;

static void* take_turns(void* number) {
  const unsigned own = (unsigned)(uintptr_t)number, all = processors();
  for (unsigned i = 0; i < ROUNDS; ++i) {
    while (turn % all != own) {
    }
    counter = counter * 3 + own;
    turn = turn + 1;
  }
  return number;
}

static void test_turns(void) {
  with_threads(take_turns);
  printf("turns end with %u\n", counter);
}

// Polls a device, and memory beside it.
static void* poll_both(void* number) {
  volatile unsigned* const device = (volatile unsigned*)0xB1140000u;
  const struct timespec pause = {0, 1000000};
  if (number == (void*)0) {
    while (turn == 0 && *device == 0) {
    }
  } else if (number == (void*)1) {
    nanosleep(&pause, NULL);
    turn = 1;
  }
  return number;
}

static void test_device(void) {
  with_threads(poll_both);
  CHECK(turn == 1);
}

static unsigned ball;

static void* play(void* number) {
  const unsigned own = (unsigned)(uintptr_t)number;
  if (own > 1) return number;
  for (unsigned i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&mutex);
    while (ball % 2 != own) pthread_cond_wait(&changed, &mutex);
    ball += 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return number;
}

static void test_condition(void) {
  with_threads(play);
  CHECK(ball == 2 * ROUNDS);
}

static pthread_barrier_t barrier;
static unsigned arrived[MOST];

static void* meet(void* number) {
  const unsigned own = (unsigned)(uintptr_t)number, all = processors();
  for (unsigned i = 1; i <= ROUNDS / 4; ++i) {
    arrived[own] = i;
    pthread_barrier_wait(&barrier);
    for (unsigned other = 0; other < all; ++other) CHECK(arrived[other] == i);
    pthread_barrier_wait(&barrier);
  }
  return number;
}

static void test_barrier(void) {
  CHECK(pthread_barrier_init(&barrier, NULL, processors()) == 0);
  with_threads(meet);
}

static _Thread_local unsigned own_number = 77;
static _Thread_local unsigned own_zero;
static pthread_key_t key;

static void* keep_own(void* number) {
  const unsigned own = (unsigned)(uintptr_t)number;
  CHECK(own_number == 77);
  CHECK(own_zero == 0);
  own_number = own;
  own_zero = own + 100;
  errno = (int)own;
  pthread_setspecific(key, number);
  pthread_barrier_wait(&barrier);
  CHECK(own_number == own);
  CHECK(own_zero == own + 100);
  CHECK(errno == (int)own);
  CHECK(pthread_getspecific(key) == number);
  return number;
}

static void test_local(void) {
  CHECK(pthread_key_create(&key, NULL) == 0);
  CHECK(pthread_barrier_init(&barrier, NULL, processors()) == 0);
  with_threads(keep_own);
}

static struct timespec in(clockid_t clock, long nanoseconds) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += nanoseconds;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

static void* wait_in_vain(void* number) {
  if (number != (void*)0) return number;
  pthread_mutex_lock(&mutex);
  struct timespec end = in(CLOCK_REALTIME, 3000000);
  CHECK(pthread_cond_timedwait(&changed, &mutex, &end) == ETIMEDOUT);
  struct timespec now = in(CLOCK_REALTIME, 0);
  CHECK(now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec));
  CHECK(now.tv_nsec - end.tv_nsec < 100000);
  end = in(CLOCK_MONOTONIC, 2000000);
  CHECK(pthread_cond_clockwait(&changed, &mutex, CLOCK_MONOTONIC, &end) == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  end = in(CLOCK_REALTIME, 1000000);
  CHECK(sem_timedwait(&semaphore, &end) == -1 && errno == ETIMEDOUT);
  return number;
}

static void* wake_late(void* semaphore) {
  const struct timespec pause = {0, 1000000};
  nanosleep(&pause, NULL);
  sem_post(semaphore);
  return NULL;
}

static void test_timeouts(void) {
  with_threads(wait_in_vain);
  // One that is woken before its time.
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  pthread_t waker;
  CHECK(pthread_create(&waker, NULL, wake_late, &semaphore) == 0);
  struct timespec end = in(CLOCK_REALTIME, 500000000);
  CHECK(sem_timedwait(&semaphore, &end) == 0);
  CHECK(pthread_join(waker, NULL) == 0);
}

static _Atomic unsigned detached;

static void* detach(void* unused) {
  (void)unused;
  CHECK(pthread_detach(pthread_self()) == 0);
  atomic_fetch_add(&detached, 1);
  return NULL;
}

static void* do_nothing(void* number) {
  return number;
}

static void test_many(void) {
  // A thread's place is free again behind it: more threads in all than fit at once.
  for (unsigned i = 0; i < 40; ++i) {
    pthread_t thread;
    int result;
    while ((result = pthread_create(&thread, NULL, detach, NULL)) == EAGAIN) sched_yield();
    CHECK(result == 0);
  }
  while (detached < 40) sched_yield();
  for (unsigned i = 0; i < 20; ++i) {
    pthread_t thread;
    int result;
    while ((result = pthread_create(&thread, NULL, do_nothing, NULL)) == EAGAIN) sched_yield();
    CHECK(result == 0 && pthread_join(thread, NULL) == 0);
  }
}

static void* stay(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (turn == 0) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void test_limit(void) {
  pthread_t threads[MOST], one_more;
  unsigned count = 0;
  int result;
  while ((result = pthread_create(&threads[count], NULL, stay, NULL)) == 0 && count < MOST - 1) count += 1;
  CHECK(result == EAGAIN);
  CHECK(pthread_create(&one_more, NULL, stay, NULL) == EAGAIN);
  printf("%u threads beside the first, then: %s\n", count, strerror(result));
  pthread_mutex_lock(&mutex);
  turn = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (unsigned i = 0; i < count; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
}

static void* tell_identity(void* number) {
  CHECK(getpid() != gettid() || number == (void*)0);
  CHECK(syscall(SYS_tgkill, getpid(), gettid(), 0) == 0);
  cpu_set_t set;
  CPU_ZERO(&set);
  CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
  CHECK(CPU_COUNT(&set) == (int)processors());
  CHECK(sched_setaffinity(0, sizeof set, &set) == 0);
  CPU_ZERO(&set);
  CPU_SET(31, &set);
  CHECK(sched_setaffinity(0, sizeof set, &set) == -1 && errno == EINVAL);
  return number;
}

/// A thread's core does not stop under it: others would wait for its end for ever.
static void* stop_its_core(void* number) {
  CHECK(syscall(TOROID_SYS_STOP_CORE) == -1 && errno == EINVAL);
  return number;
}

static void test_identity(void) {
  with_threads(tell_identity);
  with_threads(stop_its_core);
  CHECK(syscall(SYS_tgkill, getpid(), 12345, 0) == -1 && errno == ESRCH);
}

static long futex(void* word, int operation, unsigned value, const void* time, void* second, unsigned third) {
  return syscall(SYS_futex, word, operation, value, time, second, third);
}

static unsigned words[2];

static void* wait_on_word(void* number) {
  if (number != (void*)0) {
    CHECK(futex(&words[0], 0, 0, NULL, NULL, 0) == 0);
    return number;
  }
  const struct timespec pause = {0, 1000000};
  nanosleep(&pause, NULL);
  const unsigned waiting = processors() - 1;
  words[1] = 5;
  CHECK(futex(&words[0], 4, 1, (void*)(uintptr_t)INT_MAX, &words[1], 9) == -1 && errno == EAGAIN);
  CHECK(futex(&words[0], 4, 1, (void*)(uintptr_t)INT_MAX, &words[1], 0) == (long)waiting);  // CMP_REQUEUE
  CHECK(futex(&words[0], 1, INT_MAX, NULL, NULL, 0) == 0);
  CHECK(futex(&words[1], 1, INT_MAX, NULL, NULL, 0) == (long)waiting - 1);
  return number;
}

static void test_futex(void) {
  unsigned word = 1;
  const struct timespec soon = {0, 1000}, bad = {0, 2000000000};
  CHECK(futex(&word, 0, 2, &soon, NULL, 0) == -1 && errno == EAGAIN);
  CHECK(futex(&word, 0, 1, &soon, NULL, 0) == -1 && errno == ETIMEDOUT);
  CHECK(futex(&word, 0, 1, &bad, NULL, 0) == -1 && errno == EINVAL);
  CHECK(futex((char*)&word + 1, 0, 1, &soon, NULL, 0) == -1 && errno == EINVAL);
  CHECK(futex((void*)16, 0, 1, &soon, NULL, 0) == -1 && errno == EFAULT);
  CHECK(futex(&word, 9, 1, &soon, NULL, 0) == -1 && errno == EINVAL);  // WAIT_BITSET of no bit
  CHECK(futex(&word, 1, 1, NULL, NULL, 0) == 0);
  CHECK(syscall(SYS_clone, 0x11, 0, 0, 0, 0) == -1 && errno == ENOSYS);
  enum { THREAD = 0x3D0F00, CLEAR_SIGHAND = 0x2000 };
  static char stack[4096] __attribute__((aligned(16)));
  CHECK(syscall(SYS_clone, THREAD, 0, &word, 0, &word) == -1 && errno == EINVAL);
  CHECK(syscall(SYS_clone, THREAD, 0x10, &word, 0, &word) == -1 && errno == EINVAL);
  CHECK(syscall(SYS_clone, THREAD | CLEAR_SIGHAND, stack + 2048, &word, 0, &word) == -1 && errno == EINVAL);
  CHECK(syscall(SYS_clone, THREAD, stack + 2048, 16, 0, &word) == -1 && errno == EFAULT);
  with_threads(wait_on_word);
}

static void* crash(void* number) {
  if (number == (void*)2) *(volatile int*)0 = 1;
  pthread_barrier_wait(&barrier);
  return number;
}

static void test_crash(void) {
  pthread_barrier_init(&barrier, NULL, processors());
  with_threads(crash);
}

static void* lock_for_ever(void* number) {
  pthread_mutex_lock(&mutex);
  return number;  // and keeps it
}

static void test_deadlock(void) {
  with_threads(lock_for_ever);
}

static void* leave(void* number) {
  if (number == (void*)1) {
    puts("leaving");
    exit(3);
  }
  if (number != (void*)0) {
    for (;;) {
    }
  }
  pause();
  return number;
}

static void test_exit(void) {
  pthread_mutex_lock(&mutex);
  pthread_t threads[2];
  CHECK(pthread_create(&threads[0], NULL, leave, (void*)2) == 0);
  CHECK(pthread_create(&threads[1], NULL, leave, (void*)1) == 0);
  pthread_mutex_lock(&mutex);
}

static void* outlive(void* number) {
  const struct timespec pause = {0, 2000000};
  nanosleep(&pause, NULL);
  puts("the last thread");
  return number;
}

static void test_main_ends(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, outlive, NULL) == 0);
  pthread_exit(NULL);
}

int main(int argc, char** argv) {
  const struct {
    const char* name;
    void (*test)(void);
  } tests[] = {{"mutex", test_mutex},        {"spin", test_spin},           {"turns", test_turns},
               {"device", test_device},      {"condition", test_condition}, {"barrier", test_barrier},
               {"local", test_local},        {"timeouts", test_timeouts},   {"many", test_many},
               {"limit", test_limit},        {"identity", test_identity},   {"futex", test_futex},
               {"crash", test_crash},        {"deadlock", test_deadlock},   {"exit", test_exit},
               {"main_ends", test_main_ends}};
  for (unsigned i = 0; i < sizeof tests / sizeof tests[0]; ++i) {
    if (argc > 1 && strcmp(argv[1], tests[i].name) != 0) continue;
    tests[i].test();
    printf("%s: %u failures\n", tests[i].name, failures);
  }
  return 0;
}
