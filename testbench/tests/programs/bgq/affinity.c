/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads go to the hardware threads that the program names, by attributes, by another thread and by themselves; it
 * prints where each has come to and what the kernel tells of that. Policies and priorities of threads.
 *
 *     ./toroid run --machine bgq --ranks-per-node 4 --shape 1x1x1x1x1 affinity
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <spi/include/kernel/location.h>
#include <spi/include/kernel/process.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { kThreads = 15 };

static unsigned first; /* hardware thread of the process */
static pthread_barrier_t all_there;
static volatile int go, there;
static const double kSum = 0.1 + 3 * 0.7;

static cpu_set_t only(unsigned processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return set;
}
static int place_of(pthread_t thread) {
  cpu_set_t set;
  if (pthread_getaffinity_np(thread, sizeof set, &set) != 0) return -1;
  if (CPU_COUNT(&set) != 1) return -2;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &set)) return processor;
  }
  return -3;
}
static int is_at(unsigned processor) {
  return Kernel_ProcessorID() == processor && Kernel_ProcessorCoreID() == processor / 4 &&
         Kernel_PhysicalHWThreadID() == processor % 4 && place_of(pthread_self()) == (int)processor &&
         Kernel_MyTcoord() == first / Kernel_ProcessorCount();
}

/* By attributes: all but the process's first, the last of them first. */
static void* see(void* processor) {
  const int good = is_at((unsigned)(uintptr_t)processor);
  pthread_barrier_wait(&all_there);
  return (void*)(uintptr_t)good;
}
static void by_attributes(void) {
  const unsigned others = Kernel_ProcessorCount() - 1, count = others < kThreads ? others : kThreads;
  pthread_t threads[kThreads];
  unsigned good = 0, failed = 0;
  pthread_barrier_init(&all_there, NULL, count + 1);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned processor = first + count - i;
    const cpu_set_t set = only(processor);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
    failed += pthread_create(&threads[i], &attributes, see, (void*)(uintptr_t)processor) != 0;
  }
  pthread_barrier_wait(&all_there);
  for (unsigned i = 0; i < count; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    good += result != NULL;
  }
  printf("by attributes: %u of %u, %u failed\n", good, count, failed);
}

/* By itself, again and again, with numbers, floating-point numbers and thread-local storage in hand. */
static __thread unsigned own_word;
static void* wander(void* unused) {
  (void)unused;
  unsigned good = 0;
  double sum = 0.1;
  own_word = 77;
  const pid_t id = gettid();
  for (unsigned turn = 1; turn <= 3; ++turn) {
    const unsigned processor = first + 1 + turn % 3;
    const cpu_set_t set = only(processor);
    const int result = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    sum += 0.7;
    good += result == 0 && is_at(processor) && own_word == 77 && gettid() == id;
  }
  return (void*)(uintptr_t)(good + (sum > kSum - 1e-9 && sum < kSum + 1e-9));
}

/* By others, while it computes and while it waits. */
static void* stay(void* unused) {
  (void)unused;
  there = 1;
  while (go == 0) continue;
  const unsigned at = Kernel_ProcessorID();
  there = 2;
  pthread_barrier_wait(&all_there);
  return (void*)(uintptr_t)(at * 100 + Kernel_ProcessorID());
}
static void by_others(void) {
  pthread_t thread;
  void* result;
  cpu_set_t set = only(first + 3);
  pthread_barrier_init(&all_there, NULL, 2);
  pthread_create(&thread, NULL, stay, NULL);
  while (there == 0) continue;
  const int running = pthread_setaffinity_np(thread, sizeof set, &set), told = place_of(thread);
  go = 1;
  while (there == 1) continue;
  usleep(10); /* it waits */
  set = only(first + 1);
  const int waiting = pthread_setaffinity_np(thread, sizeof set, &set);
  pthread_barrier_wait(&all_there);
  pthread_join(thread, &result);
  const unsigned places = (unsigned)(uintptr_t)result;
  printf("by others: %d, told +%d, went to +%u; %d, went to +%u\n", running, told - (int)first, places / 100 - first,
         waiting, places % 100 - first);
}

static void* wait_there(void* unused) {
  (void)unused;
  pthread_barrier_wait(&all_there);
  return NULL;
}
static void mistakes(void) {
  pthread_t threads[2];
  cpu_set_t none, taken, foreign = only((first + Kernel_ProcessorCount()) % 64), own = only(first);
  CPU_ZERO(&none);
  pthread_barrier_init(&all_there, NULL, 3);
  for (unsigned i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, wait_there, NULL);
  taken = only((unsigned)place_of(threads[1]));
  const int results[] = {pthread_setaffinity_np(threads[0], sizeof none, &none),
                         pthread_setaffinity_np(threads[0], sizeof foreign, &foreign),
                         pthread_setaffinity_np(threads[0], sizeof taken, &taken),
                         pthread_setaffinity_np(threads[1], sizeof taken, &taken),
                         pthread_setaffinity_np(pthread_self(), sizeof own, &own)};
  pthread_barrier_wait(&all_there);
  for (unsigned i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("no processor %d, another process's %d, taken %d, its own %d, of the first thread %d\n", results[0],
         results[1], results[2], results[3], results[4]);
}

/* The threads of one creator have its policy; one that has become SCHED_COMM stays that. */
static void* change(void* unused) {
  (void)unused;
  int policy;
  struct sched_param given = {.sched_priority = 99}, had;
  pthread_getschedparam(pthread_self(), &policy, &had);
  printf("policy %d, priority %d;", sched_getscheduler(0), had.sched_priority);
  printf(" fifo 99: %d,", sched_setscheduler(0, SCHED_FIFO, &given) != 0 ? errno : 0);
  printf(" comm 99: %d,", sched_setscheduler(0, SCHED_RR, &given) != 0 ? errno : 0);
  had.sched_priority = 0;
  sched_getparam(0, &had);
  printf(" has %d %d,", sched_getscheduler(0), had.sched_priority);
  given.sched_priority = 50;
  printf(" fifo 50: %d,", sched_setscheduler(0, SCHED_FIFO, &given) != 0 ? errno : 0);
  printf(" 50: %d,", sched_setparam(0, &given) != 0 ? errno : 0);
  sched_getparam(0, &had);
  printf(" has %d %d\n", sched_getscheduler(0), had.sched_priority);
  return NULL;
}
static void priorities(void) {
  pthread_t thread;
  printf("fifo %d to %d, comm %d to %d, other %d\n", sched_get_priority_min(SCHED_FIFO),
         sched_get_priority_max(SCHED_FIFO), sched_get_priority_min(SCHED_RR), sched_get_priority_max(SCHED_RR),
         sched_get_priority_max(SCHED_OTHER));
  pthread_create(&thread, NULL, change, NULL);
  pthread_join(thread, NULL);
}

int main(void) {
  pthread_t thread;
  void* result;
  cpu_set_t set;
  first = Kernel_ProcessorID();
  pthread_getaffinity_np(pthread_self(), sizeof set, &set);
  printf("of the process: %d, first %d\n", CPU_COUNT(&set), CPU_ISSET(first, &set) != 0);
  by_attributes();
  pthread_create(&thread, NULL, wander, NULL);
  pthread_join(thread, &result);
  printf("by itself: %u of 4\n", (unsigned)(uintptr_t)result);
  by_others();
  mistakes();
  priorities();
  return 0;
}
